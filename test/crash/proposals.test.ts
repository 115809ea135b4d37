import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Life } from '../support/approvals/main.ts';
import { temporaryHome } from '../support/apps.ts';
import { append, openParts, RUN, toHold } from '../support/memory-parts.ts';
import { programOf } from '../support/program.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/approvals/main.ts', import.meta.url)));
const TUESDAYS = 'The bin is emptied on Tuesdays.';
/** From the owner's yes on: before memory knows, with an intent, with the file written, with the ledger written. */
const PLACES: CrashPointName[] = ['proposal.approved', 'memory.intended', 'file.written', 'memory.written', 'memory.done'];

interface Prepared {
	readonly home: string;
	readonly folder: string;
}

function newProfile(): Prepared {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	return { home, folder: profileFolder };
}

/** One life in this process, closed in the end. */
async function inOneLife<T>(folder: string, work: (parts: Awaited<ReturnType<typeof openParts>>) => Promise<T> | T): Promise<T> {
	const parts = await openParts(folder);
	try {
		return await work(parts);
	} finally {
		await parts.close();
		parts.db.close();
	}
}

async function killed(life: Life): Promise<void> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(life)], { stdio: ['ignore', 'ignore', 'inherit'] });
	const [, signal] = (await once(child, 'close')) as [number | null, string | null];
	expect(signal).toBe('SIGKILL');
}

const textOf = (folder: string): string => (existsSync(join(folder, 'MEMORY.md')) ? readFileSync(join(folder, 'MEMORY.md'), 'utf8') : '');

test.each(PLACES)(
	'R1 B3 killed at %s after the owner’s yes: the next start writes it exactly once, with who approved what',
	async (dieAt) => {
		const { home, folder } = newProfile();
		const { proposalId, shownHash } = await inOneLife(folder, ({ proposals }) => {
			const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS)));
			return { proposalId, shownHash: proposals.decisions.get(proposalId).shownHash };
		});
		await killed({ home, proposalId, act: 'approve', dieAt });
		await inOneLife(folder, ({ proposals, entry }) => {
			expect(proposals.decisions.get(proposalId)).toMatchObject({ status: 'approved', receipt: { outcome: 'written' } });
			expect(entry(TUESDAYS).provenance).toMatchObject({
				author: 'agent',
				label: 'approved',
				origin: 'external',
				approval: { shownHash, proposalId },
			});
		});
		expect(textOf(folder)).toBe(`- ${TUESDAYS}\n`);
		// Nor once more by a start after that.
		await inOneLife(folder, ({ proposals }) => expect(proposals.decisions.counts().proposals).toBe(0));
		expect(textOf(folder)).toBe(`- ${TUESDAYS}\n`);
	},
);

test.each<CrashPointName>(['memory.intended', 'memory.written', 'memory.done'])(
	'R1 M4 killed at %s while a decision is taken back: the next start takes it back, and it waits again',
	async (dieAt) => {
		const { home, folder } = newProfile();
		const proposalId = await inOneLife(folder, async ({ proposals }) => {
			const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS)));
			await proposals.decisions.approve(proposalId, proposals.decisions.get(proposalId).shownHash, undefined);
			return proposalId;
		});
		await killed({ home, proposalId, act: 'undo', dieAt });
		await inOneLife(folder, async ({ proposals }) => {
			const waiting = proposals.decisions.get(proposalId);
			expect(waiting).toMatchObject({ status: 'pending', stale: false });
			expect(textOf(folder)).not.toContain(TUESDAYS);
			await proposals.decisions.approve(proposalId, waiting.shownHash, undefined);
		});
		expect(textOf(folder).split(TUESDAYS)).toHaveLength(2);
	},
);

test('R1 bg-2 killed while a program’s text is put back: the next start puts it back', async () => {
	const { home, folder } = newProfile();
	const proposalId: ProposalId = await inOneLife(folder, async ({ memory, proposals }) => {
		writeFileSync(join(folder, 'MEMORY.md'), '- Tea, not coffee.\n');
		await memory.reconcile();
		await memory.watchProgram(RUN, 'shell', async () => writeFileSync(join(folder, 'MEMORY.md'), '- Coffee, not tea.\n'));
		const [drift] = proposals.decisions.list('pending', 10);
		if (!drift) throw new Error('nothing waits');
		return drift.id;
	});
	await killed({ home, proposalId, act: 'reject', dieAt: 'memory.intended' });
	await inOneLife(folder, ({ proposals }) => expect(proposals.decisions.get(proposalId).status).toBe('rejected'));
	expect(textOf(folder)).toBe('- Tea, not coffee.\n');
});
