import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContextSource, labelOfSources, MOST_SOURCES } from '../../src/domain/context-source.ts';
import { InterruptId, MessageId, ProviderId, RunId, SessionId } from '../../src/domain/ids.ts';
import { joinLabels, LABELS, type Label } from '../../src/domain/label.ts';
import { changePlan, type Plan, type PlanChange, planFollows } from '../../src/domain/plan.ts';
import type { InterruptAnswer, InterruptKind, WaitOutcome } from '../../src/domain/run.ts';
import type { EffectClass, LiveResource } from '../../src/domain/tool.ts';
import { RunEvent } from '../../src/run/events.ts';
import { IllegalEvent, next, reduce, replay } from '../../src/run/reduce.ts';
import { type Command, commandFor, messageOf, type RunState, runStatus } from '../../src/run/state.ts';

/**
 * A whole life of a run, without any of the driver's code: the fast-check stream decides what the model, the tools, the
 * owner and the power supply do next. Crashes are forgetting everything but the journal.
 */
const START: RunEvent = {
	type: 'run_started',
	version: 1,
	sessionId: SessionId.parse('s'),
	messageId: MessageId.parse('m'),
	maxModelCalls: 4,
};
const SCRIPT = ['pure', 'effectful', 'idempotent'].map((tool, index) => ({ callId: `s${index}`, tool, args: '{}' }));
const MODEL = { providerId: ProviderId.parse('p'), modelId: 'x' };

interface World {
	journal: RunEvent[];
	/** `step:attempt` of each model call that began, and `key` of each effect that took place. */
	modelCalls: string[];
	effects: { key: string; effect: EffectClass; value: string }[];
	/** Calls that the owner was asked about, by key. */
	asked: Set<string>;
	ownerRepeats: number;
	/** Calls finished by the model: `step`. */
	finished: Set<string>;
	ids: number;
	/** Calls that wait, by key: how often each wait ended. */
	waits: Map<string, number>;
	/** Processes so far; each loses what the one before had open. */
	process: number;
	openedIn: number;
}

/** What chance decides at each turn. */
interface Chance {
	/** Where the process dies: before the journal, between journal and effect, between effect and journal, or not. */
	crash: 'no' | 'before' | 'started' | 'done';
	model: 'text' | 'calls' | 'fails' | 'cut' | 'length' | 'terminal';
	calls: EffectClass[];
	gate: 'allow' | 'ask' | 'deny' | 'unreadable' | 'question' | 'timer' | 'event' | 'child';
	owner: number;
	stop: boolean;
	/** What the tool finds out about an effect under way: the truth, nothing, or it has no way to look. */
	verify: 'truth' | 'unknown' | 'none';
	/** The call leaves something open, or changes the plan. */
	leaves: 'nothing' | 'resource' | 'plan';
	/** Of what the prompt, or a result, brings in. */
	label: Label;
}

const chance: fc.Arbitrary<Chance> = fc.record({
	crash: fc.oneof(
		{ weight: 2, arbitrary: fc.constant('no' as const) },
		fc.constantFrom('before' as const, 'started' as const, 'done' as const),
	),
	model: fc.constantFrom('text', 'calls', 'calls', 'calls', 'calls', 'fails', 'cut', 'length', 'terminal'),
	calls: fc.array(fc.constantFrom<EffectClass>('pure', 'idempotent', 'effectful'), { minLength: 1, maxLength: 3 }),
	gate: fc.constantFrom('allow', 'allow', 'allow', 'ask', 'ask', 'deny', 'unreadable', 'question', 'timer', 'event', 'child'),
	owner: fc.nat(100),
	stop: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true)),
	verify: fc.constantFrom('truth', 'unknown', 'none'),
	leaves: fc.constantFrom('nothing', 'resource', 'plan', 'plan'),
	label: fc.constantFrom('owner', 'agent', 'agent', ...LABELS),
});

