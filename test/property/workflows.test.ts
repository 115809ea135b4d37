import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { RunId } from '../../src/domain/ids.ts';
import type { WorkflowStateName } from '../../src/domain/workflow.ts';
import { waysOf } from '../../src/workflows/check.ts';
import { type Definition, isFinal, stateOf } from '../../src/workflows/definition.ts';
import { type Outcome, WorkflowEvent } from '../../src/workflows/events.ts';
import { parseWorkflow } from '../../src/workflows/parse.ts';
import { fold, RefusedEvent, reduce } from '../../src/workflows/reduce.ts';
import { alarmAt, commandFor, type InstanceState, isOver, valuesOf } from '../../src/workflows/state.ts';
import { choicesOf } from '../../src/workflows/ways.ts';

/** Random workflows, lived through by a driver that dies at any place and goes on from the journal alone. */

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];
const name = fc.constantFrom(...NAMES, 'END');
const EVENTS = ['came', 'went'];

const state = fc.record({
	action: fc.constantFrom('agent', 'tool', 'wait', 'event', 'ask'),
	event: fc.constantFrom(...EVENTS),
	to: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
	guarded: fc.boolean(),
	counts: fc.boolean(),
	onError: fc.option(name, { nil: undefined }),
	timeout: fc.option(name, { nil: undefined }),
	retries: fc.nat(2),
});

const definition: fc.Arbitrary<Definition> = fc.array(state, { minLength: NAMES.length, maxLength: NAMES.length }).map((states) => {
	const entries = states.map(({ action, event, to, guarded, counts, onError, timeout, retries }, at) => {
		const actions = { agent: { prompt: 'x' }, tool: { name: 'x' }, wait: '1 hour', event, ask: { question: 'x', choices: ['yes', 'no'] } };
		const ways = to.map((each, way) => ({
			to: each,
			...(action === 'ask' && way === 0 && { on: 'yes' }),
			...(guarded && way === 0 && to.length > 1 && { when: { count: { under: 3 } } }),
		}));
		return [
			NAMES[at],
			{
				[action]: actions[action as keyof typeof actions],
				...(counts && { set: { count: { add: 1 } } }),
				transitions: [...ways, ...(onError === undefined ? [] : [{ to: onError, on: 'error' }])],
				...(timeout !== undefined && { timeout: { after: '2 hours', to: timeout } }),
				...(retries > 0 && { retries: { times: retries, wait: '1 minute' } }),
			},
		];
	});
	const text = stringify({ title: 'x', start: 'A', states: { ...Object.fromEntries(entries), END: { final: true } } });
	const parsed = parseWorkflow(text);
	if (!parsed.definition) throw new Error(`${JSON.stringify(parsed.problems)}\n${text}`);
	return parsed.definition;
});

/** What happens to each run, by its number; and where the process dies, by the number of the place passed. */
const fate = fc.array(fc.constantFrom<Fate>('ends', 'ends', 'ends', 'fails', 'no', 'skipped', 'times_out', 'signal', 'silent'), {
	minLength: 1,
	maxLength: 40,
});
type Fate = 'ends' | 'fails' | 'no' | 'skipped' | 'times_out' | 'signal' | 'silent';
const deaths = fc.array(fc.boolean(), { maxLength: 200 });

class Death extends Error {}

interface World {
	journal: WorkflowEvent[];
	/** By begin key; `open` until it ended or was stopped. */
	runs: Map<string, { id: RunId; open: boolean }>;
	places: number;
}

function live(definition: Definition, fates: readonly Fate[], dies: readonly boolean[]): { world: World; deaths: number } {
	const world: World = { journal: [{ type: 'started', version: 1, data: {}, at: 0 }], runs: new Map(), places: 0 };
	let count = 0;
	for (let lives = 0; lives < 1_000; lives += 1) {
		try {
			drive(definition, world, fates, () => {
				if (dies[world.places++]) throw new Death();
			});
			return { world, deaths: count };
		} catch (error) {
			if (!(error instanceof Death)) throw error;
			count += 1;
		}
	}
	throw new Error('it never ends');
}

