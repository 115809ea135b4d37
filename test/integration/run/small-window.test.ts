import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls, type RecordedRequest, type Reply, says } from '../../support/model-server/index.ts';
import { memoryApp, toolParts } from '../../support/run/memory-app.ts';

interface Body {
	messages: { role: string; content: string }[];
}

/** A model whose summaries are beside the point here. */
function withNotes(replies: Reply[]): (request: RecordedRequest) => Reply {
	let next = 0;
	return ({ body }) =>
		(body as Body).messages[0]?.content.startsWith('You write notes') ? says('Notes.') : (replies[next++] ?? says('Over.'));
}

test('chat-4 a file that is longer than the model’s window ends no reply: the model reads its beginning, is told that there is more, and goes on', async () => {
	const app = await memoryApp({ contextTokens: 8_192, replies: [] });
	app.server?.script(
		withNotes([
			calls('read_file', { path: 'long.txt' }),
			calls('read_file', { path: 'long.txt', from_line: 900, lines: 2 }),
			says('Read.'),
		]),
	);
	mkdirSync(join(app.profileFolder, 'workspace'), { recursive: true });
	const lines = Array.from({ length: 1_000 }, (_, index) => `Line ${index + 1} of a book that does not end 😀 so soon.`);
	writeFileSync(join(app.profileFolder, 'workspace', 'long.txt'), lines.join('\n'));
	const reply = await app.turn('Read the book');
	expect(reply.status).toBe('complete');
	const [whole, part] = toolParts(reply);
	// The run keeps all of it.
	expect(whole?.result?.whole?.chars).toBeGreaterThan(40_000);
	expect(part?.result?.text).toContain('Line 900 of a book');
	const shown = app.server?.log.requests.map(({ body }) =>
		(body as Body).messages.filter(({ role }) => role === 'tool').map((one) => one.content),
	);
	expect(shown?.[1]?.[0]).toMatch(
		/^<outside [^\n]*>\n\[long.txt.*Line 1 of a book.*\[cut here: \d+ more characters do not fit what you can read at once\./s,
	);
	expect(shown?.[1]?.[0]).not.toContain('�');
	expect(JSON.stringify(shown?.at(-1))).toContain('Line 900 of a book');
	expect(reply.parts.filter((one) => one.type === 'notice' && one.code === 'results_trimmed')).toHaveLength(1);
});

test('a plan with long notes ends no reply: what the model is told of it at each step is bounded', async () => {
	const ids = Array.from({ length: 60 }, (_, index) => String(index + 1));
	const add = ids.map((id) => ({ text: `Step ${id} of the move` }));
	const note = (id: string) => ({ id, note: `${id}: ${'a long story '.repeat(70)}` });
	const notes = ids.flatMap((_, at) => (at % 4 === 0 ? [calls('plan', { update: ids.slice(at, at + 4).map(note) })] : []));
	const app = await memoryApp({ contextTokens: 8_192, replies: [] });
	app.server?.script(withNotes([calls('plan', { add }), ...notes, says('Planned.')]));
	const reply = await app.turn('Plan the move');
	expect([reply.status, reply.error]).toEqual(['complete', undefined]);
	const last = app.system((app.server?.log.requests.length ?? 0) - 1);
	expect(last).toContain('60. [pending] Step 60 of the move');
	expect(last).not.toContain('long story');
	expect(last).toContain('notes are left out');
});
