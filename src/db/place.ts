import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type HearthError, needsOwner } from '../domain/errors.ts';
import type { BackupFile } from './backup.ts';

/** Tells one file from another under the same name; undefined where there is none. */
export function identityOf(file: string): string | undefined {
	const found = statSync(file, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev}-${found.ino}`;
}

/** Somebody deleted, moved or replaced the file of an open database: what is written to it goes nowhere that lasts. */
export function displaced(file: string, rescue?: BackupFile): HearthError {
	const name = basename(file);
	return needsOwner('read_only', `${name} was deleted, moved or replaced while Hearth had it open, so nothing new can be saved.`, {
		safe: rescue ? `All that was in it is in the back-up ${rescue.path}.` : 'Hearth still has it open, and backs it up before it ends.',
		action: `Put the file back, and Hearth goes on by itself. Or close Hearth, copy the newest back-up to ${file}, and start again.`,
	});
}
