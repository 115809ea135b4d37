import { isAbsolute } from 'node:path';
import { emptyProposals, proposalsBehind, wordsBehind } from '../../approvals/forgotten-store.ts';
import type { Clock } from '../../base/clock.ts';
import type { ContentFiles } from '../../base/content-files.ts';
import { crashPoint } from '../../base/crash-point.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Announce } from '../../contract/announce.ts';
import type { ForgetReport } from '../../contract/methods/memory.ts';
import type { WriteDb } from '../../db/brands.ts';
import { createNeedle, type Needle } from '../../db/needle.ts';
import type { StateDb } from '../../db/open.ts';
import { findText, isIn, type TextPlace } from '../../db/scrub.ts';
import { terminal } from '../../domain/errors.ts';
import type { ChangeId, EntryId, MemoryPath, Provenance } from '../../domain/memory.ts';
import type { WriteGrant } from '../../domain/write-grant.ts';
import { forgetDetails } from '../../firewall/audit-forget.ts';
import { detailedOf, rulesInUse } from '../../firewall/audit-store.ts';
import type { AuditLog } from '../../firewall/ports.ts';
import { placeNames } from '../../heartbeat/trace-store.ts';
import { entriesOf } from '../../memory/entries.ts';
import { filesHolding, forgottenIn } from '../../memory/forget-files.ts';
import {
	emptyEntries,
	entriesSaying,
	type ForgetJob,
	finishForgetJob,
	forgetJobRowid,
	insertForgetJob,
	openForgetJobs,
	textsOf,
	withoutWords,
} from '../../memory/forget-store.ts';
import { entryHash } from '../../memory/identity.ts';
import type { OpenMemory } from '../../memory/memory.ts';
import { skillNames } from '../../tools/skills/skill-store.ts';
import type { ProfileBackups } from '../backup/profile-backups.ts';
import type { ForgetActions } from '../handlers/memory.ts';
import type { ProfilePaths } from '../profile-folder.ts';
import { announceScrubbed } from './announce.ts';
import { isChained } from './audit.ts';
import { forgetNotes, workspacePaths } from './blobs.ts';
import { leaveNothing, scrubStateDb } from './databases.ts';
import { countPlaces } from './places.ts';
import { busy, stillThere } from './problems.ts';
import { keptBy, keptElsewhere, purgeFiles, type Scan, scanProfile, sweepUnpacked } from './purge.ts';
import { scopeOf } from './scope.ts';

export interface ForgettingDeps {
	readonly db: StateDb;
	readonly paths: ProfilePaths;
	readonly memory: OpenMemory;
	readonly attachments: ContentFiles;
	readonly blobs: ContentFiles;
	readonly archives: Pick<ProfileBackups, 'create' | 'remove'>;
	/** Whether a reply is being made: it may hold the text where no scan sees it, and write it down again. */
	readonly isReplying: () => boolean;
	readonly audit: Pick<AuditLog, 'append'>;
	readonly announce: Announce;
	readonly clock: Clock;
	readonly logger: Logger;
}

export interface Forgetting extends ForgetActions {
	/** Ends what the owner began and a crash cut off. Never rejects; what can't be ended is tried again. */
	resume(grant: WriteGrant): Promise<void>;
	/** Waits for one under way. */
	close(): Promise<void>;
}

/** How often files are looked through again, because the text came back meanwhile. */
const ROUNDS = 3;
const AGAIN_MS = 2_000;

/**
 * *Forget* (M4): a text leaves the memory files, the ledger, chats, journals, proposals, attachments, the index, logs and back-ups, and
 * a scan of every file of the profile proves it. Written down first with the text, which goes last: killed anywhere, it is ended at the
 * next start.
 */
