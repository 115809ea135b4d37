import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { crashPoint } from './crash-point.ts';

/** A rename of a file or folder that is whole. Rejects with the system's error; then nothing was moved. Syncing the folder is the caller's. */
export async function move(from: string, to: string): Promise<void> {
	crashPoint('file.moving');
	await rename(from, to);
	crashPoint('file.moved');
}

export function moveSync(from: string, to: string): void {
	crashPoint('file.moving');
	renameSync(from, to);
	crashPoint('file.moved');
}
