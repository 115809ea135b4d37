import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../src/db/driver.ts';
import { migrate } from '../src/db/migrate.ts';
import { migrations } from '../src/db/migrations/index.ts';
import type { RunId } from '../src/domain/ids.ts';
import type { RunningApp } from '../test/support/apps.ts';

/**
 * What Hearth does beside a run's steps, each so that it can be asked for again after a kill: memory by hand and from outside, a proposal, an
 * index, a restore and its undo, a fork, a workflow, a file that goes, and forgetting. They pass the crash points that a run does not.
 */

export const CHORE_TEXT = 'Keep what the file says, and clear up.';
const OUTSIDE = '- A line that somebody wrote in an editor.';
const FORGOTTEN = 'The parcel is behind the shed.';
/** A profile of schema 2: the start has to migrate it. */
const OLD_SCHEMA = 2;

const WORKFLOW = `title: Chore
start: LOOK
states:
  LOOK:
    tool: {name: test_pure, args: {value: workflow}}
    transitions: [{to: WAIT}]
  WAIT:
    event: go
    transitions: [{to: DONE}]
  DONE: {final: true}
`;

export function prepareOldProfile(home: string): void {
	const folder = join(home, 'profiles', 'default');
	mkdirSync(join(folder, 'workflows'), { recursive: true });
	writeFileSync(join(folder, 'workflows', 'chore.yaml'), WORKFLOW);
	const db = connect(join(folder, 'state.db'));
	db.pragma('journal_mode = WAL');
	migrate(db, migrations.slice(0, OLD_SCHEMA));
	db.close();
}

/** `id`: a request id of each chore's own, the same in each life. Resolves when all of them are done. */
export async function doChores({ rpc, profileFolder }: RunningApp, runId: RunId, id: (chore: number) => string): Promise<void> {
	await rpc.memory.add({ text: FORGOTTEN, file: 'MEMORY.md', requestId: id(1) });
	const file = join(profileFolder, 'MEMORY.md');
	if (!readFileSync(file, 'utf8').includes(OUTSIDE)) appendFileSync(file, `\n${OUTSIDE}\n`);
	const entries = async () => (await rpc.memory.entries({ limit: 1000 })).entries;
	await until(async () => (await entries()).some(({ text }) => text.includes('in an editor')));
	await rpc.memory.reindex();
	await until(async () => (await rpc.memory.files()).index.state === 'ready');

	const { id: sessionId } = await rpc.sessions.create({});
	const content = Buffer.from('The key is under the mat.').toString('base64');
	const attached = await rpc.chat.attach({ sessionId, name: 'letter.txt', mime: 'text/plain', content });
	const kept = await rpc.chat.send({ sessionId, requestId: id(Date.now()), text: CHORE_TEXT, attachmentIds: [attached.id] });
	await over(rpc, kept.runId);
	for (const { id: proposalId, shownHash } of (await rpc.inbox.list({})).proposals) await rpc.inbox.approve({ proposalId, shownHash });

	const restored = await rpc.runs.restore({ runId, step: 3, chat: true, files: 'safe', memory: true, requestId: id(2) });
	if (restored.undoneAt === undefined) await rpc.runs.undoRestore({ restoreId: restored.id });
	const forked = await rpc.runs.fork({ runId, step: 19, requestId: id(3) });
	await over(rpc, forked.runId);

	const { id: instanceId } = await rpc.workflows.start({ name: 'chore', requestId: id(4), data: {} });
	const status = async () => (await rpc.workflows.instance({ instanceId })).status;
	await until(async () => ['sleeping', 'done'].includes(await status()));
	if ((await status()) !== 'done') await rpc.workflows.signal({ instanceId, name: 'go', payload: null });
	await until(async () => (await status()) === 'done');

	const secret = (await entries()).find(({ text }) => text.includes(FORGOTTEN));
	if (secret) await rpc.memory.forget({ entryId: secret.id, baseHash: secret.hash });
	const { problems } = await rpc.memory.verify();
	if (problems.length > 0) throw new Error(`memory is not whole: ${JSON.stringify(problems)}`);
}

/** What read the letter asks before it writes: the owner says yes for all of this run. */
async function over(rpc: RunningApp['rpc'], runId: RunId): Promise<void> {
	await until(async () => {
		for (const { id: interruptId, shownHash, detail } of await rpc.chat.interrupts({})) {
			const offer = detail.kind === 'approval' ? detail.offers.findIndex(({ reach }) => reach === 'run') : -1;
			if (offer >= 0) await rpc.chat.answer({ interruptId, shownHash, answer: { type: 'approve', offer } });
		}
		return ['done', 'failed', 'stopped'].includes((await rpc.runs.get({ runId })).run.status);
	});
}

async function until(condition: () => Promise<boolean>): Promise<void> {
	while (!(await condition())) await sleep(5);
}
