import { checkArchive } from '../backup/check-archive.ts';
import type { ProfileBackups } from '../backup/profile-backups.ts';
import { restoreProfile } from '../backup/restore.ts';
import type { Handlers } from '../router.ts';

/** `backup.*` of the contract. */
export function createBackupHandlers(deps: { backups: ProfileBackups; home: string }): Handlers['backup'] {
	const { backups, home } = deps;
	return {
		list: () => backups.list(),
		create: () => backups.create(),
		verify: ({ path }) => checkArchive(path),
		restore: async ({ path, profile }) => ({ profileFolder: await restoreProfile({ home, path, profile }) }),
		export: ({ path }) => backups.export(path),
	};
}
