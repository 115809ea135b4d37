import type { MessagePart } from '../domain/message.ts';
import { type Plan, planText } from '../domain/plan.ts';
import { cutCodePoints } from '../domain/text.ts';
import type { CountTokens } from './tokens.ts';

/** How what a run has gathered itself is made to fit: its results and its plan stay whole in the run, and the model is told what it does not see. Pure. */

/** Of the room that is there, where results have to be cut: summaries and the newest turns need some of it. */
const CUT_SHARE = 0.8;
const CUT_STEP = 0.7;
/** Where to begin: no text has more of them. */
const MOST_CHARS_PER_TOKEN = 8;
/** UTF-16 units of a result that always stay. */
const LEAST_CHARS = 400;
/** Share of a prompt that a plan may take in full. */
const PLAN_SHARE = 0.2;
const PLAN_LINE_CHARS = 60;

/** The parts with the longest results of tools cut to one length, so that they fit `room` tokens as far as that goes. `cut`: how many. */
export function fitResults(
	parts: readonly MessagePart[],
	room: number,
	tokensOfReply: (parts: readonly MessagePart[]) => number,
): { parts: readonly MessagePart[]; cut: number } {
	if (tokensOfReply(parts) <= room) return { parts, cut: 0 };
	const longest = parts.reduce((most, part) => Math.max(most, part.type === 'tool' ? (part.result?.text.length ?? 0) : 0), 0);
	let chars = Math.max(LEAST_CHARS, Math.min(longest, Math.floor(room * MOST_CHARS_PER_TOKEN)));
	for (;;) {
		const shown = parts.map((part) => withShortResult(part, chars));
		if (tokensOfReply(shown) <= room * CUT_SHARE || chars === LEAST_CHARS)
			return { parts: shown, cut: shown.filter((part, at) => part !== parts[at]).length };
		chars = Math.max(LEAST_CHARS, Math.floor(chars * CUT_STEP));
	}
}

function withShortResult(part: MessagePart, chars: number): MessagePart {
	if (part.type !== 'tool' || !part.result || part.result.text.length <= chars) return part;
	const text = cutCodePoints(part.result.text, chars);
	const left = part.result.text.length - text.length;
	const note = `[cut here: ${left} more characters do not fit what you can read at once. Ask for less at a time, or for the part that you need.]`;
	return { ...part, result: { ...part.result, text: `${text}\n${note}` } };
}

/** The plan as the model is told of it: with notes and in full where that is a small share of the prompt, else a short line a step. */
export function fitPlan(plan: Plan, budget: number, count: CountTokens): string {
	const whole = planText(plan);
	if (count(whole) <= budget * PLAN_SHARE) return whole;
	const steps = plan.steps.map(({ id, text, state }) => ({ id, state, text: shortLine(text) }));
	return `${planText({ steps })}\n(Each step is shortened here, and notes are left out.)`;
}

function shortLine(text: string): string {
	return text.length <= PLAN_LINE_CHARS ? text : `${cutCodePoints(text, PLAN_LINE_CHARS - 1)}…`;
}
