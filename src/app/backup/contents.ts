import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnfinishedWrite } from '../../base/atomic-file.ts';
import { systemCode } from '../../base/system-code.ts';
import { belongsInProfile, FOLDERS, type LeftOut, SINGLE_FILES } from './manifest.ts';

/** Of `workspace/`, which may hold anything, no more than this goes into an archive; smaller files first. */
const MOST_WORKSPACE_BYTES = 500 * 1024 * 1024;
/** The zip format would need another shape of entry beyond 4 GB. */
const MOST_FILE_BYTES = 2 * 1024 * 1024 * 1024;

export interface ProfileFile {
	/** In the archive: forward slashes, relative to the profile. */
	readonly path: string;
	readonly file: string;
	readonly bytes: number;
	readonly executable: boolean;
	/** A document of the owner's may be a link into their dotfiles; inside folders links are not followed. */
	readonly mayBeLink: boolean;
}

/** All files of a profile that an archive holds beside state.db, and what is left out of it. */
export async function profileContents(folder: string): Promise<{ files: ProfileFile[]; leftOut: LeftOut[] }> {
	const files: ProfileFile[] = [];
	const leftOut: LeftOut[] = [];
	for (const name of SINGLE_FILES) await addSingle(folder, name, files, leftOut);
	for (const name of FOLDERS) await addFolder(folder, name, files, leftOut);
	return { files: withinLimit(files, leftOut), leftOut };
}

async function addSingle(folder: string, name: string, files: ProfileFile[], leftOut: LeftOut[]): Promise<void> {
	const file = join(folder, name);
	const found = await stat(file).catch((error: unknown) => {
		if (systemCode(error) !== 'ENOENT') leftOut.push({ path: name, why: `It could not be read (${systemCode(error)}).` });
		return undefined;
	});
	if (found?.isFile()) files.push({ path: name, file, bytes: found.size, executable: false, mayBeLink: true });
	else if (found) leftOut.push({ path: name, why: 'It is not a file.' });
}

async function addFolder(root: string, path: string, files: ProfileFile[], leftOut: LeftOut[]): Promise<void> {
	let entries: Dirent[];
	try {
		entries = await readdir(join(root, path), { withFileTypes: true });
	} catch (error) {
		if (systemCode(error) !== 'ENOENT') leftOut.push({ path, why: `It could not be read (${systemCode(error)}).` });
		return;
	}
	for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
		const inside = `${path}/${entry.name}`;
		if (entry.isDirectory()) await addFolder(root, inside, files, leftOut);
		else if (!isUnfinishedWrite(entry.name)) await addFile(root, inside, entry, files, leftOut);
	}
}

async function addFile(root: string, path: string, entry: Dirent, files: ProfileFile[], leftOut: LeftOut[]): Promise<void> {
	if (!entry.isFile()) {
		leftOut.push({ path, why: entry.isSymbolicLink() ? 'It is a link.' : 'It is not a file.' });
		return;
	}
	if (!belongsInProfile(path)) {
		leftOut.push({ path, why: 'Its name would not be safe on every system.' });
		return;
	}
	const file = join(root, path);
	const found = await lstat(file).catch(() => undefined);
	if (!found) return;
	if (found.size > MOST_FILE_BYTES) leftOut.push({ path, why: 'It is larger than 2 GB.' });
	else files.push({ path, file, bytes: found.size, executable: (found.mode & 0o100) !== 0, mayBeLink: false });
}

function withinLimit(files: readonly ProfileFile[], leftOut: LeftOut[]): ProfileFile[] {
	const isWork = ({ path }: ProfileFile): boolean => path.startsWith('workspace/');
	let room = MOST_WORKSPACE_BYTES;
	const over = new Set<ProfileFile>();
	for (const file of files.filter(isWork).toSorted((a, b) => a.bytes - b.bytes)) {
		if (file.bytes <= room) room -= file.bytes;
		else over.add(file);
	}
	for (const { path } of over) leftOut.push({ path, why: `Of workspace/ at most ${MOST_WORKSPACE_BYTES / 1024 / 1024} MB are kept.` });
	return files.filter((file) => !over.has(file));
}
