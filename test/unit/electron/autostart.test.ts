import { expect, test } from 'vitest';
import { autostartEntry, autostartFile, isSwitchedOff } from '../../../electron/main/autostart.ts';

const of = (home: string, profile: string, isUsual: boolean) => ({ home, profile, isUsual });

test('each profile and each home has a file of its own, below the folder the desktop names', () => {
	expect(autostartFile({}, '/home/ada', of('/home/ada/.hearth', 'default', true))).toBe('/home/ada/.config/autostart/hearth.desktop');
	expect(autostartFile({ XDG_CONFIG_HOME: '/cfg' }, '/home/ada', of('/home/ada/.hearth', 'default', true))).toBe(
		'/cfg/autostart/hearth.desktop',
	);
	expect(autostartFile({ XDG_CONFIG_HOME: 'relative' }, '/home/ada', of('/srv/h', 'work', false))).toMatch(
		/^\/home\/ada\/\.config\/autostart\/hearth-work-[0-9a-f]{8}\.desktop$/,
	);
	expect(autostartFile({}, '/h', of('/a', 'work', false))).not.toBe(autostartFile({}, '/h', of('/b', 'work', false)));
});

/** As a desktop reads it: the file's own escapes first, then the words with their quotes, then what `%` begins. */
function wordsOf(entry: string): string[] {
	const line = /^Exec=(.*)$/m.exec(entry)?.[1] ?? '';
	const value = line.replace(/\\(.)/g, '$1');
	return [...value.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, inQuotes, bare]) =>
		(inQuotes === undefined ? (bare ?? '') : inQuotes.replace(/\\(.)/g, '$1')).replaceAll('%%', '%'),
	);
}

test('whatever stands in a path comes out as the same words', () => {
	const command = ['/opt/Hearth App/hearth', '--home', '/home/a b/"q" $HOME `x` \\ 100% ; & | ~', '--profile', 'work', '--hidden'];
	const entry = autostartEntry({ name: 'Hearth', icon: '/opt/icon.png', command }) ?? '';
	expect(wordsOf(entry)).toEqual(command);
	expect(entry).toMatch(/^\[Desktop Entry\]\nType=Application\nName=Hearth\nExec=/);
	expect(entry).toContain('\nX-GNOME-Autostart-enabled=true\n');
});

test('what can’t be written in such a file is refused, not written wrongly', () => {
	expect(autostartEntry({ name: 'Hearth', icon: '/i.png', command: ['/opt/a\nb', '--hidden'] })).toBeUndefined();
	expect(autostartEntry({ name: 'Hearth', icon: '/i.png', command: ['/opt/a=b/hearth'] })).toBeUndefined();
});

test('what the owner switched off in their desktop is seen', () => {
	const entry = autostartEntry({ name: 'Hearth', icon: '/i.png', command: ['/opt/hearth'] }) ?? '';
	expect(isSwitchedOff(entry)).toBe(false);
	expect(isSwitchedOff(`${entry}Hidden=true\n`)).toBe(true);
	expect(isSwitchedOff(entry.replace('enabled=true', 'enabled=false'))).toBe(true);
});
