import { z } from 'zod';
import { Json } from '../domain/json.ts';
import { EventName } from '../domain/run.ts';
import { WorkflowStateName } from '../domain/workflow.ts';
import { type Duration, readDuration } from './duration.ts';
import { type Guard, readGuard } from './guard.ts';

/** The shapes of a workflow file. What a shape can't say (names that must exist, ways through) is in `check.ts`. */

const Words = z.string().trim().min(1, 'It is empty.');
export const DataName = z
	.string()
	.regex(/^[a-z][a-z0-9_]{0,63}$/, 'Use small letters, digits and _, starting with a letter.')
	.refine((name) => !['today', 'now', 'workflow', 'state'].includes(name), 'This name is Hearth’s own. Choose another.');

const Span = z.string({ error: 'Write a number and a unit, such as 3 days.' }).transform((text, ctx): { text: string; ms: number } => {
	const read: Duration = readDuration(text);
	if (read.ok) return { text: text.trim(), ms: read.ms };
	ctx.addIssue({ code: 'custom', message: read.problem });
	return z.NEVER;
});

const When = z.unknown().transform((value, ctx): Guard => {
	const { guard, problems } = readGuard(value);
	for (const { path, message, onKey } of problems) ctx.addIssue({ code: 'custom', message, path: [...path], params: { onKey } });
	return guard;
});

const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'A tool’s name has small letters, digits and _.');

const Agent = z.strictObject({
	prompt: Words,
	tools: z.array(ToolName).default([]),
	/** `provider/model`. */
	model: z
		.string()
		.regex(/^[a-z0-9][a-z0-9._-]*\/.+$/, 'Name the provider and the model: provider/model.')
		.optional(),
	maxModelCalls: z.number().int().min(1).max(200).optional(),
});

const Wait = z.preprocess(
	(value) => (typeof value === 'string' ? { for: value } : value),
	z
		.strictObject({ for: Span.optional(), until: Words.optional() })
		.refine((wait) => (wait.for === undefined) !== (wait.until === undefined), 'Say either how long (`for`) or until when (`until`).'),
);

const Choice = z.string({ error: 'A choice is a text; put it in quotes.' }).trim().min(1).max(200);

export const TransitionShape = z.strictObject({
	to: WorkflowStateName,
	on: z.string({ error: '`on` is a text; put it in quotes.' }).trim().min(1).max(500).optional(),
	when: When.optional(),
});

export const StateShape = z.strictObject({
	title: Words.max(200).optional(),
	agent: z.preprocess((value) => (typeof value === 'string' ? { prompt: value } : value), Agent).optional(),
	tool: z.strictObject({ name: ToolName, args: z.record(z.string(), Json).default({}) }).optional(),
	wait: Wait.optional(),
	event: EventName.optional(),
	/** How far what comes with the event is to be trusted: `external` where somebody else wrote it. */
	label: z.enum(['owner', 'external'], 'Say owner or external.').optional(),
	ask: z.strictObject({ question: Words.max(4_000), choices: z.array(Choice).min(2).max(8).optional() }).optional(),
	final: z.literal(true).optional(),
	set: z.record(z.string(), z.union([z.strictObject({ add: z.number() }), z.string(), z.number(), z.boolean()])).default({}),
	save: z.record(z.string(), Words.max(500)).default({}),
	transitions: z.array(TransitionShape, { error: 'Transitions are a list: one `- to: STATE` a line.' }).default([]),
	timeout: z.strictObject({ after: Span, to: WorkflowStateName }).optional(),
	retries: z.strictObject({ times: z.number().int().min(1).max(100), wait: Span.optional() }).optional(),
});
export type StateShape = z.infer<typeof StateShape>;

const InputShape = z.preprocess(
	(value) => (typeof value === 'string' ? { title: value } : (value ?? {})),
	z.strictObject({ title: Words.max(200).optional(), required: z.boolean().optional(), default: Json.optional() }),
);

export const WorkflowShape = z.strictObject({
	title: Words.max(200),
	description: z.string().trim().max(2_000).default(''),
	inputs: z.record(z.string(), InputShape).default({}),
	start: WorkflowStateName,
	/** Each by `StateShape`, apart, so that a slip in one does not hide those of the others. */
	states: z.record(z.string(), z.unknown()),
});

export const ACTION_KEYS = ['agent', 'tool', 'wait', 'event', 'ask', 'final'] as const;
export const STATE_KEYS = Object.keys(StateShape.shape);
export const WORKFLOW_KEYS = Object.keys(WorkflowShape.shape);
