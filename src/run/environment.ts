/** Variables of the environment that tools may see, besides Hearth's own. */
const SEEN = new Set(['HOME', 'LANG', 'LC_ALL', 'PATH', 'SHELL', 'TMPDIR', 'TZ', 'USER']);

/** The names of those that are set, in order: all that is kept of them, because values may be secrets (S3). */
export function environmentNames(environment: Readonly<Record<string, string | undefined>>): string[] {
	return Object.keys(environment)
		.filter((name) => environment[name] !== undefined && (SEEN.has(name) || name.startsWith('HEARTH_')))
		.toSorted();
}