/** One life of the process: it knows nothing but what is in the world. */
function drive(definition: Definition, world: World, fates: readonly Fate[], mayDie: () => void): void {
	for (let steps = 0; steps < 400 && world.journal.length < 120; steps += 1) {
		const state = fold(definition, world.journal);
		if (!state) throw new Error('it has not started');
		const append = (event: WorkflowEvent): void => {
			mayDie();
			reduce(definition, state, event);
			world.journal.push(WorkflowEvent.parse(JSON.parse(JSON.stringify(event))));
			mayDie();
		};
		const at = world.journal.length * 1_000;
		const command = commandFor(state);
		const close = (runId: RunId): void => {
			for (const run of world.runs.values()) if (run.id === runId) run.open = false;
			mayDie();
		};
		switch (command.kind) {
			case 'enter':
				if (command.left) close(command.left.runId);
				append({ type: 'entered', to: command.to, at });
				continue;
			case 'begin': {
				const key = `i:${command.key}`;
				expect(world.runs.has(key), 'begun twice').toBe(false);
				expect(
					[...world.runs.values()].filter(({ open }) => open),
					'two runs at once',
				).toEqual([]);
				mayDie();
				// One transaction: the run and the event.
				const runId = key as RunId;
				world.journal.push({ type: 'action_began', runId, at });
				world.runs.set(key, { id: runId, open: true });
				mayDie();
				continue;
			}
			case 'stop_run':
				close(command.runId);
				append({ type: 'stopped', at });
				continue;
			case 'none':
				if (isOver(state)) return;
				happen(definition, state, fates, append, close, at);
		}
	}
}

/** What the world does next; it follows from the journal alone, so that a second life sees the same. */
function happen(
	definition: Definition,
	state: InstanceState,
	fates: readonly Fate[],
	append: (event: WorkflowEvent) => void,
	close: (runId: RunId) => void,
	now: number,
): void {
	const { at } = state;
	const due = alarmAt(definition, state);
	if (at.kind === 'resting') {
		append({ type: 'retried', by: 'time', at: Math.max(now, at.until) });
		return;
	}
	if (at.kind !== 'acting') throw new Error(`nothing happens while ${at.kind}`);
	const fate = fates[Number(at.runId.slice(2)) % fates.length];
	const here = stateOf(definition, at.in.name);
	const end = (outcome: Outcome): void => {
		close(at.runId);
		append({ type: 'action_ended', runId: at.runId, outcome, at: now });
	};
	if (fate === 'times_out' && due !== undefined) append({ type: 'timed_out', at: Math.max(now, due) });
	else if (fate === 'signal' && state.kept.length < 3) append({ type: 'signalled', name: 'came', payload: null, label: 'owner', at: now });
	else if (fate === 'fails') end({ kind: 'failed', error: { kind: 'terminal', code: 'tool_failed', message: 'x' } });
	else if (fate === 'skipped') end({ kind: 'skipped' });
	else if (here.action.kind === 'agent' && fate !== 'silent' && !at.chosen) {
		const open = choicesOf(here, valuesOf(state.data)).filter((choice) => choice.open);
		const choice = open[now % Math.max(1, open.length)];
		if (choice) append({ type: 'chosen', runId: at.runId, to: choice.to, data: {}, label: 'agent', at: now });
		else end({ kind: 'done', value: '', label: 'agent' });
	} else end({ kind: 'done', value: fate === 'no' ? 'no' : 'yes', label: 'owner' });
}

/** Each move is one that the definition has, from the state that it was in. */
function checkMoves(definition: Definition, journal: readonly WorkflowEvent[]): number {
	let from: WorkflowStateName | undefined;
	let moves = 0;
	for (const event of journal) {
		if (event.type !== 'entered') continue;
		if (from === undefined) expect(event.to).toBe(definition.start);
		else expect(waysOf(stateOf(definition, from)), `${from} → ${event.to}`).toContain(event.to);
		from = event.to;
		moves += 1;
	}
	return moves;
}

