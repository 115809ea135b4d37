import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnfinishedWrite } from '../base/atomic-file.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { systemCode } from '../base/system-code.ts';
import { profilesFolder } from './profile-folder.ts';

/** What a deleted profile is called from the moment it is moved aside until the last of it is gone. */
const DELETED = /^\.deleted-([a-z0-9-]+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A new name, beside the profiles, for the folder of one that is being deleted. */
export function deletedName(profile: string): string {
	return `.deleted-${profile}-${newId()}`;
}

/** Removes a profile that was moved aside, and what the desktop shell's browser keeps for it: its windows' places and their storage. */
export async function removeDeleted(home: string, name: string): Promise<void> {
	const profile = DELETED.exec(name)?.[1];
	if (profile === undefined) throw new Error('not the name of a deleted profile');
	// One that was made anew under the same name keeps its own.
	if (!(await readdirOrNothing(profilesFolder(home))).includes(profile))
		await rm(join(home, 'electron', profile), { recursive: true, force: true });
	await rm(join(profilesFolder(home), name), { recursive: true, force: true });
}

/** Ends deletions of profiles that a crash cut off: what is left is private. Never rejects; what stays is tried again the next time. */
export async function sweepDeletedProfiles(home: string, logger: Logger): Promise<void> {
	try {
		for (const name of await readdirOrNothing(profilesFolder(home))) {
			if (!DELETED.test(name)) continue;
			await removeDeleted(home, name);
			logger.info('deleted_profile_swept');
		}
	} catch (error) {
		logger.warn('deleted_profile_stays', { error });
	}
}

/**
 * Removes files of the profile, and of its memory, that were being written when a process died. Only those older than `before` (epoch ms): the lock's
 * owner calls it at its start, and what is younger may be its own. Never rejects.
 */
export async function sweepUnfinishedWrites(profileFolder: string, before: number, logger: Logger): Promise<void> {
	try {
		const names = await readdirOrNothing(profileFolder);
		const inMemory = await readdirOrNothing(join(profileFolder, 'memory'), { recursive: true });
		for (const name of [...names, ...inMemory.map((inside) => join('memory', inside))]) {
			if (!isUnfinishedWrite(name)) continue;
			const file = join(profileFolder, name);
			const found = await lstat(file);
			if (found.isFile() && found.mtimeMs < before) await rm(file, { force: true });
		}
	} catch (error) {
		logger.warn('unfinished_write_stays', { error });
	}
}

async function readdirOrNothing(folder: string, how: { recursive: boolean } = { recursive: false }): Promise<string[]> {
	try {
		return await readdir(folder, how);
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return [];
		throw error;
	}
}
