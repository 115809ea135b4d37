/** Of this process's environment, what a program without a sandbox needs to work as the owner's. Keys and addresses of Hearth's own stay out (S3). */
const PASSED = [
	'PATH',
	'HOME',
	'USER',
	'LOGNAME',
	'SHELL',
	'LANG',
	'LC_ALL',
	'TMPDIR',
	'TZ',
	// Windows
	'SystemRoot',
	'SystemDrive',
	'ComSpec',
	'PATHEXT',
	'USERPROFILE',
	'APPDATA',
	'LOCALAPPDATA',
	'ProgramFiles',
	'TEMP',
	'TMP',
];

export function plainEnvironment(): Record<string, string> {
	const passed = PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
	return { ...Object.fromEntries(passed), TERM: 'dumb', NO_COLOR: '1' };
}
