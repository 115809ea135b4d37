import { create } from 'zustand';
import type { LiveEvent } from '../../src/contract/events.ts';
import { cutCodePointsFromStart } from '../../src/domain/text.ts';

/** What calls under way put out, while they run: nothing of it is kept, since their results are. */

/** UTF-16 units of a call that are shown at once; of more, the newest. */
const MOST_SHOWN = 40_000;
/** Calls whose output is held; the oldest leave first. */
const MOST_CALLS = 20;

export interface ShownOutput {
	/** Where the next piece belongs. */
	readonly end: number;
	readonly text: string;
	/** Something before it is not here: it was too much, or came before this view did. */
	readonly cut: boolean;
}

type ToolOutputEvent = Extract<LiveEvent, { type: 'tool_output' }>;

const useOutputs = create<{ readonly byCall: ReadonlyMap<string, ShownOutput> }>()(() => ({ byCall: new Map() }));

export function useToolOutput(runId: string | null, callId: string): ShownOutput | undefined {
	return useOutputs((state) => (runId === null ? undefined : state.byCall.get(keyOf(runId, callId))));
}

export function addToolOutput(events: readonly ToolOutputEvent[]): void {
	if (events.length === 0) return;
	const byCall = new Map(useOutputs.getState().byCall);
	for (const event of events) {
		const key = keyOf(event.runId, event.callId);
		const before = byCall.get(key);
		// At the end of the list: those that go on stay longest.
		byCall.delete(key);
		byCall.set(key, withPiece(before, event));
	}
	for (const key of byCall.keys()) if (byCall.size > MOST_CALLS) byCall.delete(key);
	useOutputs.setState({ byCall });
}

/** What was there belongs to a life of the runtime that is over. */
export function dropToolOutput(): void {
	useOutputs.setState({ byCall: new Map() });
}

/** The same piece twice changes nothing. Pure. */
export function withPiece(before: ShownOutput | undefined, { offset, text }: Pick<ToolOutputEvent, 'offset' | 'text'>): ShownOutput {
	const end = before?.end ?? 0;
	if (before && offset + text.length <= end) return before;
	const follows = offset === end;
	const whole = follows ? (before?.text ?? '') + text : text;
	const shown = cutCodePointsFromStart(whole, MOST_SHOWN);
	const cut = shown.length < whole.length || (follows ? before?.cut === true : offset > 0);
	return { end: offset + text.length, text: shown, cut };
}

function keyOf(runId: string, callId: string): string {
	return JSON.stringify([runId, callId]);
}
