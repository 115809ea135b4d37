import { readFileSync } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../base/system-code.ts';
import { HearthError } from '../../domain/errors.ts';
import { LONGEST_SKILL, SkillName } from '../../domain/skill.ts';
import { type DiskFile, readDiskFile } from '../workspace/disk.ts';
import { locate, type Place } from '../workspace/place.ts';

/** The folder `skills/` as it lies on the disk. No link is followed out of it. */

export const SKILL_FILE = 'SKILL.md';
const MOST_SKILLS = 200;

export interface SkillOnDisk {
	readonly place: Place;
	readonly file: DiskFile | undefined;
	/** Undefined where there is no file, or where it is no UTF-8. */
	readonly text: string | undefined;
}

/** Names of folders that can be skills, and others, which are left alone. */
export async function skillFolders(folder: string): Promise<{ names: SkillName[]; ignored: string[] }> {
	const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
		if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return [];
		throw error;
	});
	const names: SkillName[] = [];
	const ignored: string[] = [];
	for (const entry of entries) {
		if (entry.name.startsWith('.')) continue;
		const name = SkillName.safeParse(entry.name);
		if (name.success && !entry.isFile() && names.length < MOST_SKILLS) names.push(name.data);
		else ignored.push(entry.name);
	}
	return { names: names.sort(), ignored: ignored.sort() };
}

/** Rejects with a HearthError where it can't be read. */
export async function readSkillFile(folder: string, name: SkillName): Promise<SkillOnDisk> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const root = { name: 'skills', absolute: await realpath(folder), mine: false };
	const place = await locate(root, [name, SKILL_FILE], `${name}/${SKILL_FILE}`);
	const file = await readDiskFile(place, LONGEST_SKILL * 4);
	return { place, file, text: file && decoded(file.bytes) };
}

/** What tells whether it may be another file than before; undefined where there is none. */
export async function stampOf(folder: string, name: SkillName): Promise<string | undefined> {
	try {
		const { size, mtimeNs, ctimeNs, ino } = await lstat(join(folder, name, SKILL_FILE), { bigint: true });
		return [size, mtimeNs, ctimeNs, ino].join(':');
	} catch (error) {
		if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined;
		throw error;
	}
}

/** Names beside SKILL.md. */
export async function namesBeside(folder: string, name: SkillName): Promise<string[]> {
	const names = await readdir(join(folder, name)).catch(() => []);
	return names.filter((other) => other !== SKILL_FILE && !other.startsWith('.')).sort();
}

/** At once, for a decision that is one transaction; null where there is none, or none that can be read. */
export function skillTextNow(folder: string, name: SkillName): string | null {
	try {
		return decoded(readFileSync(join(folder, name, SKILL_FILE))) ?? null;
	} catch {
		return null;
	}
}

/** Nothing happens where there is more in it. */
export async function removeEmptyFolder(folder: string, name: SkillName): Promise<void> {
	await rmdir(join(folder, name)).catch(() => undefined);
}

export function problemOf(error: unknown): string {
	if (error instanceof HearthError) return error.message;
	throw error;
}

function decoded(bytes: Buffer): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
