import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TaskDraft } from '../../../src/domain/task.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { scheduled } from '../../support/task-lives.ts';

const SECRET = 'locker 4711-Rosebud';
const ZONE = 'Pacific/Chatham';

/** Files of the profile that hold it. */
function filesWith(folder: string, text: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => statSync(join(folder, name)).isFile())
		.filter((name) => readFileSync(join(folder, name)).toString('latin1').includes(text));
}

test('M4 what is forgotten goes out of tasks and their history, too; a task that can’t be read without it has ended', async () => {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	mkdirSync(profileFolder, { recursive: true });
	writeFileSync(join(profileFolder, 'MEMORY.md'), `# Notes\n\n- ${SECRET}\n- ${ZONE}\n`);
	const { rpc, close } = await startApp(home);
	onTestFinished(close);
	const add = async (draft: unknown) => {
		const { draft: shown, shownHash } = await rpc.tasks.preview({ draft: TaskDraft.parse(draft) });
		return rpc.tasks.add({ draft: shown, shownHash, requestId: randomUUID() });
	};
	const daily = scheduled({ kind: 'cron', expression: '0 9 * * *' }) as object;
	const text = `Remember the ${SECRET}.`;
	const locker = await add({ ...daily, title: `The ${SECRET}`, work: { kind: 'reminder', text }, sentence: `every day at 9: ${text}` });
	const far = await add(scheduled({ kind: 'cron', expression: '0 9 * * *', zone: ZONE }));
	await rpc.tasks.run({ taskId: locker.id });
	for (const said of [SECRET, ZONE]) {
		const { entries } = await rpc.memory.entries({});
		const entry = entries.find((each) => each.text === said);
		if (!entry) throw new Error('no entry');
		await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
		expect(filesWith(profileFolder, said)).toEqual([]);
	}
	const { tasks } = await rpc.tasks.list();
	const shown = (id: string) => tasks.find((task) => task.id === id);
	expect(shown(locker.id)).toMatchObject({ state: 'scheduled', draft: { work: { text: 'Remember the [forgotten].' } } });
	expect(shown(far.id)).toMatchObject({ state: 'ended', draft: { title: '[forgotten]', work: { kind: 'reminder' } } });
	expect((await rpc.tasks.history({ taskId: locker.id })).occurrences).toHaveLength(1);
});
