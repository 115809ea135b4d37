import { describe, expect, test } from 'vitest';
import { instancePlace, parsePlace, runPlace, workflowPlace } from '../../../renderer/timeline/place.ts';
import { ALL_RUNS, fits, runRows, withRun } from '../../../renderer/timeline/run-rows.ts';
import { stepRows, totalsOf } from '../../../renderer/timeline/step-rows.ts';
import { duration, stateOf, stepMark } from '../../../renderer/timeline/words.ts';
import { flowOf, mermaidOf, typedValue, whereabouts } from '../../../renderer/timeline/workflow-view.ts';
import type { RunStep } from '../../../src/contract/methods/runs.ts';
import { createStrings } from '../../../src/contract/strings/index.ts';
import { MessageId, RunId, SessionId, WorkflowInstanceId } from '../../../src/domain/ids.ts';
import type { RunSummary } from '../../../src/domain/run.ts';
import type { WorkflowInstance } from '../../../src/domain/workflow.ts';

const say = createStrings();
const day = (date: number, hour: number): number => new Date(2026, 2, date, hour).getTime();

const run = (id: string, change: Partial<RunSummary> = {}): RunSummary => ({
	id: RunId.parse(id),
	kind: 'chat',
	title: id,
	sessionId: SessionId.parse('s'),
	messageId: MessageId.parse('m'),
	status: 'done',
	step: 3,
	createdAt: day(10, 9),
	updatedAt: day(10, 9),
	...change,
});
const ids = (runs: readonly RunSummary[]): string[] => runs.map(({ id }) => id);

const step = (number: number, change: Partial<RunStep> = {}): RunStep => ({
	step: number,
	kind: 'tool',
	title: `Step ${number}`,
	status: 'done',
	tries: 1,
	checkpoint: true,
	...change,
});

describe('the list of runs', () => {
	test('stands under its days, by the owner’s own calendar', () => {
		const runs = [
			run('c', { createdAt: day(10, 0) }),
			run('b', { createdAt: day(9, 23) }),
			run('a', { createdAt: day(8, 12) }),
			run('z', { createdAt: day(8, 1) }),
		];
		const names = runRows(runs, day(10, 15)).map((row) => (row.kind === 'day' ? row.name : row.run.id));
		expect(names).toEqual(['today', 'c', 'yesterday', 'b', 'date', 'a', 'z']);
	});

	test('follows what is told of a run: it comes in, changes in its place, and leaves where the filter leaves it out', () => {
		const first = [run('b', { createdAt: day(10, 9) })];
		const more = withRun(first, run('c', { createdAt: day(10, 10), status: 'running' }), ALL_RUNS, false);
		expect(ids(more)).toEqual(['c', 'b']);
		const slept = withRun(more, run('c', { createdAt: day(10, 10), status: 'sleeping', updatedAt: day(10, 11) }), ALL_RUNS, false);
		expect(slept[0]?.status).toBe('sleeping');
		const running = { status: 'working', kind: 'main' } as const;
		expect(ids(withRun(more, run('c', { createdAt: day(10, 10), updatedAt: day(10, 12) }), running, false))).toEqual(['b']);
	});

	test('an older word, a run below the loaded pages and a sub-agent change nothing', () => {
		const runs = [run('b', { updatedAt: day(10, 12) })];
		expect(withRun(runs, run('b', { status: 'running', updatedAt: day(10, 11) }), ALL_RUNS, false)).toBe(runs);
		expect(withRun(runs, run('a', { createdAt: day(1, 1) }), ALL_RUNS, true)).toBe(runs);
		expect(withRun(runs, run('d', { kind: 'child', createdAt: day(10, 12) }), ALL_RUNS, false)).toBe(runs);
		expect(fits({ status: 'all', kind: 'child' }, run('d', { kind: 'child' }))).toBe(true);
	});

	test('states are named: until when it sleeps, at which step it failed', () => {
		expect(stateOf(run('a', { status: 'failed', step: 3 }))).toMatchObject({ mark: 'failed', step: 3 });
		expect(stateOf(run('a', { status: 'sleeping', waitsFor: 'timer', waitsUntil: 5 }))).toMatchObject({
			id: 'timeline.state.sleepingUntil',
			until: 5,
		});
		expect(stateOf(run('a', { status: 'sleeping', waitsFor: 'event' })).id).toBe('timeline.state.event');
		expect(stateOf(run('a', { status: 'waiting' })).mark).toBe('pending');
		expect(stepMark(step(1, { status: 'waiting', kind: 'timer' }))).toBe('waiting');
		expect(stepMark(step(1, { status: 'waiting', kind: 'question' }))).toBe('pending');
	});
});