function live(chances: Chance[]): { world: World; state: RunState } {
	const world: World = {
		journal: [],
		modelCalls: [],
		effects: [],
		asked: new Set(),
		ownerRepeats: 0,
		finished: new Set(),
		ids: 0,
		waits: new Map(),
		process: 1,
		openedIn: 1,
	};
	let state: RunState | undefined;
	const append = (event: RunEvent): RunState => {
		// What the store does: through JSON and the schema, and back.
		const stored = RunEvent.parse(JSON.parse(JSON.stringify(event)));
		const before = state;
		state = reduce(state, stored).state;
		checkLabel(before, stored, state);
		world.journal.push(stored);
		return state;
	};
	// The kinds of runs: a chat turn, work that nobody watches, a script.
	const kind = (chances[0]?.owner ?? 0) % 4;
	append({ ...START, ...(kind === 1 && { unattended: true, depth: 1 }), ...(kind === 2 && { script: SCRIPT }) });
	for (const given of chances) {
		if (!state) throw new Error('no state');
		if (given.stop && ['running', 'waiting', 'sleeping'].includes(runStatus(state))) append({ type: 'stopped', parts: [], at: 1 });
		else if (given.crash === 'before') state = restart(world, append);
		else step(world, state, given, append);
		if (!state) throw new Error('no state');
		checkState(state);
	}
	if (!state) throw new Error('no state');
	return { world, state };
}

/** Forgets all, reads the journal, and does what the recovery scan does. */
function restart(world: World, append: (event: RunEvent) => RunState): RunState {
	world.process += 1;
	const state = replay(world.journal);
	if (!state) throw new Error('empty journal');
	const isVerifying = state.kind === 'effect_unknown' && !state.verified;
	if (state.kind === 'calling_model' || state.kind === 'running_tool' || isVerifying) return append({ type: 'process_died', parts: [] });
	return state;
}

/** What the driver does before it goes on with a run that another process had something open in. */
function lose(world: World, state: RunState, append: (event: RunEvent) => RunState): RunState {
	const lost = state.progress.resources ?? [];
	if (lost.length === 0 || world.openedIn === world.process || commandFor(state).kind === 'none') return state;
	world.openedIn = world.process;
	const before = state.progress.parts.filter((part) => part.type !== 'notice');
	const after = append({
		type: 'resources_lost',
		reopened: lost.filter(({ reopens }) => reopens),
		tornDown: lost.filter(({ reopens }) => !reopens),
	});
	expect(after.progress.parts.filter((part) => part.type !== 'notice')).toEqual(before);
	expect(commandFor(after).kind).toBe(commandFor(state).kind);
	return after;
}

