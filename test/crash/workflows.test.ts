import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { newId } from '../../src/base/ids.ts';
import type { WorkflowInstance } from '../../src/domain/workflow.ts';
import { temporaryHome } from '../support/apps.ts';
import { liveOnce } from '../support/dying.ts';
import { calls, type RecordedRequest, type Reply, says, startModelServer } from '../support/model-server/index.ts';
import { programOf } from '../support/program.ts';
import { seeded } from '../support/run/stage.ts';
import { some, stride } from '../support/thorough.ts';
import type { WorkflowLifeOptions } from '../support/workflow-life.ts';
import { NOON, prepareProfile } from '../support/workflows.ts';

const SCRIPT = programOf(fileURLToPath(new URL('../support/workflow-life.ts', import.meta.url)));

interface Said {
	instance: WorkflowInstance;
	statuses: string[];
	timers: number;
}

const life = (options: WorkflowLifeOptions) => liveOnce<Said>(SCRIPT, options);

interface Scene extends Pick<WorkflowLifeOptions, 'name' | 'data' | 'answers' | 'signals'> {
	/** Decided by what the request holds alone: the model may be asked any number of times. */
	model?: (request: RecordedRequest) => Reply;
	files?: Record<string, string>;
	moves: string[];
	/** What workspace/ holds at the end. */
	written: Record<string, string>;
}

const ONBOARDING: Scene = {
	name: 'onboarding',
	data: { name: 'Ada', email: 'a@example.org', starts_on: 'May' },
	answers: { 'Please send it': 'It is sent', reminder: 'They are here', accounts: 'The accounts work', 'hand it over': 'Handed over' },
	// The documents never come by themselves: time decides.
	signals: { hardware_delivered: 'parcel 7' },
	moves: [
		'START',
		'LETTER_READY',
		'WELCOME_SENT',
		'REMIND_DOCUMENTS',
		'DOCUMENTS_SIGNED',
		'IT_PROVISIONED',
		'HARDWARE_DELIVERED',
		'FILE_AWAY',
		'COMPLETED',
	],
	written: { 'onboarding/Ada/done.md': '- Reminders: 1\n- Parcel: parcel 7\n' },
};

interface Body {
	messages: { role: string; content?: unknown }[];
}

/** Results of tools in the turn under way, and its task. */
function turn(request: RecordedRequest): { task: string; results: number } {
	const { messages } = request.body as Body;
	const last = messages.findLastIndex(({ role }) => role === 'user');
	return {
		task: JSON.stringify(messages[last]?.content ?? ''),
		results: messages.slice(last).filter(({ role }) => role === 'tool').length,
	};
}

const move = (to: string, data: Record<string, unknown> = {}) => calls('workflow_move', { to, data });

const READING: Scene = {
	name: 'read-document',
	data: { document: 'book.md' },
	answers: {},
	files: { 'book.md': '# One\na\n# Two\nb\n' },
	model: (request) => {
		const { task, results } = turn(request);
		const chapter = task.includes('“Chapter 2”') ? 2 : 1;
		const summing = task.includes('In short');
		const note = { path: 'notes.md', content: summing ? 'In short\n' : `Chapter ${chapter}\n`, mode: 'append' };
		if (results === 0) return calls('write_file', note);
		if (results > 1) return says('Done.');
		return summing ? move('READ') : move(chapter === 2 ? 'SUM_UP' : 'NEXT_DAY', { line: chapter * 2 + 1 });
	},
	moves: ['READ_CHAPTER', 'NEXT_DAY', 'READ_CHAPTER', 'SUM_UP', 'READ'],
	written: { 'notes.md': 'Chapter 1\nChapter 2\nIn short\n' },
};

const DISPUTE: Scene = {
	name: 'invoice-dispute',
	data: { invoice: 'invoice.txt', order: 'order.txt', supplier: 'Bolts' },
	answers: { 'The letter is in': 'It is sent' },
	signals: { supplier_answered: { text: 'Sorry.' } },
	files: { 'invoice.txt': '12 bolts', 'order.txt': '10 bolts' },
	model: (request) => {
		const { task, results } = turn(request);
		if (task.includes('Compare them'))
			return results === 0 ? move('DRAFT', { total: 12, difference: 2, reason: 'two too many' }) : says('Compared.');
		if (task.includes('Sorry.')) return results === 0 ? move('RESOLVED', { verdict: 'corrected' }) : says('Read.');
		if (results === 0) return calls('write_file', { path: 'disputes/Bolts.md', content: 'Two too many.\n', mode: 'append' });
		return results === 1 ? move('CHECK_LETTER') : says('Drafted.');
	},
	moves: ['COMPARE', 'DRAFT', 'CHECK_LETTER', 'WAIT_FOR_ANSWER', 'READ_ANSWER', 'RESOLVED'],
	written: { 'disputes/Bolts.md': 'Two too many.\n' },
};