test('R1 an instance that dies anywhere, any number of times, ends as one that never died', () => {
	let died = 0;
	let moved = 0;
	fc.assert(
		fc.property(definition, fate, deaths, (workflow, fates, dies) => {
			const calm = live(workflow, fates, []);
			const rough = live(workflow, fates, dies);
			expect(rough.world.journal).toEqual(calm.world.journal);
			expect(fold(workflow, rough.world.journal)).toEqual(fold(workflow, calm.world.journal));
			moved += checkMoves(workflow, calm.world.journal);
			died += rough.deaths;
		}),
		{ numRuns: 120 },
	);
	// The above has really happened.
	expect(died).toBeGreaterThan(100);
	expect(moved).toBeGreaterThan(300);
});

const anyEvent = (): fc.Arbitrary<WorkflowEvent> => {
	const at = fc.nat(20_000_000);
	const runId = fc.nat(30).map((id) => `i:${id}` as RunId);
	const label = fc.constant('external' as const);
	return fc.oneof(
		fc.record({ type: fc.constant('entered' as const), to: name, at }),
		fc.record({ type: fc.constant('action_began' as const), runId, at }),
		fc.record({ type: fc.constant('chosen' as const), runId, to: name, data: fc.constant({}), label, at }),
		fc.record({
			type: fc.constant('action_ended' as const),
			runId,
			outcome: fc.constantFrom<Outcome>(
				{ kind: 'done', value: 'yes', label: 'owner' },
				{ kind: 'done', value: 'maybe', label: 'owner' },
				{ kind: 'skipped' },
				{ kind: 'stopped' },
				{ kind: 'failed', error: { kind: 'terminal', code: 'tool_failed', message: 'x' } },
			),
			at,
		}),
		fc.record({ type: fc.constant('timed_out' as const), at }),
		fc.record({ type: fc.constant('signalled' as const), name: fc.constantFrom(...EVENTS), payload: fc.constant(null), label, at }),
		fc.record({ type: fc.constant('retried' as const), by: fc.constantFrom('owner' as const, 'time' as const), at }),
		fc.record({ type: fc.constant('stop_asked' as const), at: at.filter((each) => each % 4 === 0) }),
		fc.record({ type: fc.constant('stopped' as const), at }),
	);
};

test('no event, however it comes, leads into a state that the definition does not allow from there; what does not fit is refused', () => {
	let accepted = 0;
	let refused = 0;
	fc.assert(
		fc.property(definition, fc.array(anyEvent(), { minLength: 50, maxLength: 200 }), (workflow, events) => {
			const journal: WorkflowEvent[] = [{ type: 'started', version: 1, data: {}, at: 0 }];
			let state = fold(workflow, journal);
			for (const event of events) {
				// Half of the guesses are what the driver would do, so that the walk gets far.
				const command = state && commandFor(state);
				const wanted: WorkflowEvent =
					command?.kind === 'enter' && event.at % 2 === 0
						? { type: 'entered', to: command.to, at: event.at }
						: command?.kind === 'begin' && event.at % 2 === 0
							? { type: 'action_began', runId: `i:${event.at % 30}` as RunId, at: event.at }
							: 'runId' in event && state?.at.kind === 'acting' && event.at % 2 === 0
								? { ...event, runId: state.at.runId }
								: event;
				try {
					state = reduce(workflow, state, wanted);
					journal.push(wanted);
					accepted += 1;
				} catch (error) {
					if (!(error instanceof RefusedEvent)) throw error;
					refused += 1;
				}
				if (state?.at.kind === 'done') expect(isFinal(stateOf(workflow, state.at.in.name))).toBe(true);
			}
			checkMoves(workflow, journal);
			expect(fold(workflow, journal)).toEqual(state);
		}),
		{ numRuns: 300 },
	);
	expect(accepted).toBeGreaterThan(2_000);
	expect(refused).toBeGreaterThan(2_000);
});
