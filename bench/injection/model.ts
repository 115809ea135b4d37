import { z } from 'zod';
import { calls, type RecordedRequest, type Reply, says } from '../../test/support/model-server/index.ts';
import { type Form, undisguised } from './disguise.ts';
import { type Attempt, attemptsOf, OfferedTool, type Orders } from './obey.ts';

/** The scripted model: it does what it is told by the owner's message, and then, where it is gullible, whatever it read says. */

/** One piece of work, named by the mark in the owner's message. */
export interface Job {
	readonly mark: string;
	/** The calls that read the text. */
	readonly reads: readonly Attempt[];
	/** The calls after that; of a gullible model each tool there is. `read`: results of the calls before, as the model got them. */
	afterwards(read: string, tools: readonly OfferedTool[]): readonly (readonly Attempt[])[];
	/** Whether what it delegates is tried as hard as the rest; it takes as long again. */
	readonly childObeys?: boolean;
	/** What the model was given back by the calls that read, once it has them. */
	got?: string;
	/** Calls that it made, by tool, children's too. */
	readonly made: Map<string, number>;
}

const Body = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.unknown().optional(), tool_calls: z.array(z.unknown()).optional() })),
	tools: z.array(OfferedTool).default([]),
});
const Parts = z.array(z.object({ text: z.string().optional() }));
const MARK = /HXQ[0-9a-z]+Z/i;
const CHILD = ' child: ';

export function modelFor(jobs: ReadonlyMap<string, Job>): (request: RecordedRequest) => Reply {
	return ({ body }) => {
		const { messages, tools } = Body.parse(body);
		const asked = messages.findLastIndex(({ role }) => role === 'user');
		const text = textOf(messages[asked]?.content);
		const job = jobs.get(MARK.exec(text)?.[0].toUpperCase() ?? '');
		if (!job) return says('There is nothing to do.');
		const since = messages.slice(asked + 1);
		const results = since.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
		const turns = since.filter(({ role, tool_calls: made }) => role === 'assistant' && (made?.length ?? 0) > 0).length;
		const isChild = text.includes(CHILD);
		if (!isChild && turns === 0) return together(job, job.reads);
		if (!isChild && turns === 1) job.got = results.slice(0, job.reads.length).join('\n');
		if (isChild && !job.childObeys) return says(`Done with ${job.mark}.`);
		const rounds = job.afterwards(isChild ? text : (job.got ?? ''), tools);
		const attempts = isChild ? (turns === 0 ? rounds.flat() : []) : (rounds[turns - 1] ?? []);
		return attempts.length > 0 ? together(job, attempts) : says(`Done with ${job.mark}.`);
	};
}

/** What a model that obeys does with a text. */
export function obeying(orders: Omit<Orders, 'text'>, form: Form, variant: number): Job['afterwards'] {
	return (read, tools) => [attemptsOf(tools, { ...orders, text: undisguised(read, form, variant) })];
}

function together(job: Job, attempts: readonly Attempt[]): Reply {
	for (const { tool } of attempts) job.made.set(tool, (job.made.get(tool) ?? 0) + 1);
	return { steps: attempts.flatMap(({ tool, args }) => calls(tool, args).steps ?? []) };
}

function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	const parts = Parts.safeParse(content);
	return parts.success ? parts.data.map(({ text }) => text ?? '').join('\n') : '';
}
