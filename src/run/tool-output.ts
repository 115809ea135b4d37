import { z } from 'zod';
import { ContextSource } from '../domain/context-source.ts';
import { Label } from '../domain/label.ts';
import { Plan } from '../domain/plan.ts';
import { cutCodePoints, repairSurrogates } from '../domain/text.ts';
import { LiveResource, ToolResult } from '../domain/tool.ts';

/** What a tool gives back, as it can be written down: what the journal can't hold would leave the run at this step for ever. */
export const KeptOutput = ToolResult.extend({
	label: Label.optional(),
	sources: z.array(ContextSource).optional(),
	plan: Plan.optional(),
	opened: z.array(LiveResource).optional(),
	closed: z.array(z.string()).optional(),
});

/** Cut on a code point, and said so (chat-4). */
export function capped(text: string, cap: number): string {
	const whole = repairSurrogates(text);
	if (whole.length <= cap) return whole;
	return `${cutCodePoints(whole, cap)}\n[cut here: ${whole.length - cap} more characters]`;
}