function step(world: World, before: RunState, given: Chance, append: (event: RunEvent) => RunState): void {
	const state = lose(world, before, append);
	const command = commandFor(state);
	const { progress } = state;
	const at = { step: progress.step };
	switch (command.kind) {
		case 'call_model': {
			append({
				type: 'model_started',
				...at,
				model: MODEL,
				modelName: 'x',
				label: given.label,
				sources: brought(world, given),
				notices: [],
			});
			// R1: a call that finished is never made again.
			expect(world.finished.has(`${progress.step}`)).toBe(false);
			world.modelCalls.push(`${progress.step}:${command.plan.attempt}`);
			if (given.crash === 'started' || given.crash === 'done') {
				restart(world, append);
				return;
			}
			const parts = [{ type: 'text' as const, text: 'words ' }];
			const error = { kind: 'retryable' as const, code: 'model_server_error' as const, message: 'x' };
			if (given.model === 'fails') append({ type: 'model_failed', ...at, parts: [], error });
			else if (given.model === 'cut') append({ type: 'model_failed', ...at, parts, error });
			else if (given.model === 'terminal') append({ type: 'model_failed', ...at, parts: [], error: { ...error, kind: 'terminal' } });
			else {
				const calls = given.model === 'calls' ? given.calls.map((effect) => ({ callId: `c${++world.ids}`, tool: effect, args: '{}' })) : [];
				append({ type: 'model_finished', ...at, parts, calls, reason: given.model === 'length' ? 'length' : 'stop' });
				if (given.model !== 'length') world.finished.add(`${progress.step}`);
			}
			return;
		}
		case 'judge_tool': {
			const { callId, tool } = command.queue.call;
			const effect = tool as EffectClass;
			const judged = { ...at, callId, args: {}, effect, label: joinLabels('agent', progress.label), repaired: false };
			const refused = { text: 'no', isError: true };
			if (given.gate === 'deny') append({ type: 'tool_refused', ...at, callId, args: {}, why: 'denied', result: refused });
			else if (given.gate === 'unreadable') append({ type: 'tool_refused', ...at, callId, args: {}, why: 'unreadable', result: refused });
			else if (given.gate === 'timer' || given.gate === 'event' || given.gate === 'child') {
				append({
					type: 'interrupt_opened',
					...judged,
					kind: given.gate,
					interruptId: newInterrupt(world),
					...(given.gate === 'child' && { childRunId: RunId.parse(`child-${callId}`) }),
				});
				world.waits.set(`${progress.step}:${callId}`, 0);
			} else if (given.gate === 'question' || given.gate === 'ask' || effect === 'effectful')
				append({
					type: 'interrupt_opened',
					...judged,
					kind: given.gate === 'question' ? 'question' : 'approval',
					interruptId: newInterrupt(world),
				});
			else runEffect(world, progress.step, callId, effect, given, append);
			return;
		}
		case 'run_tool':
			runEffect(world, progress.step, command.judged.call.callId, command.judged.effect, given, append);
			return;
		case 'verify_effect': {
			const { callId } = command.judged.call;
			if (given.verify === 'none') {
				ask(world, { ...command, kind: 'ask_whether_it_happened' }, append);
				return;
			}
			if (given.crash === 'started' || given.crash === 'done') {
				restart(world, append);
				return;
			}
			const took = world.effects.some(({ key }) => key === `${progress.step}:${callId}`);
			append({
				type: 'effect_verified',
				...at,
				callId,
				at: 2,
				verdict:
					given.verify === 'unknown'
						? { happened: 'unknown', found: 'a trace' }
						: took
							? { happened: 'yes', result: { text: 'it did', isError: false }, label: 'agent' }
							: { happened: 'no' },
			});
			return;
		}
		case 'ask_whether_it_happened':
			ask(world, command, append);
			return;
		case 'none':
			ownerActs(world, state, given, append);
	}
}

function ask(
	world: World,
	{ progress, judged, startedAt }: Extract<Command, { kind: 'ask_whether_it_happened' }>,
	append: (event: RunEvent) => RunState,
): void {
	const { call, args, effect, label } = judged;
	world.asked.add(`${progress.step}:${call.callId}`);
	append({
		type: 'interrupt_opened',
		step: progress.step,
		callId: call.callId,
		args,
		effect,
		label,
		repaired: false,
		kind: 'did_it_happen',
		interruptId: newInterrupt(world),
		startedAt,
	});
}

function runEffect(
	world: World,
	step: number,
	callId: string,
	effect: EffectClass,
	given: Chance,
	append: (event: RunEvent) => RunState,
): void {
	const label = joinLabels('agent', replay(world.journal)?.progress.label ?? 'agent');
	append({ type: 'tool_started', step, callId, args: {}, effect, label, repaired: false, at: 1 });
	if (given.crash === 'started') {
		restart(world, append);
		return;
	}
	const key = `${step}:${callId}`;
	// An idempotent effect does nothing for a key that it knows.
	if (effect !== 'idempotent' || !world.effects.some((done) => done.key === key)) world.effects.push({ key, effect, value: callId });
	if (given.crash === 'done') {
		restart(world, append);
		return;
	}
	const resource: LiveResource = { id: callId, tool: effect, what: `shell of ${callId}`, reopens: given.owner % 2 === 0 };
	const opened = given.leaves === 'resource' ? [resource] : undefined;
	const before = replay(world.journal)?.progress.plan;
	const planned = given.leaves === 'plan' ? changePlan(before, { add: [{ text: callId }], update: nextOf(before) }) : undefined;
	const plan = planned?.ok ? planned.plan : undefined;
	append({
		type: 'tool_finished',
		step,
		callId,
		result: { text: 'did', isError: false },
		label: given.label,
		sources: brought(world, given),
		at: 2,
		opened,
		plan,
	});
	if (opened) world.openedIn = world.process;
}

function nextOf(plan: Plan | undefined): PlanChange['update'] {
	const [first] = plan?.steps.filter(({ state }) => state === 'pending' || state === 'doing') ?? [];
	return first && [{ id: first.id, state: first.state === 'pending' ? 'doing' : 'done' }];
}

