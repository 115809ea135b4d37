import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemCode } from '../../base/system-code.ts';
import type { Needle } from '../../db/needle.ts';

/** Looks through every byte of a profile for a text, and changes nothing (M4). */

/** Bytes looked at between two turns of the event loop. */
const CHUNK = 1024 * 1024;
/** Bytes of the last chunk that are looked at again with the next, at least. */
const OVERLAP = 8 * 1024;
const LARGEST_OVERLAP = 512 * 1024;

export interface ProfileFile {
	/** In the profile, with forward slashes. */
	readonly path: string;
	readonly file: string;
	readonly bytes: number;
}

/** Every file below the folder, those behind links too, each once. Those that go away meanwhile are left out. */
export async function profileFiles(folder: string): Promise<ProfileFile[]> {
	const files: ProfileFile[] = [];
	const seen = new Set<string>();
	const walk = async (below: string): Promise<void> => {
		const real = await unlessGone(realpath(join(folder, below)));
		if (real === undefined || seen.has(real)) return;
		seen.add(real);
		for (const entry of ((await unlessGone(readdir(real, { withFileTypes: true }))) ?? []) as Dirent[]) {
			const path = below === '' ? entry.name : `${below}/${entry.name}`;
			const found = await unlessGone(stat(join(folder, path)));
			if (found?.isDirectory()) await walk(path);
			else if (found?.isFile()) files.push({ path, file: join(folder, path), bytes: found.size });
		}
	};
	await walk('');
	return files;
}

/**
 * Whether the bytes hold it, as UTF-8 or as UTF-16 of either order; as text in a file or in the middle of anything else. Rejects with
 * the system's error where the file cannot be read; one that is gone holds nothing.
 */
export async function fileHolds(file: string, needle: Needle): Promise<boolean> {
	const handle = await unlessGone(open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
	if (!handle) return false;
	try {
		const overlap = Math.min(OVERLAP + needle.length * 8, LARGEST_OVERLAP);
		const buffer = Buffer.alloc(CHUNK + overlap);
		let kept = 0;
		for (;;) {
			const { bytesRead } = await handle.read(buffer, kept, CHUNK, null);
			const bytes = buffer.subarray(0, kept + bytesRead);
			if (bytesHold(bytes, needle)) return true;
			if (bytesRead === 0) return false;
			kept = Math.min(overlap, bytes.length);
			bytes.copyWithin(0, bytes.length - kept);
			await setImmediate();
		}
	} finally {
		await handle.close();
	}
}

export function bytesHold(bytes: Buffer, needle: Needle): boolean {
	const { probes } = needle;
	if (probes === undefined) return needle.holds(bytes.toString('utf8')) || wideHolds(bytes, needle);
	const flat = bytes.toString('latin1').toLowerCase();
	if (probes.some((probe) => flat.includes(Buffer.from(probe.toLowerCase()).toString('latin1'))) && needle.holds(bytes.toString('utf8')))
		return true;
	return probes.some((probe) => flat.includes([...probe.toLowerCase()].join('\0'))) && wideHolds(bytes, needle);
}

function wideHolds(bytes: Buffer, needle: Needle): boolean {
	for (const from of [0, 1]) {
		const even = bytes.subarray(from, from + Math.floor((bytes.length - from) / 2) * 2);
		if (needle.holds(even.toString('utf16le')) || needle.holds(Buffer.from(even).swap16().toString('utf16le'))) return true;
	}
	return false;
}

/** Lines, from 1, on which it begins in a text. */
export function linesHolding(text: string, needle: Needle): number[] {
	const lines = new Set<number>();
	let line = 1;
	let from = 0;
	for (const at of needle.placesIn(text)) {
		for (let next = text.indexOf('\n', from); next >= 0 && next < at; next = text.indexOf('\n', from)) {
			line += 1;
			from = next + 1;
		}
		lines.add(line);
	}
	return [...lines];
}

async function unlessGone<T>(act: Promise<T>): Promise<T | undefined> {
	try {
		return await act;
	} catch (error) {
		if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(systemCode(error))) return undefined;
		throw error;
	}
}