describe('the steps of a run', () => {
	test('a wait collapses into one line, and so does time in which nothing happened', () => {
		const rows = stepRows({
			steps: [
				step(1, { startedAt: 0, finishedAt: 400, label: 'owner' }),
				step(2, { kind: 'question', startedAt: 500, finishedAt: 4_320_500, label: 'owner' }),
				step(3, { startedAt: 4_320_600, finishedAt: 4_320_700, label: 'external' }),
				step(4, { startedAt: 5_000_000, finishedAt: 5_000_001, label: 'external' }),
			],
			breaks: [],
		});
		expect(rows.map((row) => (row.kind === 'gap' ? row.why : row.kind))).toEqual(['step', 'step', 'owner', 'step', 'idle', 'step']);
		// A step that waited has no time of its own; a label is said in full where it changes.
		expect(rows.flatMap((row) => (row.kind === 'step' ? [[row.took, row.quiet]] : []))).toEqual([
			[400, false],
			[undefined, true],
			[100, false],
			[1, true],
		]);
	});

	test('R1 where the process died is said before the step that went on, and instead of the gap', () => {
		const rows = stepRows({
			steps: [step(1, { startedAt: 0, finishedAt: 10 }), step(2, { startedAt: 9_000_000, finishedAt: 9_000_010, tries: 2 })],
			breaks: [{ step: 2, at: 20, wentOnAt: 9_000_000 }],
		});
		expect(rows.map(({ kind }) => kind)).toEqual(['step', 'break', 'step']);
		expect(say('timeline.crashKept', { count: 1 })).toBe('Step 1 did not run again.');
		expect(say('timeline.crashKept', { count: 10 })).toBe('Steps 1 to 10 did not run again.');
		expect(stepRows({ steps: [step(1)], breaks: [{ step: 2, wentOnAt: 5 }] }).map(({ kind }) => kind)).toEqual(['step', 'break']);
	});

	test('durations are short, and never 60 of a unit', () => {
		const words = [0, 31, 400, 9_960, 21_000, 59_499, 59_500, 65_000, 599_999, 3_599_999, 4_320_000, 86_399_000, 97_200_000];
		expect(words.map((ms) => duration(say, ms))).toEqual([
			'0 ms',
			'31 ms',
			'0.4 s',
			'10 s',
			'21 s',
			'59 s',
			'1 min',
			'1 min 5 s',
			'10 min',
			'1 h',
			'1 h 12 min',
			'1 d',
			'1 d 3 h',
		]);
	});

	test('tokens add up; a cost is named only where a price is known', () => {
		const usage = { inputTokens: 10, outputTokens: 2 };
		expect(totalsOf([step(1, { usage }), step(2), step(3, { usage })])).toEqual({ input: 20, output: 4 });
		expect(totalsOf([step(1, { usage: { ...usage, costUsd: 0.5 } }), step(2, { usage })]).costUsd).toBe(0.5);
	});
});

