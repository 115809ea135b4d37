import { calls, type RecordedRequest, type Reply, says } from '../test/support/model-server/index.ts';
import { CHORE_TEXT } from './crash-chores.ts';
import { OUTSIDE, OUTSIDE_REPLIES } from './crash-outside.ts';
import { CHILD_REPLIES, CHILD_TASK, REPLIES } from './crash-work.ts';

/** Of the chores. */
const CHORE_REPLIES: ReadonlyMap<number, Reply> = new Map([
	[0, calls('memory_write', { text: 'The key is under the mat.', reason: 'the letter says so' })],
	[1, calls('write_file', { path: 'draft.txt', content: 'a draft' })],
	[2, calls('delete_file', { path: 'draft.txt' })],
	[3, says('Kept, and cleared up.')],
]);

interface Body {
	messages: { role: string; content?: unknown }[];
}

/** Which run asked, and which of its model calls this is, from 0. */
export function placeOf(request: RecordedRequest): { run: 'work' | 'child' | 'chore'; call: number; reply: Reply } {
	const { messages } = request.body as Body;
	const own = messages.findLastIndex((message) => message.role === 'user');
	const asked = JSON.stringify(messages[own]?.content ?? '');
	const run = asked.includes(CHILD_TASK) ? 'child' : asked.includes(CHORE_TEXT) ? 'chore' : 'work';
	const results = messages.slice(own).filter((message) => message.role === 'tool').length;
	const ofWork = asked.includes(OUTSIDE.text) ? OUTSIDE_REPLIES : REPLIES;
	const replies = { work: ofWork, child: CHILD_REPLIES, chore: CHORE_REPLIES }[run];
	const reply = replies.get(results) ?? says('There is nothing more to do.');
	return { run, call: [...replies.keys()].indexOf(results), reply };
}
