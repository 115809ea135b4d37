import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { MemoryPath } from '../../src/domain/memory.ts';
import { type RunningApp, startApp, temporaryHome } from '../support/apps.ts';
import type { Life } from '../support/crash/forget.ts';
import { programOf } from '../support/program.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/crash/forget.ts', import.meta.url)));
const SECRET = 'The locker at the station opens with 4711-Rosebud';

function newHome(): string {
	const { home, remove } = temporaryHome();
	onTestFinished(remove);
	return home;
}

/** Whether it was killed. */
async function live(life: Life): Promise<boolean> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(life)], { stdio: ['ignore', 'ignore', 'inherit'] });
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	if (signal === null) expect(code).toBe(0);
	return signal === 'SIGKILL';
}

function filesHolding(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
		const file = join(folder, name);
		return statSync(file).isFile() && readFileSync(file).toString('latin1').includes('Rosebud');
	});
}

const texts = async ({ rpc }: RunningApp) => (await rpc.memory.entries({ limit: 100 })).entries.map(({ text }) => text);

/** Lives that die at these places, two at a time, each on a copy of the same profile; gives how many really died there. */
async function killAll(
	home: string,
	places: readonly [CrashPointName, number][],
	more: Pick<Life, 'forget'>,
	check: (app: RunningApp, place: string) => Promise<void>,
): Promise<Set<CrashPointName>> {
	const reached = new Set<CrashPointName>();
	const one = async ([point, nth]: [CrashPointName, number]): Promise<void> => {
		const copy = newHome();
		cpSync(home, copy, { recursive: true });
		if (await live({ home: copy, point, nth, ...more })) reached.add(point);
		const app = await startApp(copy);
		try {
			await check(app, `${point} ${nth}`);
		} finally {
			await app.close();
		}
	};
	for (let index = 0; index < places.length; index += 2) await Promise.all(places.slice(index, index + 2).map(one));
	return reached;
}

test('M4 R1 forget, killed anywhere: not begun, or ended by the next start, and no file holds the text', async () => {
	const home = newHome();
	const app = await startApp(home);
	await app.rpc.memory.chooseEmbedding({ kind: 'off' });
	for (const text of [SECRET, 'Ada likes tea.'])
		await app.rpc.memory.add({ text, file: MemoryPath.parse('MEMORY.md'), requestId: crypto.randomUUID() });
	const { id: sessionId } = await app.rpc.sessions.create({});
	await app.rpc.sessions.saveDraft({ sessionId, text: SECRET, attachmentIds: [] });
	await app.rpc.chat.attach({ sessionId, name: 'a.txt', mime: '', content: Buffer.from(SECRET).toString('base64') });
	// Its prompt lies in blobs/, with what was recalled into it.
	const { messageId } = await app.rpc.chat.send({
		sessionId,
		text: 'What opens the locker?',
		attachmentIds: [],
		requestId: crypto.randomUUID(),
	});
	await expect
		.poll(async () => (await app.rpc.sessions.messages({ sessionId })).messages.find(({ id }) => id === messageId)?.status, {
			timeout: 20_000,
		})
		.toBe('complete');
	expect(filesHolding(app.profileFolder).some((name) => name.startsWith('blobs/'))).toBe(true);
	await app.rpc.backup.create();
	const entry = (await app.rpc.memory.entries({ limit: 100 })).entries.find(({ text }) => text === SECRET);
	if (!entry) throw new Error('no entry');
	await app.close();
	appendFileSync(join(app.profileFolder, 'logs/hearth-2026-11-28.log'), SECRET);

	const nths = (point: CrashPointName, ...numbers: number[]) => numbers.map((nth): [CrashPointName, number] => [point, nth]);
	const places = [
		...nths('memory.intended', 1),
		...nths('file.written', 1, 2, 3),
		...nths('memory.written', 1),
		...nths('memory.done', 1),
		...nths('memory.indexed', 1),
		...nths('forget.scrubbed', 1),
		...nths('transaction.open', 1, 2, 4),
		...nths('transaction.committed', 1, 2, 3, 5, 8, 12),
	];
	const forget = { entryId: entry.id, baseHash: entry.hash };
	const reached = await killAll(home, places, { forget }, async (next, place) => {
		const begun = !(await texts(next)).includes(SECRET);
		if (begun) {
			await expect.poll(() => filesHolding(next.profileFolder), { timeout: 20_000, message: place }).toEqual([]);
			expect(await texts(next), place).toEqual(['Ada likes tea.']);
		} else {
			expect(place).toMatch(/transaction\.(open|committed) 1$/);
		}
		expect((await next.rpc.memory.verify()).problems, place).toEqual([]);
	});
	expect([...reached].toSorted()).toEqual([...new Set(places.map(([point]) => point))].toSorted());
});

test('M3 mem-1 an edit from outside, killed while it is taken in: it is the owner’s, once, and can be found', async () => {
	const home = newHome();
	const app = await startApp(home);
	await app.rpc.memory.chooseEmbedding({ kind: 'off' });
	for (const text of ['The boiler is from 2019.', 'Ada likes tea.'])
		await app.rpc.memory.add({ text, file: MemoryPath.parse('MEMORY.md'), requestId: crypto.randomUUID() });
	await app.close();
	writeFileSync(join(app.profileFolder, 'MEMORY.md'), '- The boiler is from 2021.\n- Ada likes tea.\n- Her bike is red.\n');
	const places: [CrashPointName, number][] = [
		['transaction.open', 1],
		['transaction.committed', 1],
		['memory.reconciled', 1],
		['memory.indexed', 1],
	];
	const reached = await killAll(home, places, {}, async (next, place) => {
		const { rpc } = next;
		await expect.poll(() => texts(next), { timeout: 20_000 }).toEqual(['The boiler is from 2021.', 'Ada likes tea.', 'Her bike is red.']);
		expect((await rpc.memory.verify()).problems, place).toEqual([]);
		const { entries } = await rpc.memory.entries({ limit: 100 });
		expect(
			entries.map(({ provenance }) => provenance.author),
			place,
		).toEqual(['file_edit', 'owner', 'file_edit']);
		expect(await rpc.memory.history({ file: MemoryPath.parse('MEMORY.md') }), place).toHaveLength(4);
		await expect
			.poll(async () => (await rpc.memory.search({ query: 'red bike' })).hits.map(({ entry }) => entry.text), { timeout: 20_000 })
			.toContain('Her bike is red.');
	});
	expect(reached.size).toBe(places.length);
});
