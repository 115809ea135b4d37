import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, resolve } from 'node:path';
import { isBelow } from '../../base/below.ts';
import { systemCode } from '../../base/system-code.ts';
import { terminal } from '../../domain/errors.ts';

/** Places that no permission opens, so that none is granted by accident: keys, keyrings, browsers' profiles, Hearth itself, the system's own. */

/** Below the home. */
const IN_HOME = [
	'.ssh',
	'.gnupg',
	'.pki',
	'.password-store',
	'.aws',
	'.azure',
	'.kube',
	'.docker',
	'.netrc',
	'.config/gcloud',
	'.config/gh',
	'.config/op',
	'.local/share/keyrings',
	'.local/share/kwalletd',
	'.mozilla',
	'.thunderbird',
	'.config/google-chrome',
	'.config/chromium',
	'.config/BraveSoftware',
	'.config/microsoft-edge',
	'.config/vivaldi',
	'.config/opera',
	'.config/Hearth',
	'snap/firefox',
	'snap/chromium',
	'.var/app',
	'Library/Keychains',
	'Library/Cookies',
	'Library/Safari',
	'Library/Messages',
	'Library/Application Support/Google/Chrome',
	'Library/Application Support/Chromium',
	'Library/Application Support/Firefox',
	'Library/Application Support/BraveSoftware',
	'Library/Application Support/Microsoft Edge',
	'Library/Application Support/Vivaldi',
	'Library/Application Support/Hearth',
	'AppData/Local/Google/Chrome',
	'AppData/Local/Chromium',
	'AppData/Local/BraveSoftware',
	'AppData/Local/Microsoft/Edge',
	'AppData/Local/Microsoft/Credentials',
	'AppData/Local/Microsoft/Vault',
	'AppData/Roaming/Mozilla',
	'AppData/Roaming/Thunderbird',
	'AppData/Roaming/Microsoft/Credentials',
	'AppData/Roaming/Microsoft/Crypto',
	'AppData/Roaming/Microsoft/Protect',
	'AppData/Roaming/Microsoft/Vault',
	'AppData/Roaming/Hearth',
];
/** Of the system: nothing below them is a file of the owner's. */
const OF_SYSTEM = [
	'/proc',
	'/sys',
	'/dev',
	'/run/user',
	'/run/secrets',
	'/run/systemd',
	'/boot',
	'/etc',
	'/private/etc',
	'/System',
	'C:\\Windows',
];
/** In anybody's home, wherever that is. */
const ANYWHERE = ['.ssh', '.gnupg', '.password-store', '.aws', '.kube'];

export interface OwnPlaces {
	/** Where all profiles lie; no tool gets in there but into `workspace`. */
	readonly hearth: string;
	/** `workspace/` of this profile. */
	readonly workspace: string;
	/** The owner's; tests give another. */
	readonly home?: string | undefined;
}

/** Why this place, absolute and without links, is shut whatever was granted; undefined where it is not. Pure. */
export function whyShut(path: string, { hearth, workspace, home = homedir() }: OwnPlaces): string | undefined {
	if (liesBelow(workspace, path)) return undefined;
	if (liesBelow(hearth, path)) return 'Hearth’s own folder is shut to tools, but for workspace/.';
	if (OF_SYSTEM.some((shut) => liesBelow(shut, path))) return 'It belongs to the system.';
	const names = path.split(/[\\/]/).map(folded);
	if (ANYWHERE.some((name) => names.includes(name)) || IN_HOME.some((below) => liesBelow(join(home, below), path)))
		return 'Keys, keyrings and browsers’ profiles are shut to tools, whatever is granted.';
	return undefined;
}

/**
 * The folder as a permission has to name it: absolute, without links. Throws `invalid_input` for what can't be granted: no folder, the root,
 * the home or what holds it, what is shut.
 */
export async function grantableFolder(given: string, own: OwnPlaces): Promise<string> {
	const home = own.home ?? homedir();
	const plain = given === '~' || given.startsWith('~/') ? join(home, given.slice(1)) : given;
	if (!isAbsolute(plain)) throw cannotGrant(given, 'A folder is granted by its whole path.');
	const real = await realpath(resolve(plain)).catch((error: unknown) => {
		if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(systemCode(error))) throw cannotGrant(given, 'There is no such folder.');
		throw error;
	});
	if (!(await lstat(real)).isDirectory()) throw cannotGrant(given, 'It is no folder.');
	const reason = whyShut(real, await realPlaces(own));
	if (reason !== undefined) throw cannotGrant(given, reason);
	if (parse(real).root === real || liesBelow(real, await realOr(home)))
		throw cannotGrant(given, 'All that you have lies in it: grant the folders that the agent needs.');
	return real;
}

export async function realPlaces({ hearth, workspace, home = homedir() }: OwnPlaces): Promise<Required<OwnPlaces>> {
	return { hearth: await realOr(hearth), workspace: await realOr(workspace), home: await realOr(home) };
}

async function realOr(path: string): Promise<string> {
	return realpath(path).catch(() => path);
}

/** Whether it is the folder or lies in it, as the strictest disk takes names. */
export function liesBelow(folder: string, path: string): boolean {
	return isBelow(folded(folder), folded(path));
}

function folded(path: string): string {
	return path.normalize('NFC').toUpperCase().toLowerCase();
}

function cannotGrant(given: string, why: string) {
	return terminal('invalid_input', `“${given.slice(0, 200)}” can’t be granted. ${why}`, { safe: 'Nothing was granted.' });
}