export function createForgetting(deps: ForgettingDeps): Forgetting {
	const { db, paths, memory, clock, logger } = deps;
	const sequencer = new Sequencer();
	let again: NodeJS.Timeout | undefined;
	let closed = false;

	/** Throws `not_found` where there is no such entry, or nothing left of it. */
	function jobFor(entryId: EntryId): ForgetJob {
		const { text, hash } = memory.entry(entryId);
		if (text === '') throw terminal('not_found', 'That entry was forgotten already.', { safe: 'Nothing was changed.' });
		const scope = scopeOf(text);
		const before = scope === 'everywhere' ? formerTexts(text, entryId) : [];
		const texts = [text, ...before];
		const hashes = [...new Set([hash, ...texts.map(entryHash)])];
		const entryIds = [...new Set([entryId, ...entriesSaying(db.read, hashes).map(({ id }) => id)])];
		// A finding rests on others' words for the same.
		const behind = scope === 'everywhere' ? wordsBehind(db.read, entryIds) : [];
		return { id: newId<ChangeId>(), texts: [...new Set([...texts, ...behind])], hashes, entryIds, scope, at: clock.now() };
	}

	/** What the entry said before counts too, but not where another entry says just that today, nor where it would be found in everything. */
	function formerTexts(text: string, entryId: EntryId): string[] {
		return textsOf(db.read, [entryId]).filter(
			(former) =>
				former !== text &&
				scopeOf(former) === 'everywhere' &&
				!entriesSaying(db.read, [entryHash(former)]).some(({ id, live }) => live && id !== entryId),
		);
	}

	const needleOf = ({ texts, hashes }: ForgetJob): Needle =>
		createNeedle(
			[...texts, ...hashes, ...texts.map(sha256)],
			[
				...memory.files().map(({ path }) => path),
				...workspacePaths(db),
				...skillNames(db.read),
				...rulesInUse(db.read),
				...placeNames(db.read),
			],
		);
	const holdsExactly =
		({ hashes }: ForgetJob) =>
		(text: string) =>
			entriesOf(text).some(({ hash }) => hashes.includes(hash));
	const holdsIn = (job: ForgetJob, needle: Needle) => (job.scope === 'everywhere' ? needle.holds : holdsExactly(job));

	async function preview(entryId: EntryId): Promise<ForgetReport> {
		await memory.reconcile();
		const job = jobFor(entryId);
		const needle = needleOf(job);
		const files = await filesHolding(paths.folder, job, needle);
		if (job.scope === 'entry') return reportOf(job, files, [], { scanned: files.length, holding: [] }, needle);
		const [stored, scan] = [await findText(db.read, needle, isChained), await scanProfile(deps, needle)];
		return reportOf(job, files, stored, scan, needle);
	}

	/** Files of the owner's, and files whose very name holds it. */
	async function kept(job: ForgetJob, scan: Scan, needle: Needle): Promise<ForgetReport['kept']> {
		const anywhere = createNeedle(job.texts);
		const names = [
			...memory.files().map(({ path }) => path),
			...workspacePaths(db).map((path) => (isAbsolute(path) ? path : `workspace/${path}`)),
			...skillNames(db.read).map((name) => `skills/${name}/SKILL.md`),
		];
		const named = names.filter((path) => job.scope === 'everywhere' && anywhere.holds(path));
		// What Hearth wrote in granted folders is no file of the profile.
		const written = job.scope === 'everywhere' ? workspacePaths(db).filter((path) => isAbsolute(path)) : [];
		const kept = [...(await keptBy(scan, needle)), ...(await keptElsewhere(written, needle))];
		return [...kept, ...named.map((path) => ({ path, line: 1 }))];
	}

	async function reportOf(
		job: ForgetJob,
		files: readonly { count: number }[],
		stored: readonly TextPlace[],
		scan: Scan,
		needle: Needle,
	): Promise<ForgetReport> {
		return { places: countPlaces(files, stored, scan), kept: await kept(job, scan, needle), scannedFiles: scan.scanned, scope: job.scope };
	}

	async function forget(grant: WriteGrant, entryId: EntryId, baseHash: string): Promise<ForgetReport> {
		return sequencer.run('forget', async () => {
			// The owner's last edits are known first; it waits until memory is ready.
			await memory.reconcile();
			const job = jobFor(entryId);
			if (memory.entry(entryId).hash !== baseHash)
				throw terminal('stale', 'That entry was changed meanwhile.', {
					safe: 'Nothing was forgotten.',
					action: 'Look at it as it is now.',
				});
			if (deps.isReplying()) throw busy('Nothing was forgotten.');
			// What it was in is told by counting before it is gone.
			const before = await preview(entryId);
			db.write((tx) => insertForgetJob(tx, job, ownersWord(job.at)));
			const after = await carryOut(grant, job);
			return { ...before, ...after };
		});
	}

	/** Each step may be done again. Rejects with what hindered it; then the job stays, and is taken up again. */
	async function carryOut(grant: WriteGrant, job: ForgetJob): Promise<Pick<ForgetReport, 'scannedFiles' | 'kept'>> {
		try {
			const needle = needleOf(job);
			for (const { file } of await filesHolding(paths.folder, job, needle)) await forgetInFile(grant, job, needle, file);
			const done = job.scope === 'everywhere' ? await forgetEverywhere(grant, job, needle) : await forgetEntries(job, needle);
			logger.info('forgotten', { changeId: job.id, scope: job.scope, scannedFiles: done.scannedFiles });
			return done;
		} catch (error) {
			logger.warn('forgetting_not_ended', { changeId: job.id, error });
			tryAgainSoon(grant);
			throw error;
		}
	}

	function forgetInFile(grant: WriteGrant, job: ForgetJob, needle: Needle, file: MemoryPath): Promise<unknown> {
		const change = (text: string) => forgottenIn(text, job, needle);
		return memory.forgetInFile({ grant, key: `forget:${newId()}`, provenance: ownersWord(clock.now()), file, change });
	}

	/** Too short or too common to be looked for: what says exactly it goes, and nothing else. */
	async function forgetEntries(job: ForgetJob, needle: Needle): Promise<Pick<ForgetReport, 'scannedFiles' | 'kept'>> {
		const proposals = proposalsBehind(db.read, job.entryIds);
		db.write((tx) => {
			emptyEntries(tx, job.entryIds, holdsIn(job, needle));
			emptyProposals(tx, proposals, withoutWords);
			forgetDetails(tx, detailedOf(tx, [...job.hashes, ...job.texts.map(sha256)]), deps.audit.append);
			finishForgetJob(tx, job);
		});
		await leaveNothing(db);
		memory.index.purge(job.hashes);
		return { scannedFiles: memory.files().length, kept: [] };
	}

	async function forgetEverywhere(grant: WriteGrant, job: ForgetJob, needle: Needle): Promise<Pick<ForgetReport, 'scannedFiles' | 'kept'>> {
		const proposals = proposalsBehind(db.read, job.entryIds);
		const prepare = (tx: WriteDb) => {
			emptyEntries(tx, job.entryIds, holdsIn(job, needle));
			emptyProposals(tx, proposals, withoutWords);
			forgetNotes(tx, needle);
		};
		const row = forgetJobRowid(db.read, job.id);
		const isJob = (place: TextPlace) => isIn(place, 'memory_changes', row);
		const purge = {
			...deps,
			reindex: () => memory.reindex(),
			forgetInFile: async (file: MemoryPath) => void (await forgetInFile(grant, job, needle, file)),
		};
		const scrubbed = await scrubStateDb(db, needle, prepare, isJob, deps.audit.append);
		crashPoint('forget.scrubbed');
		announceScrubbed(deps, scrubbed ?? []);
		if (!scrubbed || deps.isReplying()) throw busy('Some of it is forgotten, the rest will be as soon as no reply is being made.');
		memory.index.purge(job.hashes);
		await sweepUnpacked(paths.backups);
		// state.db holds the job itself until all else is done.
		const lostBefore = await purgeUntilGone(purge, needle, prepare, ['state', 'owner']);
		await scrubStateDb(db, needle, prepare, isJob, deps.audit.append);
		db.write((tx) => finishForgetJob(tx, job));
		await leaveNothing(db);
		// A back-up that was being made meanwhile may hold the job.
		const lostSince = await purgeUntilGone(purge, needle, prepare, ['owner']);
		if (lostBefore || lostSince) await deps.archives.create();
		const scan = await scanProfile(deps, needle);
		const still = scan.holding.filter(({ part }) => part !== 'owner');
		if (still.length > 0) throw stillThere(still.map(({ path }) => path));
		return { scannedFiles: scan.scanned, kept: await kept(job, scan, needle) };
	}

	/** Whether archives were removed for it. Rejects where files still hold it after several rounds, and names them. */
	async function purgeUntilGone(
		purge: Parameters<typeof purgeFiles>[0],
		needle: Needle,
		prepare: (tx: WriteDb) => void,
		except: Parameters<typeof scanProfile>[2],
	): Promise<boolean> {
		let lostArchive = false;
		for (let round = 0; ; round++) {
			const scan = await scanProfile(deps, needle, except);
			if (scan.holding.length === 0) return lostArchive;
			if (round === ROUNDS) throw stillThere(scan.holding.map(({ path }) => path));
			if (await purgeFiles(purge, scan, needle, prepare)) lostArchive = true;
		}
	}

	async function resume(grant: WriteGrant): Promise<void> {
		clearTimeout(again);
		await sequencer.run('forget', async () => {
			for (const job of openForgetJobs(db.read)) {
				if (deps.isReplying()) {
					tryAgainSoon(grant);
					return;
				}
				await carryOut(grant, job);
			}
		});
	}

	function tryAgainSoon(grant: WriteGrant): void {
		clearTimeout(again);
		if (!closed) again = setTimeout(() => void resume(grant).catch(() => undefined), AGAIN_MS).unref();
	}

	return {
		preview,
		forget,
		resume: (grant) => resume(grant).catch((error: unknown) => logger.warn('forgetting_not_resumed', { error })),
		close: async () => {
			closed = true;
			clearTimeout(again);
			await sequencer.idle();
		},
	};
}

function ownersWord(at: number): Provenance {
	return { author: 'owner', label: 'owner', origin: 'owner', sources: [], at };
}
