/** The code of an error of the system, of Node or of SQLite, such as `ENOENT`; empty where there is none. */
export function systemCode(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : '';
}
