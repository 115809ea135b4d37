import { lstat, mkdir, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../base/logger.ts';
import { move } from '../../base/move.ts';
import { systemCode } from '../../base/system-code.ts';
import { type ProfileInfo, ProfileName } from '../../contract/methods/profile.ts';
import { asStorageError } from '../../db/errors.ts';
import { HearthError, needsOwner, terminal } from '../../domain/errors.ts';
import { createSecretStore } from '../../secrets/secret-store.ts';
import { deletedName, removeDeleted, sweepDeletedProfiles } from '../leftovers.ts';
import { acquireLock, isLocked } from '../lock.ts';
import { prepareProfileFolder, profileFolderOf, profilePaths, profilesFolder } from '../profile-folder.ts';
import { folderBytes } from '../storage-report.ts';

export interface ProfilesDeps {
	/** The folder that holds `profiles/`. */
	home: string;
	/** The folder this runtime owns. */
	currentFolder: string;
	logger: Logger;
	now: () => number;
}

/** `profiles.*` of the contract. A profile is a folder; two share nothing. */
export function createProfilesHandlers({ home, currentFolder, logger, now }: ProfilesDeps) {
	async function info(name: string): Promise<ProfileInfo> {
		const paths = profilePaths(profileFolderOf(home, name));
		const current = await isSame(paths.folder, currentFolder);
		// Never probe the current one's lock: it is ours.
		return { name, folder: paths.folder, current, running: current || isLocked(paths.lock), bytes: await folderBytes(paths.folder) };
	}

	return {
		list: async (): Promise<ProfileInfo[]> => {
			await sweepDeletedProfiles(home, logger);
			const names = await namesIn(profilesFolder(home));
			const found: ProfileInfo[] = [];
			for (const name of names) found.push(await info(name));
			return found;
		},

		create: async (input: { name: string }): Promise<ProfileInfo> => {
			const folder = profileFolderOf(home, input.name);
			// Else it would take over what the desktop shell kept for a deleted one of its name.
			await sweepDeletedProfiles(home, logger);
			try {
				await mkdir(profilesFolder(home), { recursive: true, mode: 0o700 });
				await mkdir(folder, { mode: 0o700 });
			} catch (error) {
				if (systemCode(error) === 'EEXIST') {
					throw terminal('conflict', `There is already a profile named ${input.name}.`, { action: 'Choose another name.' });
				}
				throw asStorageError(error);
			}
			await prepareProfileFolder(profilePaths(folder));
			logger.info('profile_created', { profile: input.name });
			return info(input.name);
		},

		delete: async (input: { name: string; confirmName: string }): Promise<void> => {
			if (input.confirmName !== input.name) {
				throw terminal('invalid_input', 'The name does not match, so nothing was deleted.', {
					action: `Type ${input.name} to delete that profile.`,
				});
			}
			const paths = profilePaths(profileFolderOf(home, input.name));
			if (!(await namesIn(profilesFolder(home))).includes(input.name))
				throw terminal('not_found', `There is no profile named ${input.name}.`);
			if (await isSame(paths.folder, currentFolder)) {
				throw needsOwner('conflict', 'The profile in use cannot be deleted.', {
					safe: 'Nothing was deleted.',
					action: 'Switch to another profile first.',
				});
			}
			await refuseLink(input.name, paths.folder);
			await sweepDeletedProfiles(home, logger);
			await deleteFolder(home, input.name, paths.folder, paths.lock, now);
			logger.info('profile_deleted', { profile: input.name });
		},
	};
}

/** Deleting a link would leave all that it leads to, and what lies there is not Hearth's to delete. */
async function refuseLink(name: string, folder: string): Promise<void> {
	if (!(await lstat(folder)).isSymbolicLink()) return;
	throw needsOwner('conflict', `The profile ${name} is a link to ${await readlink(folder)}.`, {
		safe: 'Nothing was deleted.',
		action: `Delete that folder yourself, and then the link ${folder}.`,
	});
}

/**
 * Holds the profile's lock, so that it cannot start meanwhile; moved aside first, so that a cut-off deletion leaves no half profile,
 * and the next start, or look at the profiles, ends it.
 */
async function deleteFolder(home: string, name: string, folder: string, lockFile: string, now: () => number): Promise<void> {
	const aside = deletedName(name);
	try {
		const lock = acquireLock(lockFile, { patienceMs: 0 });
		try {
			await forgetKeyring(folder, now);
			// Windows does not move a folder with an open file in it.
			if (process.platform === 'win32') lock.release();
			await move(folder, join(profilesFolder(home), aside));
			await removeDeleted(home, aside);
		} finally {
			if (process.platform !== 'win32') lock.release();
		}
	} catch (error) {
		if (error instanceof HearthError && error.code === 'profile_locked') {
			throw needsOwner('profile_locked', `The profile ${name} is open in another Hearth.`, {
				safe: 'Nothing was deleted.',
				action: 'Close its window first.',
				cause: error,
			});
		}
		throw asStorageError(error);
	}
}

/** Keys that the desktop's keyring holds for the profile do not go away with its folder; all others do. */
async function forgetKeyring(profileFolder: string, now: () => number): Promise<void> {
	const store = createSecretStore({ profileFolder, onChange: () => undefined, now });
	if ((await store.status()).store !== 'libsecret') return;
	for (const name of await store.names()) await store.remove(name);
}

async function namesIn(folder: string): Promise<string[]> {
	try {
		const entries = await readdir(folder, { withFileTypes: true });
		return entries
			.filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && ProfileName.safeParse(entry.name).success)
			.map((entry) => entry.name);
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return [];
		throw error;
	}
}

async function isSame(a: string, b: string): Promise<boolean> {
	return (await realpath(a).catch(() => a)) === (await realpath(b).catch(() => b));
}