const ENDS: Partial<Record<InterruptKind, WaitOutcome[]>> = {
	timer: [{ type: 'time_came' }],
	event: [{ type: 'event_came', payload: { signed: true }, label: 'owner' }, { type: 'timed_out' }],
	child: [
		{ type: 'child_ended', text: 'Found it.', isError: false, label: 'external' },
		{ type: 'child_ended', text: 'It was stopped.', isError: true, label: 'agent' },
	],
};
const ANSWERS: Record<InterruptKind, InterruptAnswer[]> = {
	timer: [{ type: 'skip' }, { type: 'stop' }],
	event: [{ type: 'skip' }, { type: 'stop' }],
	child: [{ type: 'skip' }, { type: 'stop' }],
	approval: [{ type: 'approve' }, { type: 'approve' }, { type: 'approve' }, { type: 'reject' }, { type: 'stop' }],
	question: [{ type: 'reply', text: 'because' }, { type: 'skip' }, { type: 'stop' }],
	did_it_happen: [{ type: 'happened', result: '' }, { type: 'run_again' }, { type: 'skip' }, { type: 'stop' }],
};

function ownerActs(world: World, state: RunState, given: Chance, append: (event: RunEvent) => RunState): void {
	if (state.kind === 'sleeping' && given.owner % 4 !== 0) {
		const outcomes = ENDS[state.interruptKind] ?? [];
		const outcome = outcomes[given.owner % outcomes.length];
		if (!outcome) throw new Error('no outcome');
		const key = `${state.progress.step}:${state.judged.call.callId}`;
		world.waits.set(key, (world.waits.get(key) ?? 0) + 1);
		const ended: RunEvent = { type: 'wait_ended', interruptId: state.interruptId, outcome, at: 3 };
		const after = append(ended);
		// It is told once, whatever is told again.
		expect(next(after, ended)).toBeUndefined();
		return;
	}
	if (state.kind === 'awaiting_owner' || state.kind === 'sleeping') {
		const answers = ANSWERS[state.interruptKind];
		const answer = answers[given.owner % answers.length];
		if (!answer) throw new Error('no answer');
		if (answer.type === 'run_again') world.ownerRepeats += 1;
		append({ type: 'interrupt_answered', interruptId: state.interruptId, answer, at: 3 });
		return;
	}
	if (state.kind === 'done') return;
	// The owner's Continue or Retry begins a step that was finished only as far as it got.
	append({ type: given.owner % 2 === 0 ? 'continued' : 'retried' });
}

function newInterrupt(world: World): InterruptId {
	world.ids += 1;
	return InterruptId.parse(`i${world.ids}`);
}

function brought(world: World, { label }: Chance): ContextSource[] {
	return [{ kind: 'file', name: `file ${world.journal.length}`, label }];
}

/** B2: whatever happens, what was seen stays seen; what the events bring in is joined; and it is named, within bounds. */
function checkLabel(before: RunState | undefined, event: RunEvent, { progress }: RunState): void {
	const brings = event.type === 'wait_ended' ? event.outcome : event.type === 'effect_verified' ? event.verdict : event;
	const read = event.type === 'model_started' || event.type === 'tool_finished' || brings !== event;
	const label = read && 'label' in brings && brings.label !== undefined ? brings.label : 'owner';
	expect(progress.label).toBe(joinLabels('agent', before?.progress.label ?? 'agent', label));
	const { sources = [] } = progress;
	expect(sources.length).toBeLessThanOrEqual(MOST_SOURCES);
	expect(joinLabels(progress.label, labelOfSources(sources))).toBe(progress.label);
}

function checkState(state: RunState): void {
	const { parts, status } = messageOf(state);
	const ids = parts.flatMap((part) => (part.type === 'tool' ? [part.callId] : []));
	expect(new Set(ids).size).toBe(ids.length);
	// Whenever the model is asked, or may be asked next, every call that it made has a result.
	if (state.kind === 'model_ready' || ['stopped', 'failed', 'interrupted', 'complete'].includes(status))
		for (const part of parts) if (part.type === 'tool') expect(part.result, `${state.kind} ${part.status}`).toBeDefined();
}

