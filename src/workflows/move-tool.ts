import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import type { WorkflowStateName } from '../domain/workflow.ts';
import type { Tool } from '../tools/port.ts';
import { MOVE_TOOL, offeredWays } from './action.ts';
import type { StateDefinition } from './definition.ts';
import type { WorkflowEventOf } from './events.ts';
import { type Data, valuesOf } from './state.ts';
import { choicesOf } from './ways.ts';

const MOST_CHARS = 20_000;
const Value = z.union([z.string().max(MOST_CHARS), z.number(), z.boolean(), z.null()]);

/**
 * How an agent says where its workflow goes: a tool of that one run, whose only choices are the ways out of the state that the instance is in.
 * It can't skip a state or invent one. The last choice before the run's end holds.
 */
export function moveTool(
	here: StateDefinition,
	data: Data,
	choose: (choice: Pick<WorkflowEventOf<'chosen'>, 'to' | 'data' | 'label' | 'sources'>) => void,
): Tool | undefined {
	const [first, ...rest] = offeredWays(here);
	if (first === undefined) return undefined;
	const fields = [...here.save].map(([name, what]) => [name, Value.optional().describe(what)] as const);
	const schema = z.object({
		to: z.enum([first, ...rest]).describe('The state that comes next.'),
		data: z
			.strictObject(Object.fromEntries(fields))
			.default({})
			.describe(fields.length > 0 ? 'What you found out.' : 'Nothing is asked for.'),
	});
	const tool: Tool<z.infer<typeof schema>> = {
		name: MOVE_TOOL,
		title: 'Move the workflow on',
		description: `Says where the workflow goes after ${here.name}, and what was found out. Call it once, when the work of this state is done; then end your reply.`,
		schema,
		effect: 'idempotent',
		timeoutMs: 30_000,
		outputCap: 2_000,
		run: async ({ to, data: found }, { label, sources }) => {
			const given: Record<string, Json> = {};
			for (const [name, value] of Object.entries(found)) if (value !== undefined && value !== null) given[name] = value;
			const choices = choicesOf(here, { ...valuesOf(data), ...given });
			const choice = choices.find((each) => each.to === to);
			if (!choice?.open) {
				const open = choices.filter((each) => each.open).map((each) => each.to);
				return {
					text: `${to} is only open where ${choice?.guard}. Open now: ${open.join(', ') || 'none'}.`,
					isError: true,
				};
			}
			choose({ to: to as WorkflowStateName, data: given, label, ...(sources && { sources: [...sources] }) });
			return { text: `Noted: the workflow goes to ${to} when you end your reply.`, isError: false, summary: to };
		},
	};
	return tool as Tool;
}