describe('addresses', () => {
	test('name a run, a step, an instance, a workflow; what names nothing is the list', () => {
		expect(parsePlace(runPlace('r1', 11))).toEqual({ kind: 'runs', runId: 'r1', step: 11 });
		expect(parsePlace(runPlace('r1', 'about'))).toEqual({ kind: 'runs', runId: 'r1', step: 'about' });
		expect(parsePlace(runPlace('r1'))).toEqual({ kind: 'runs', runId: 'r1' });
		expect(parsePlace('/timeline/r1/0x')).toEqual({ kind: 'runs', runId: 'r1' });
		expect(parsePlace('/timeline/workflows/w1')).toEqual({ kind: 'workflows', instanceId: 'w1' });
		expect(parsePlace(instancePlace('w1', 'about'))).toEqual({ kind: 'workflows', instanceId: 'w1', about: true });
		expect(parsePlace(workflowPlace('onboarding'))).toEqual({ kind: 'workflows', name: 'onboarding' });
		expect(parsePlace('/timeline/workflows/file/No Name')).toEqual({ kind: 'workflows' });
		expect(parsePlace('/timeline/%')).toEqual({ kind: 'runs' });
	});
});

describe('a workflow', () => {
	const states = ['START', 'SENT', 'SIGNED', 'DONE', 'DROPPED'];
	const instance = (state: string, was: string[], change: Partial<WorkflowInstance> = {}): WorkflowInstance => ({
		id: WorkflowInstanceId.parse('w1'),
		workflow: 'onboarding',
		title: 'Onboarding',
		version: 'v',
		sessionId: SessionId.parse('s'),
		state,
		status: 'sleeping',
		startedAt: 0,
		enteredAt: 0,
		data: {},
		history: [...was, state].map((to, index) => ({ seq: index + 1, at: index, from: was[index - 1] ?? null, to, why: '' })),
		diagram: {
			start: 'START',
			states: states.map((name) => ({ name, action: 'none', title: '', final: name === 'DONE' || name === 'DROPPED' })),
			transitions: [
				{ from: 'START', to: 'SENT', when: '' },
				{ from: 'SENT', to: 'SIGNED', when: 'documents_signed; if "amount" > 5' },
				{ from: 'SENT', to: 'DROPPED', when: 'after 3 days' },
				{ from: 'SIGNED', to: 'DONE', when: '' },
			],
		},
		...change,
	});

	test('the way shows where it was, where it is, and what comes while only one thing can', () => {
		const line = (each: WorkflowInstance): string[] => flowOf(each).nodes.map(({ name, where }) => `${name} ${where}`);
		expect(line(instance('START', []))).toEqual(['START now', 'SENT next']);
		expect(line(instance('SENT', ['START']))).toEqual(['START past', 'SENT now']);
		expect(line(instance('SIGNED', ['START', 'SENT']))).toEqual(['START past', 'SENT past', 'SIGNED now', 'DONE next']);
		expect(line(instance('DONE', ['START', 'SENT', 'SIGNED'], { status: 'done' })).at(-1)).toBe('DONE now');
		expect(
			flowOf(
				instance(
					'SENT',
					Array.from({ length: 10 }, () => 'START'),
				),
			).earlier,
		).toBe(4);
	});

	test('each state is now, past, next or not reached', () => {
		expect([...whereabouts(instance('SENT', ['START']))]).toEqual([
			['START', 'past'],
			['SENT', 'now'],
			['SIGNED', 'next'],
			['DONE', 'later'],
			['DROPPED', 'next'],
		]);
	});

	test('the picture’s source holds no word of a file that would mean something to its language', () => {
		const at = instance('SENT', ['START']);
		const source = mermaidOf(at.diagram, whereabouts(at), false);
		expect(source).toContain('s1 -->|"documents signed if amount › 5"| s2');
		expect(source).toContain('class s1 nowState');
		expect(source).not.toContain(';');
		const broken = { ...at.diagram, transitions: [{ from: 'START', to: 'NOPE', when: '' }] };
		expect(mermaidOf(broken, new Map(), true)).not.toContain('undefined');
	});

	test('what is typed is JSON where it is such', () => {
		expect(['', ' yes ', '12', '007', 'true', '{"a": 1}', '{oops', '2026-03-10'].map(typedValue)).toEqual([
			null,
			'yes',
			12,
			'007',
			true,
			{ a: 1 },
			'{oops',
			'2026-03-10',
		]);
	});
});
