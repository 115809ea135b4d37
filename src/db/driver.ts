import Database from 'better-sqlite3';

let nativeBinding: string | undefined;

/** Another build of the driver's native part, for every connection from now on. Only test builds of the shell call this. */
export function useNativeBinding(file: string): void {
	nativeBinding = file;
}

/** Opens a connection. `timeoutMs`: how long a statement waits for another connection's lock. */
export function connect(file: string, options: { readonly?: boolean; mustExist?: boolean; timeoutMs?: number } = {}): Database.Database {
	return new Database(file, {
		readonly: options.readonly ?? false,
		fileMustExist: options.mustExist ?? false,
		timeout: options.timeoutMs ?? 5000,
		...(nativeBinding ? { nativeBinding } : {}),
	});
}
