import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import type { Life } from '../support/approvals/main.ts';
import { startApp } from '../support/apps.ts';
import { calls, says } from '../support/model-server/index.ts';
import { programOf } from '../support/program.ts';
import { memoryApp } from '../support/run/memory-app.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/approvals/main.ts', import.meta.url)));
const SKILL = { name: 'weekly-report', description: 'How to write it.', text: '1. List what was done.', reason: 'Each week.' };

/** A proposed skill; approved where an undo is to come. */
async function proposed(approved: boolean) {
	const app = await memoryApp({ replies: [calls('skill_write', SKILL), says('Proposed.')] });
	await app.turn('Make a skill of it.');
	const [proposal] = (await app.rpc.inbox.list({})).proposals;
	if (!proposal) throw new Error('nothing waits');
	if (approved) await app.rpc.inbox.approve({ proposalId: proposal.id, shownHash: proposal.shownHash });
	await app.close();
	const home = dirname(dirname(app.profileFolder));
	return { home, proposalId: proposal.id, file: join(app.profileFolder, 'skills', SKILL.name, 'SKILL.md') };
}

async function killed(life: Life): Promise<void> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(life)], { stdio: ['ignore', 'ignore', 'inherit'] });
	const [, signal] = (await once(child, 'close')) as [number | null, string | null];
	expect(signal).toBe('SIGKILL');
}

test.each<CrashPointName>(['skill.intended', 'skill.written', 'skill.done'])(
	'R1 B3 killed at %s after the owner’s yes to a skill: the next start has it written once, and only then it counts',
	async (dieAt) => {
		const { home, proposalId, file } = await proposed(false);
		await killed({ home, proposalId, act: 'approve', dieAt });
		const app = await startApp(home);
		await expect.poll(async () => (await app.rpc.inbox.get({ proposalId })).receipt?.outcome, { timeout: 10_000 }).toBe('skill');
		expect(readFileSync(file, 'utf8')).toContain(SKILL.text);
		expect((await app.rpc.skills.list()).skills).toMatchObject([{ name: SKILL.name, state: 'usable', label: 'approved' }]);
		expect((await app.rpc.inbox.list({})).proposals).toEqual([]);
		await app.close();
	},
);

test('R1 M4 killed while a skill is taken back: the next start takes it back, and it waits again', async () => {
	const { home, proposalId, file } = await proposed(true);
	await killed({ home, proposalId, act: 'undo', dieAt: 'skill.written' });
	const app = await startApp(home);
	await expect.poll(async () => (await app.rpc.inbox.get({ proposalId })).status, { timeout: 10_000 }).toBe('pending');
	expect(existsSync(file)).toBe(false);
	expect((await app.rpc.skills.list()).skills).toEqual([]);
	await app.close();
});
