import { createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';

export interface ZipPiece {
	readonly name: string;
	readonly bytes: Buffer;
	/** Unix mode with its kind; a regular file where left out. */
	readonly mode?: number;
}

/** The pieces of a zip, in its order. */
export async function readZip(file: string): Promise<ZipPiece[]> {
	const zip = await openPromise(file, { autoClose: false });
	const pieces: ZipPiece[] = [];
	for await (const entry of zip.eachEntry())
		pieces.push({ name: entry.fileName, bytes: await buffer(await zip.openReadStreamPromise(entry)) });
	zip.close();
	return pieces;
}

export async function writeZip(file: string, pieces: readonly ZipPiece[]): Promise<void> {
	const zip = new ZipFile();
	for (const { name, bytes, mode = 0o100600 } of pieces) zip.addBuffer(bytes, name, { mode });
	zip.end();
	await pipeline(zip.outputStream, createWriteStream(file));
}

/** A name of the same length put in place of another, in the zip's own lists: names that no writer would let through. */
export function renamed(bytes: Buffer, from: string, to: string): Buffer {
	if (Buffer.byteLength(from) !== Buffer.byteLength(to)) throw new Error('the names differ in length');
	const changed = Buffer.from(bytes);
	for (let at = changed.indexOf(from); at >= 0; at = changed.indexOf(from, at + 1)) changed.write(to, at);
	return changed;
}

/** The zip's own list says that this file is so large. */
export function claiming(bytes: Buffer, name: string, size: number): Buffer {
	const changed = Buffer.from(bytes);
	const header = changed.lastIndexOf(name) - 46;
	if (changed.readUInt32LE(header) !== 0x02014b50) throw new Error('not in the list');
	changed.writeUInt32LE(size, header + 24);
	return changed;
}
