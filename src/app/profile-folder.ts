import { chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { writeFileAtomic } from '../base/atomic-file.ts';
import { systemCode } from '../base/system-code.ts';
import { ProfileName } from '../contract/methods/profile.ts';
import { asStorageError } from '../db/errors.ts';
import { needsOwner, terminal } from '../domain/errors.ts';
import { DEFAULT_DOCUMENTS } from './default-documents.ts';
import { exampleWorkflows } from './example-workflows.ts';
import { FIRST_POLICY } from './policy-file.ts';

export const DEFAULT_PROFILE = 'default';

/** The places in a profile's folder (product.md). All absolute. */
export interface ProfilePaths {
	readonly folder: string;
	/** Hearth's home, with all profiles in it: no tool gets in there but into `workspace`. */
	readonly home: string;
	readonly stateDb: string;
	readonly config: string;
	/** Rules of the owner's own. */
	readonly policy: string;
	readonly attachments: string;
	/** Contents by their hash: large results, what files of the workspace held. */
	readonly blobs: string;
	/** What tools may read and write. */
	readonly workspace: string;
	readonly backups: string;
	readonly logs: string;
	readonly workflows: string;
	/** Procedures, each in a folder of its own. */
	readonly skills: string;
	readonly lock: string;
	readonly socket: string;
	/** Room to give up when the disk is full. */
	readonly reserve: string;
	/** The second record of what runs did. */
	readonly witness: string;
	/** The second record of the end of the audit log. */
	readonly auditHead: string;
}

export function profilePaths(profileFolder: string): ProfilePaths {
	const folder = resolve(profileFolder);
	const at = (name: string) => join(folder, name);
	return {
		folder,
		home: basename(dirname(folder)) === 'profiles' ? dirname(dirname(folder)) : folder,
		stateDb: at('state.db'),
		config: at('config.json'),
		policy: at('policy.yaml'),
		attachments: at('attachments'),
		blobs: at('blobs'),
		workspace: at('workspace'),
		backups: at('backups'),
		logs: at('logs'),
		workflows: at('workflows'),
		skills: at('skills'),
		lock: at('lock'),
		socket: at('hearth.sock'),
		reserve: at('reserve'),
		witness: at('witness'),
		auditHead: at('audit-head'),
	};
}

/** Where all profiles lie: the given folder (`--home`), else `$HEARTH_HOME`, else `~/.hearth`. */
export function hearthHome(given?: string, environment: Record<string, string | undefined> = process.env): string {
	const home = given || environment.HEARTH_HOME || join(homedir(), '.hearth');
	try {
		return resolve(home);
	} catch (error) {
		// The system no longer knows where "here" is.
		throw needsOwner(
			'invalid_input',
			`The folder this command was started in no longer exists, so there is no telling where “${home}” is.`,
			{
				safe: 'Nothing was changed.',
				action: 'Change to another folder, or give the whole path.',
				cause: error,
			},
		);
	}
}

export function profilesFolder(home: string): string {
	return join(home, 'profiles');
}

/** The folder of a profile by name; throws `invalid_input` for a name that could leave the place of profiles. */
export function profileFolderOf(home: string, name: string): string {
	const checked = ProfileName.safeParse(name);
	if (!checked.success) {
		throw terminal('invalid_input', `“${name.slice(0, 40)}” cannot be the name of a profile.`, {
			action: checked.error.issues[0]?.message,
		});
	}
	return join(profilesFolder(home), checked.data);
}

/**
 * Makes what is missing in a profile's folder, readable by its owner alone. AGENT.md, USER.md, HEARTBEAT.md, policy.yaml and the
 * workflows that come with Hearth are written once, for a new profile: an owner who deletes one wants it gone, and a file that is there is never touched.
 */
export async function prepareProfileFolder(paths: ProfilePaths): Promise<void> {
	try {
		await mkdir(paths.folder, { recursive: true, mode: 0o700 });
		await chmod(paths.folder, 0o700);
		for (const folder of [paths.attachments, paths.blobs, paths.workspace, paths.backups, paths.logs])
			await mkdir(folder, { recursive: true, mode: 0o700 });
		for (const file of [paths.stateDb, `${paths.stateDb}-wal`, `${paths.stateDb}-shm`, paths.lock]) await closeToOthers(file);
		if ((await exists(paths.stateDb)) || (await exists(paths.config))) return;
		await mkdir(paths.workflows, { recursive: true, mode: 0o700 });
		const documents = Object.entries(DEFAULT_DOCUMENTS).map(([name, text]) => [join(paths.folder, name), text] as const);
		const policy = [paths.policy, FIRST_POLICY] as const;
		const workflows = (await exampleWorkflows()).map(([name, text]) => [join(paths.workflows, name), text] as const);
		// One by one: a start that was cut off may have written some of them.
		for (const [file, text] of [...documents, policy, ...workflows]) if (!(await exists(file))) await writeFileAtomic(file, text);
	} catch (error) {
		throw folderError(paths.folder, error);
	}
}

/** For files that an earlier version, or a copy, left readable. Nothing to do where there is none. */
async function closeToOthers(file: string): Promise<void> {
	if (process.platform === 'win32' || !(await exists(file))) return;
	const { mode } = await stat(file);
	if ((mode & 0o077) !== 0) await chmod(file, 0o600);
}

async function exists(path: string): Promise<boolean> {
	try {
		await stat(path);
		return true;
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return false;
		throw error;
	}
}

function folderError(folder: string, error: unknown): unknown {
	const code = systemCode(error);
	if (code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENOENT') {
		return needsOwner('read_only', `${folder} cannot be the profile's folder: a file or a broken link is in the way.`, {
			action: 'Move it away, or choose another home for Hearth with --home or HEARTH_HOME.',
			cause: error,
		});
	}
	if (code === 'EACCES' || code === 'EPERM') {
		return needsOwner('read_only', `Hearth may not write to ${folder}.`, {
			action: 'Give your user the right to write there, or choose another home for Hearth with --home or HEARTH_HOME.',
			cause: error,
		});
	}
	return asStorageError(error);
}