const lives = fc.array(chance, { minLength: 4, maxLength: 60, size: 'max' });

test('R1 any replay of a journal, in one go or from any point, gives the same state', () => {
	fc.assert(
		fc.property(lives, fc.nat(60), (chances, cut) => {
			const { world, state } = live(chances);
			expect(replay(world.journal)).toEqual(state);
			const part = world.journal.slice(0, 1 + (cut % world.journal.length));
			const rest = world.journal.slice(part.length);
			let resumed = replay(part);
			for (const event of rest) resumed = reduce(resumed, event).state;
			expect(resumed).toEqual(state);
		}),
		{ numRuns: 300 },
	);
});

test('R1 R2 under any interleaving of steps and crashes no finished step runs again and no effect is repeated silently', () => {
	let crashes = 0;
	let effects = 0;
	let asked = 0;
	fc.assert(
		fc.property(lives, (chances) => {
			const { world } = live(chances);
			crashes += chances.filter((given) => given.crash !== 'no').length;
			effects += world.effects.length;
			asked += world.asked.size;
			const times = new Map<string, number>();
			for (const { key, effect } of world.effects) if (effect === 'effectful') times.set(key, (times.get(key) ?? 0) + 1);
			const repeats = [...times.values()].reduce((sum, count) => sum + count - 1, 0);
			// More than once only by the owner's word, given to a question about that very call.
			expect(repeats).toBeLessThanOrEqual(world.ownerRepeats);
			for (const [key, count] of times) if (count > 1) expect(world.asked.has(key)).toBe(true);
		}),
		{ numRuns: 800 },
	);
	// The fuzz did something.
	expect(crashes).toBeGreaterThan(100);
	expect(effects).toBeGreaterThan(100);
	expect(asked).toBeGreaterThan(10);
});

test('R2 nothing is skipped silently: a call that the model made has a result, a question, or is next', () => {
	fc.assert(
		fc.property(lives, (chances) => {
			const { world, state } = live(chances);
			const told = new Set(state.progress.parts.flatMap((part) => (part.type === 'tool' ? [part.callId] : [])));
			const queue = 'queue' in state ? state.queue : 'judged' in state ? state.judged : undefined;
			for (const call of queue ? [queue.call, ...queue.rest] : []) told.add(call.callId);
			const dropped = new Set<string>();
			// Calls of a step that the owner chose to do again are replaced by that step's new ones.
			let replayed: RunState | undefined;
			for (const event of world.journal) {
				const before = replayed;
				replayed = reduce(replayed, event).state;
				if (before && replayed.progress.parts.length < before.progress.parts.length)
					for (const part of before.progress.parts) if (part.type === 'tool') dropped.add(part.callId);
			}
			for (const event of world.journal) {
				if (event.type !== 'model_finished') continue;
				for (const { callId } of event.calls) expect(told.has(callId) || dropped.has(callId), callId).toBe(true);
			}
		}),
		{ numRuns: 200 },
	);
});

test('an event that does not fit the state is refused and changes nothing', () => {
	const events = fc.constantFrom<RunEvent>(
		START,
		{ type: 'model_started', step: 1, model: MODEL, modelName: 'x', label: 'owner', notices: [] },
		{ type: 'model_finished', step: 1, parts: [], calls: [], reason: 'stop' },
		{ type: 'tool_finished', step: 1, callId: 'c1', result: { text: '', isError: false }, label: 'agent', at: 1 },
		{ type: 'tool_started', step: 9, callId: 'c9', args: {}, effect: 'pure', label: 'agent', repaired: false, at: 1 },
		{ type: 'interrupt_answered', interruptId: InterruptId.parse('none'), answer: { type: 'approve' }, at: 1 },
		{ type: 'process_died', parts: [] },
		{ type: 'continued' },
		{ type: 'retried' },
		{ type: 'stopped', parts: [], at: 1 },
	);
	let refused = 0;
	fc.assert(
		fc.property(lives, events, (chances, event) => {
			const { state } = live(chances);
			const copy = structuredClone(state);
			if (next(state, event) === undefined) {
				refused += 1;
				expect(() => reduce(state, event)).toThrow(IllegalEvent);
			}
			expect(state).toEqual(copy);
		}),
		{ numRuns: 300 },
	);
	expect(refused).toBeGreaterThan(100);
});

