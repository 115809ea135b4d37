import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';

let nativeBinding: string | undefined;

/** Another build of the driver's native part, for every connection from now on. Only test builds of the shell call this. */
export function useNativeBinding(file: string): void {
	nativeBinding = file;
}

/** Opens a connection. `timeoutMs`: how long a statement waits for another connection's lock. */
export function connect(file: string, options: { readonly?: boolean; mustExist?: boolean; timeoutMs?: number } = {}): Database.Database {
	if (!options.readonly && !options.mustExist && file !== ':memory:') createPrivately(file);
	return new Database(file, {
		readonly: options.readonly ?? false,
		fileMustExist: options.mustExist ?? false,
		timeout: options.timeoutMs ?? 5000,
		...(nativeBinding ? { nativeBinding } : {}),
	});
}

/** M4: SQLite would make it readable for others where the umask allows; the files it makes beside it take over this one's mode. */
function createPrivately(file: string): void {
	try {
		closeSync(openSync(file, 'wx', 0o600));
	} catch {
		// It is there already, and must not be opened (see `lock.ts`); what else is wrong, SQLite says with a code of its own.
	}
}
