import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InterruptId, MessageId, ProviderId, RunId, SessionId } from '../../src/domain/ids.ts';
import type { InterruptAnswer, WaitOutcome } from '../../src/domain/run.ts';
import type { EffectClass } from '../../src/domain/tool.ts';
import { RunEvent } from '../../src/run/events.ts';
import { reduce, replay } from '../../src/run/reduce.ts';
import { commandFor, messageOf, type RunState } from '../../src/run/state.ts';

/**
 * Work whose model, tools, owner and waits always answer the same, done once without a crash and once with processes that die wherever chance
 * has it: it comes to the same end, and the outer world has seen the same effects.
 */

/** What the model asks for, reply by reply; after the last it is done. */
const Calls: fc.Arbitrary<Kind[][]> = fc.array(
	fc.array(fc.constantFrom<Kind>('pure', 'idempotent', 'effectful', 'finding', 'question', 'timer', 'event', 'child', 'refused', 'opens'), {
		minLength: 1,
		maxLength: 4,
	}),
	{ minLength: 1, maxLength: 4 },
);
type Kind = EffectClass | 'finding' | 'question' | 'timer' | 'event' | 'child' | 'refused' | 'opens';

/** Where processes die, one number a turn: before the event, right after it, after the effect, or not at all. */
const crashes = fc.array(fc.constantFrom('no', 'no', 'no', 'before', 'after', 'effect'), { maxLength: 80, size: 'max' });

const MODEL = { providerId: ProviderId.parse('p'), modelId: 'x' };
const EFFECT: Partial<Record<Kind, EffectClass>> = {
	pure: 'pure',
	idempotent: 'idempotent',
	effectful: 'effectful',
	finding: 'effectful',
	opens: 'idempotent',
};
const OUTCOMES: Record<'timer' | 'event' | 'child', WaitOutcome> = {
	timer: { type: 'time_came' },
	event: { type: 'event_came', payload: { by: 'Ada' }, label: 'external' },
	child: { type: 'child_ended', text: 'Found it.', isError: false, label: 'agent' },
};

interface Ended {
	state: RunState;
	/** Keys of effects in the outer world: how often each took place. */
	effects: Map<string, number>;
	/** Children by key: how often each was begun. */
	children: Map<string, number>;
	deaths: number;
}

class Life {
	readonly journal: RunEvent[] = [];
	readonly effects = new Map<string, number>();
	readonly children = new Map<string, number>();
	deaths = 0;
	#state: RunState | undefined;
	#process = 1;
	#openedIn = 0;
	#ids = 0;
	readonly #replies: Kind[][];
	readonly #chances: string[];

	constructor(replies: Kind[][], chances: string[], script: boolean) {
		this.#replies = replies;
		this.#chances = [...chances];
		const begin = { sessionId: SessionId.parse('s'), messageId: MessageId.parse('m'), version: 1 as const, maxModelCalls: 20 };
		this.#append({ type: 'run_started', ...begin, unattended: true, ...(script && { script: callsOf(replies.flat(), 0) }) });
	}

	run(): Ended {
		for (let turns = 0; turns < 2_000; turns += 1) {
			const state = this.#state as RunState;
			if (state.kind === 'done') return { state, effects: this.effects, children: this.children, deaths: this.deaths };
			// At the third death in a row a step is left to the owner.
			const chance = state.progress.deaths < 2 ? (this.#chances.shift() ?? 'no') : 'no';
			if (chance === 'before') this.#die();
			else this.#step(state, chance);
		}
		throw new Error(`no end: ${this.#state?.kind}`);
	}

	#append(event: RunEvent): RunState {
		const stored = RunEvent.parse(JSON.parse(JSON.stringify(event)));
		this.#state = reduce(this.#state, stored).state;
		this.journal.push(stored);
		return this.#state;
	}