test('R1 a run that is over, waits or is at work asks for nothing', () => {
	fc.assert(
		fc.property(lives, (chances) => {
			const { state } = live(chances);
			const busy = ['model_ready', 'tool_ready', 'tool_approved', 'effect_unknown'].includes(state.kind);
			expect(commandFor(state).kind === 'none').toBe(!busy);
		}),
	);
});

test('the plan of a run only ever follows from the one before, and an event that says otherwise is refused', () => {
	let changes = 0;
	fc.assert(
		fc.property(lives, (chances) => {
			const { world } = live(chances);
			let state: RunState | undefined;
			for (const event of world.journal) {
				const before = state?.progress.plan;
				state = reduce(state, event).state;
				if (state.progress.plan !== before) {
					changes += 1;
					expect(planFollows(before, state.progress.plan ?? { steps: [] })).toBe(true);
				}
				if (state.kind !== 'running_tool' || (before?.steps.length ?? 0) === 0) continue;
				const { step } = state.progress;
				const { callId } = state.judged.call;
				const result = { text: '', isError: false };
				expect(next(state, { type: 'tool_finished', step, callId, result, label: 'agent', at: 1, plan: { steps: [] } })).toBeUndefined();
			}
		}),
		{ numRuns: 200 },
	);
	expect(changes).toBeGreaterThan(20);
});

test('R1 a step at which process after process dies is not tried for ever', () => {
	let state = replay([START]);
	for (let deaths = 0; state?.kind === 'model_ready'; deaths += 1) {
		expect(deaths).toBeLessThan(3);
		state = reduce(state, { type: 'model_started', step: 1, model: MODEL, modelName: 'x', label: 'owner', notices: [] }).state;
		state = reduce(state, { type: 'process_died', parts: [] }).state;
	}
	expect(state).toMatchObject({ kind: 'interrupted', error: { code: 'run_interrupted' } });
	// The owner's Retry counts anew.
	expect(reduce(state, { type: 'retried' }).state).toMatchObject({ kind: 'model_ready', progress: { deaths: 0 } });
});

test('R4 a copy of any beginning of a life stands there: restored it waits, forked it goes on, and what was finished is never asked for again', () => {
	let places = 0;
	const from = { runId: RunId.parse('r'), step: 1 };
	fc.assert(
		fc.property(lives, (chances) => {
			const { world } = live(chances);
			let state: RunState | undefined;
			for (const event of world.journal) {
				state = reduce(state, event).state;
				if (state.kind !== 'model_ready' && state.kind !== 'tool_ready') continue;
				places += 1;
				const wanted = shortly(commandFor(state));
				const restored = reduce(state, { type: 'restored', from, at: 1 });
				expect(restored.state.kind).toBe('stopped');
				expect(restored.command).toEqual({ kind: 'none' });
				const lasting = replay([...world.journal.slice(0, world.journal.indexOf(event) + 1), { type: 'restored', from, at: 1 }]);
				expect(lasting).toEqual(restored.state);
				for (const how of ['continued', 'retried'] as const) expect(shortly(reduce(restored.state, { type: how }).command)).toEqual(wanted);
				const forked = reduce(state, { type: 'forked', from, at: 1 });
				expect(shortly(forked.command)).toEqual(wanted);
				for (const next of [restored.state, forked.state]) {
					const own = (parts: RunState['progress']['parts']) => parts.filter(({ type }) => type !== 'notice');
					expect(own(next.progress.parts)).toEqual(own(state.progress.parts));
					expect(next.progress.resources ?? []).toEqual([]);
					expect(next.progress.label).toBe(state.progress.label);
				}
			}
		}),
		{ numRuns: 200 },
	);
	expect(places).toBeGreaterThan(200);
});

/** What is to be done next, but for where it goes in the reply. */
function shortly(command: Command): unknown {
	if (command.kind === 'judge_tool')
		return { kind: command.kind, step: command.progress.step, call: command.queue.call, rest: command.queue.rest };
	return command.kind === 'none' ? command : { kind: command.kind, step: command.progress.step };
}
