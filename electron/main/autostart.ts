import { createHash } from 'node:crypto';
import path from 'node:path';

/** What desktops of the XDG kind start at a login: an entry in a folder of the owner's (Desktop Application Autostart, Desktop Entry). */

/** One file for each profile, and each home of profiles. */
export function autostartFile(
	environment: Record<string, string | undefined>,
	homeOfUser: string,
	{ home, profile, isUsual }: { home: string; profile: string; isUsual: boolean },
): string {
	// A path that is not absolute counts as none.
	const given = environment.XDG_CONFIG_HOME ?? '';
	const config = path.isAbsolute(given) ? given : path.join(homeOfUser, '.config');
	const which = isUsual ? '' : `-${profile}-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
	return path.join(config, 'autostart', `hearth${which}.desktop`);
}

/** Undefined where the command can't be written in such a file. */
export function autostartEntry(of: { name: string; icon: string; command: readonly string[] }): string | undefined {
	const program = of.command[0] ?? '';
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
	if (program.includes('=') || [of.icon, ...of.command].some((word) => /[\u0000-\u001F]/.test(word))) return undefined;
	return [
		'[Desktop Entry]',
		'Type=Application',
		`Name=${escaped(of.name)}`,
		`Exec=${escaped(of.command.map(quoted).join(' '))}`,
		`Icon=${escaped(of.icon)}`,
		'Terminal=false',
		'X-GNOME-Autostart-enabled=true',
		'',
	].join('\n');
}

/** The owner did so in the settings of their desktop. */
export function isSwitchedOff(entry: string): boolean {
	return /^(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/im.test(entry);
}

/** A word of a command; `%` begins what the desktop fills in. */
function quoted(word: string): string {
	const literal = word.replaceAll('%', '%%');
	return /^[A-Za-z0-9_/.,:@%+=-]+$/.test(literal) ? literal : `"${literal.replace(/["`$\\]/g, '\\$&')}"`;
}

/** A value of the file, in which a backslash begins what it stands for. */
function escaped(value: string): string {
	return value.replaceAll('\\', '\\\\');
}
