import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkArchive } from '../../app/backup/check-archive.ts';
import { restoreProfile } from '../../app/backup/restore.ts';
import { profilePaths } from '../../app/profile-folder.ts';
import type { BackupInfo } from '../../contract/methods/memory.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { type Output, table } from '../output.ts';

export async function listBackups({ rpc, output }: CommandContext): Promise<number> {
	const backups = await rpc.backup.list();
	const rows = backups.map((backup) => [when(backup.madeAt), `${backup.files}`, megabytes(backup.bytes), backup.path]);
	output.result(
		backups,
		rows.length > 0 ? table([['MADE', 'FILES', 'SIZE', 'WHERE'], ...rows]) : 'There is no back-up of the whole profile yet.',
	);
	return EXIT.ok;
}

export async function createBackup({ rpc, output }: CommandContext): Promise<number> {
	const made = await rpc.backup.create();
	output.result(made, `Saved ${made.path} (${made.files} files, ${megabytes(made.bytes)}).`);
	noteLeftOut(output, made);
	return EXIT.ok;
}

export async function exportProfile({ rpc, output }: CommandContext, file: string): Promise<number> {
	// Of the folder this command was started in; the runtime may be another process.
	const done = await rpc.backup.export({ path: resolve(file) });
	output.result(done, `Saved ${done.path} (${done.files} files, ${megabytes(done.bytes)}). Keys are not in it.`);
	return EXIT.ok;
}

/** Needs no runtime: the archive is read where it lies. */
export async function verifyBackup(options: { profileFolder: string; output: Output }, file: string): Promise<number> {
	const { output, profileFolder } = options;
	const { backup, problems } = await checkArchive(pathOf(profileFolder, file));
	const about = `${backup.name}: ${backup.files} files, ${megabytes(backup.bytes)}, made ${when(backup.madeAt)}`;
	output.result(
		{ backup, problems },
		problems.length > 0 ? problems.join('\n') : `${about}. Whole: every file and the database were checked.`,
	);
	noteLeftOut(output, backup);
	return problems.length > 0 ? EXIT.failed : EXIT.ok;
}

/** Needs no runtime either: it makes a profile that nobody has yet. */
export async function restoreBackup(
	options: { home: string; profileFolder: string; output: Output },
	file: string,
	into: string,
): Promise<number> {
	const { home, profileFolder, output } = options;
	const folder = await restoreProfile({ home, path: pathOf(profileFolder, file), profile: into });
	output.result({ profile: into, profileFolder: folder }, `Restored into the new profile “${into}”: ${folder}`);
	output.note(`Nothing in it runs by itself yet (tasks, looks, workflows): let it go on with hearth --profile ${into} work resume`);
	output.note(`Keys are never in a back-up: enter them again. Open it with: hearth --profile ${into} chat "…"`);
	return EXIT.ok;
}

/** A file of the owner's, or the name of one in the profile's own folder of back-ups. */
function pathOf(profileFolder: string, given: string): string {
	const own = join(profilePaths(profileFolder).backups, given);
	return !existsSync(given) && !given.includes('/') && existsSync(own) ? own : resolve(given);
}

function noteLeftOut(output: Output, { leftOut }: BackupInfo): void {
	if (leftOut.length === 0) return;
	output.note(`${leftOut.length} files are not in it:`);
	for (const { path, why } of leftOut.slice(0, 20)) output.note(`  ${path}: ${why}`);
	if (leftOut.length > 20) output.note(`  … and ${leftOut.length - 20} more.`);
}

function megabytes(bytes: number): string {
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
