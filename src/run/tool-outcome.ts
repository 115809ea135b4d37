import { HearthError } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import { isWithin } from '../domain/label.ts';
import { planFollows } from '../domain/plan.ts';
import type { Tool, ToolContext, ToolOutput } from '../tools/port.ts';
import type { FirewallDoor, GateOutcome } from './gate-port.ts';
import { capped, KeptOutput } from './tool-output.ts';
import { madeFrom } from './tool-sources.ts';

/** What becomes of a tool's output, or of its failure. */

/** Time a tool gets to end after it was told to stop, before it is left behind. */
const GRACE_MS = 1_500;

/** What is kept of a tool's output. A plan that does not follow from the one before fails the call. */
export function outcomeOf(
	output: ToolOutput,
	tool: Tool,
	{ plan: before }: Pick<ToolContext, 'plan'>,
	redacted: FirewallDoor['redacted'],
): Omit<GateOutcome, 'stopped' | 'ended'> {
	const checked = KeptOutput.safeParse(output);
	if (!checked.success)
		return failed(`“${tool.title}” gave back what can’t be kept.${tool.effect === 'effectful' ? ' It may have taken effect.' : ''}`);
	const { label: given, sources: from, plan, opened, closed, ...result } = checked.data;
	if (plan && !planFollows(before, plan)) return failed('The plan can’t become this: steps stay, and what is done or skipped stays so.');
	const { label, sources } = madeFrom(tool, { ...(given && { label: given }), ...(from && { sources: from }) });
	return {
		result: { ...result, text: redacted(capped(result.text, tool.outputCap), label) },
		label,
		...(sources && { sources }),
		...(plan && { plan }),
		...(opened && { opened: [...opened] }),
		...(closed && { closed: [...closed] }),
	};
}

/** What a tool threw: its words may be those of whoever it talked to. */
export function failureOf(error: unknown, tool: Tool, redacted: FirewallDoor['redacted']): GateOutcome {
	const { label, sources } = madeFrom(tool);
	const outcome = failed(redacted(capped(error instanceof HearthError ? error.message : errorText(error), tool.outputCap), label));
	const result = isHopeless(error) ? { ...outcome.result, hopeless: true as const } : outcome.result;
	return { ...outcome, result, label, ...(sources && { sources }) };
}

/** With what the detectors say of it, where others may have written it. */
export async function inspected<Outcome extends Pick<GateOutcome, 'result' | 'label'>>(
	outcome: Outcome,
	firewall: Pick<FirewallDoor, 'inspectOutside'>,
	runId: RunId,
): Promise<Outcome> {
	if (isWithin(outcome.label, 'agent')) return outcome;
	return { ...outcome, result: { ...outcome.result, inspection: await firewall.inspectOutside(outcome.result.text, runId) } };
}

/** Said by Hearth itself. */
export function failed(text: string): GateOutcome {
	return { result: { text, isError: true }, label: 'agent', stopped: false };
}

/** What is missing or in the way now may be otherwise the next time. */
function isHopeless(error: unknown): boolean {
	return error instanceof HearthError && error.kind === 'terminal' && error.code !== 'not_found' && error.code !== 'conflict';
}

export function errorText(error: unknown): string {
	return error instanceof Error && error.message !== '' ? `It failed: ${error.message}` : 'It failed.';
}

/** The tool's own outcome, or a rejection when it has not ended within the grace time after `signal`. */
export async function settled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	let giveUp = () => {};
	const deadline = new Promise<never>((_, reject) => {
		giveUp = () => {
			timer = setTimeout(() => reject(new Error('stopped')), GRACE_MS);
		};
	});
	if (signal.aborted) giveUp();
	else signal.addEventListener('abort', giveUp, { once: true });
	try {
		return await Promise.race([work, deadline]);
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', giveUp);
	}
}
