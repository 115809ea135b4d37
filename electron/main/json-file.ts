import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';

/** Small files that only make a start more pleasant: a spoilt one is as good as none. Undefined where there is none. */
export function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
	try {
		return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return undefined;
	}
}

/** Never throws: a full disk must not keep a window from closing. */
export function writeJson(file: string, value: unknown): void {
	try {
		replaceFile(file, JSON.stringify(value));
	} catch {
		// The next start does without it.
	}
}

/** Whole or not at all. Throws the system's error. */
export function replaceFile(file: string, text: string): void {
	mkdirSync(path.dirname(file), { recursive: true });
	const handle = openSync(`${file}.new`, 'w');
	try {
		writeFileSync(handle, text);
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	renameSync(`${file}.new`, file);
}