async function stage({ model, files = {}, moves, written, ...scene }: Scene) {
	const { profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const server = model && (await startModelServer());
	if (server) onTestFinished(() => server.close());
	if (model) server?.script(model);
	prepareProfile(profileFolder, server?.openaiUrl);
	const workspace = join(profileFolder, 'workspace');
	mkdirSync(workspace, { recursive: true });
	for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
	const options: WorkflowLifeOptions = { ...scene, profileFolder, requestId: newId<string>(), at: NOON };
	return {
		life: (more: Pick<WorkflowLifeOptions, 'die' | 'dieAfterMs'> = {}) => life({ ...options, ...more }),
		/** What must hold in the end, however often the process died on the way. */
		check: (said: Said | undefined) => {
			expect(said?.instance.error).toBeUndefined();
			expect(said?.instance.status).toBe('done');
			expect(said?.instance.history.map(({ to }) => to)).toEqual(moves);
			// Each state began one run; one that was left by its time-out is stopped.
			expect(said?.statuses).toHaveLength(moves.length - 1);
			expect(said?.statuses.every((status) => status === 'done' || status === 'stopped')).toBe(true);
			expect(said?.timers).toBe(0);
			for (const [name, text] of Object.entries(written)) expect(readFileSync(join(workspace, name), 'utf8')).toContain(text);
			for (const name of ['notes.md', 'disputes/Bolts.md'])
				if (name in written) expect(readFileSync(join(workspace, name), 'utf8')).toBe(written[name]);
		},
	};
}

/** Life after life on one profile, until one comes to its end; which must be the right one, and not the first. */
async function killedLaterEachTime(scene: Scene, at: CrashPointName, every: number): Promise<void> {
	const on = await stage(scene);
	for (let nth = 1; ; nth += every) {
		const { signal, said } = await on.life({ die: { at, nth } });
		if (signal !== null) continue;
		on.check(said);
		expect(nth, 'kills').toBeGreaterThan(1);
		return;
	}
}

const POINTS: { at: CrashPointName; every: number }[] = [
	{ at: 'workflow.moved', every: stride(2) },
	{ at: 'workflow.began', every: stride(1) },
	{ at: 'workflow.ended', every: stride(1) },
	{ at: 'wait.ended', every: 1 },
	{ at: 'timer.told', every: 1 },
	{ at: 'transaction.committed', every: stride(15) },
];

test.each(some(POINTS, ({ at }) => ['workflow.moved', 'timer.told', 'transaction.committed'].includes(at)))(
	'R1 R3 onboarding killed at $at, later in each life: every state is entered once, with one run, in order',
	async ({ at, every }) => {
		await killedLaterEachTime(ONBOARDING, at, every);
	},
);

const WITH_MODEL: { scene: Scene; at: CrashPointName; every: number }[] = [
	{ scene: READING, at: 'workflow.moved', every: stride(5) },
	{ scene: READING, at: 'effect.done', every: stride(2) },
	{ scene: DISPUTE, at: 'workflow.began', every: stride(1) },
	{ scene: DISPUTE, at: 'journal.appended', every: stride(14) },
];

test.each(some(WITH_MODEL, ({ at }) => ['effect.done', 'workflow.began'].includes(at)))(
	'R1 R2 $scene.name killed at $at: no chapter is read twice, no letter is written twice',
	async ({ scene, at, every }) => {
		await killedLaterEachTime(scene, at, every);
	},
);

test('R1 R2 R3 all three killed at random times: they end as if nothing had happened', async () => {
	const random = seeded();
	for (const scene of [ONBOARDING, READING, DISPUTE]) {
		const on = await stage(scene);
		// Not three: a step that a process died at three times in a row is not tried again by itself.
		for (let lives = 0; lives < 2; lives += 1) {
			const { signal, said } = await on.life({ dieAfterMs: 250 + random() * 900 });
			if (signal === null) on.check(said);
		}
		on.check((await on.life()).said);
	}
});