	/** All is forgotten but the journal; the next process does what the recovery scan does. */
	#die(): void {
		this.deaths += 1;
		this.#process += 1;
		const state = replay(this.journal) as RunState;
		this.#state = state;
		const isUnderWay =
			state.kind === 'calling_model' || state.kind === 'running_tool' || (state.kind === 'effect_unknown' && !state.verified);
		if (isUnderWay) this.#append({ type: 'process_died', parts: [{ type: 'text', text: 'Half a wo' }] });
	}

	#step(before: RunState, chance: string): void {
		const lost = [...(before.progress.resources ?? [])];
		if (lost.length > 0 && this.#openedIn !== this.#process && commandFor(before).kind !== 'none') {
			this.#openedIn = this.#process;
			this.#append({ type: 'resources_lost', reopened: lost, tornDown: [] });
			return;
		}
		const command = commandFor(before);
		const { step } = before.progress;
		switch (command.kind) {
			case 'call_model': {
				this.#append({ type: 'model_started', step, model: MODEL, modelName: 'x', label: 'owner', notices: [] });
				if (chance !== 'no') {
					this.#die();
					return;
				}
				const said = before.progress.callIds.length;
				const reply = this.#replies[before.progress.modelCalls];
				const parts = [{ type: 'text' as const, text: `Reply ${before.progress.modelCalls}. ` }];
				this.#append({ type: 'model_finished', step, parts, calls: callsOf(reply ?? [], said), reason: 'stop' });
				return;
			}
			case 'judge_tool':
				this.#judge(step, command.queue.call, chance);
				return;
			case 'run_tool':
				this.#effect(step, command.judged.call, chance);
				return;
			case 'verify_effect': {
				const { callId, tool } = command.judged.call;
				if (chance !== 'no') {
					this.#die();
					return;
				}
				if (tool !== 'finding') {
					this.#open(step, command.judged.call, 'did_it_happen', 'effectful');
					return;
				}
				const happened = this.effects.has(keyOf(step, callId));
				const result = resultOf(tool, callId);
				this.#append({
					type: 'effect_verified',
					step,
					callId,
					at: 1,
					verdict: happened ? { happened: 'yes', result, label: 'agent' } : { happened: 'no' },
				});
				return;
			}
			case 'ask_whether_it_happened':
				this.#open(step, command.judged.call, 'did_it_happen', 'effectful');
				return;
			case 'none':
				this.#outside(before);
				return;
		}
	}

	#judge(step: number, call: { callId: string; tool: string }, chance: string): void {
		const kind = call.tool as Kind;
		const { callId } = call;
		switch (kind) {
			case 'refused':
				this.#append({ type: 'tool_refused', step, callId, args: {}, why: 'denied', result: { text: 'No.', isError: false } });
				return;
			case 'question':
				this.#open(step, call, 'question', 'pure');
				return;
			case 'timer':
			case 'event':
			case 'child':
				if (kind === 'child') count(this.children, keyOf(step, callId));
				this.#open(step, call, kind, 'pure');
				return;
			case 'effectful':
			case 'finding':
				this.#open(step, call, 'approval', 'effectful');
				return;
			default:
				this.#effect(step, call, chance);
				return;
		}
	}

	#open(
		step: number,
		{ callId }: { callId: string },
		kind: 'question' | 'approval' | 'did_it_happen' | keyof typeof OUTCOMES,
		effect: EffectClass,
	): void {
		this.#ids += 1;
		const interruptId = InterruptId.parse(`i${this.#ids}`);
		const childRunId = kind === 'child' ? { childRunId: RunId.parse(keyOf(step, callId)) } : {};
		this.#append({
			type: 'interrupt_opened',
			step,
			callId,
			interruptId,
			kind,
			args: {},
			effect,
			label: 'agent',
			repaired: false,
			startedAt: 1,
			...childRunId,
		});
	}

	#effect(step: number, { callId, tool }: { callId: string; tool: string }, chance: string): void {
		const effect = EFFECT[tool as Kind] ?? 'pure';
		this.#append({ type: 'tool_started', step, callId, args: {}, effect, label: 'agent', repaired: false, at: 1 });
		if (chance === 'after') {
			this.#die();
			return;
		}
		const key = keyOf(step, callId);
		if (effect === 'effectful' || (effect === 'idempotent' && !this.effects.has(key))) count(this.effects, key);
		if (chance === 'effect') {
			this.#die();
			return;
		}
		const opened = tool === 'opens' ? [{ id: callId, tool, what: callId, reopens: true }] : undefined;
		this.#append({ type: 'tool_finished', step, callId, result: resultOf(tool, callId), label: 'agent', at: 1, opened });
		if (opened) this.#openedIn = this.#process;
	}

	/** The owner, who looks before they answer, and what runs wait for. */
	#outside(state: RunState): void {
		if (state.kind === 'sleeping') {
			this.#append({ type: 'wait_ended', interruptId: state.interruptId, outcome: OUTCOMES[state.interruptKind], at: 1 });
			return;
		}
		if (state.kind !== 'awaiting_owner') throw new Error(`it rests: ${state.kind}`);
		const { step } = state.progress;
		const { callId, tool } = state.judged.call;
		const happened: InterruptAnswer = this.effects.has(keyOf(step, callId))
			? { type: 'happened', result: resultOf(tool, callId).text }
			: { type: 'run_again' };
		const answers = { approval: { type: 'approve' }, question: { type: 'reply', text: 'because' }, did_it_happen: happened } as const;
		this.#append({ type: 'interrupt_answered', interruptId: state.interruptId, answer: answers[state.interruptKind], at: 1 });
	}
}

const keyOf = (step: number, callId: string) => `${step}:${callId}`;
const resultOf = (tool: string, callId: string) => ({ text: `${tool} did ${callId}`, isError: false });
const callsOf = (kinds: readonly Kind[], from: number) => kinds.map((tool, index) => ({ callId: `c${from + index}`, tool, args: '{}' }));

function count(times: Map<string, number>, key: string): void {
	times.set(key, (times.get(key) ?? 0) + 1);
}

/** What the owner and the model are told in the end; who said it and when may differ by what a crash made of it. */
function told({ state }: Ended) {
	const { parts, status } = messageOf(state);
	const { step, modelCalls, callIds, label, plan } = state.progress;
	const said = parts.flatMap((part): unknown[] => {
		if (part.type === 'tool') return [[part.callId, part.tool, part.status, part.result?.text]];
		return part.type === 'text' ? [part.text] : [];
	});
	return { status, said, step, modelCalls, callIds, label, plan };
}

test.each([false, true])(
	'R1 R2 R3 whatever processes die on the way, a run comes to the same end with the same effects (script: %s)',
	(script) => {
		let deaths = 0;
		fc.assert(
			fc.property(Calls, crashes, (replies, chances) => {
				const calm = new Life(replies, [], script).run();
				const rough = new Life(replies, chances, script).run();
				deaths += rough.deaths;
				expect(told(rough)).toEqual(told(calm));
				expect(rough.effects).toEqual(calm.effects);
				expect(rough.children).toEqual(calm.children);
				expect([...rough.effects.values(), ...rough.children.values()].every((times) => times === 1)).toBe(true);
			}),
			{ numRuns: 400 },
		);
		expect(deaths).toBeGreaterThan(1_000);
	},
);
