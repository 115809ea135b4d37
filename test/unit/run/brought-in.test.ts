import { expect, test } from 'vitest';
import { sha256 } from '../../../src/base/sha256.ts';
import type { ContextSource } from '../../../src/domain/context-source.ts';
import type { Label } from '../../../src/domain/label.ts';
import type { MessagePart } from '../../../src/domain/message.ts';
import { broughtIn } from '../../../src/run/brought-in.ts';

const PAGE = 'Opening hours\nThe ferry to Norderney leaves at 7:40 every weekday.\nTickets are sold on board.';
const HASH = 'a'.repeat(64);
const page: ContextSource = {
	kind: 'page',
	name: 'ferry.example/times',
	label: 'external',
	url: 'https://ferry.example/times?day=1',
	at: 111,
	hash: HASH,
};

function result(tool: string, text: string, label: Label, sources: ContextSource[] = [], whole?: string): MessagePart {
	const kept = whole === undefined ? {} : { whole: { hash: sha256(whole), chars: whole.length } };
	return {
		type: 'tool',
		callId: tool,
		tool,
		args: {},
		status: 'done',
		result: { text, isError: false, ...kept },
		label,
		sources,
		finishedAt: 222,
	};
}

const from = (parts: MessagePart[], text: string, quote?: string, whole: (hash: string) => string | undefined = () => undefined) =>
	broughtIn({ parts, createdAt: 1 }, { text, quote }, whole);

test('M2 a text from a page names its address, when it was fetched, the hash of what was fetched, and the exact words with their place', () => {
	const quote = 'The ferry to Norderney leaves at 7:40 every weekday.';
	const start = PAGE.indexOf(quote);
	const expected = [{ kind: 'url', url: page.url, fetchedAt: 111, fetchedHash: HASH, quote, start, end: start + quote.length }];
	expect(from([result('fetch_url', PAGE, 'external', [page])], 'The ferry leaves at 7:40.', quote)).toEqual(expected);
	// In the model's own words, too.
	expect(from([result('fetch_url', PAGE, 'external', [page])], 'Ferry to Norderney leaves weekday mornings at 7:40')).toEqual(expected);
});

test('M2 a text from a file, a tool server, a command or delegated work names it', () => {
	const file: ContextSource = { kind: 'file', name: 'workspace/ferry.md', label: 'external', hash: HASH };
	expect(from([result('read_file', PAGE, 'external', [file])], 'Tickets are sold on board.')).toEqual([
		{ kind: 'file', path: 'workspace/ferry.md', hash: HASH, quote: 'Tickets are sold on board.' },
	]);
	for (const kind of ['server', 'command', 'child', 'search'] as const) {
		const sources: ContextSource[] = [{ kind, name: 'times · lookup', label: 'external' }];
		expect(from([result('x', PAGE, 'external', sources)], 'Tickets are sold on board.')).toEqual([
			{ kind: 'tool', of: kind, name: 'times · lookup', at: 222, hash: sha256(PAGE), quote: 'Tickets are sold on board.' },
		]);
	}
});

test('M2 of a result from several files the one that is named before the words is meant', () => {
	const files = ['a.md', 'b.md', 'c.md'].map((name): ContextSource => ({ kind: 'file', name: `workspace/${name}`, label: 'external' }));
	const text = 'workspace/a.md:1: Ferries are slow.\nworkspace/b.md:9: Tickets are sold on board.\nworkspace/c.md:2: The sea is cold.';
	expect(from([result('search_files', text, 'external', files)], 'Tickets are sold on board.')).toMatchObject([
		{ kind: 'file', path: 'workspace/b.md' },
	]);
});

test('M2 a large result is read whole', () => {
	const whole = `${'x '.repeat(3_000)}\nTickets are sold on board.`;
	const part = result('fetch_url', whole.slice(0, 100), 'external', [page], whole);
	expect(from([part], 'Tickets are sold on board.', undefined, (hash) => (hash === sha256(whole) ? whole : undefined))).toMatchObject([
		{ kind: 'url', quote: 'Tickets are sold on board.', start: whole.indexOf('Tickets') },
	]);
	expect(from([part], 'Tickets are sold on board.')).toEqual([]);
});

test('what the agent knew by itself, and what holds none of the words, is no source', () => {
	expect(from([result('memory_search', PAGE, 'agent')], 'Tickets are sold on board.')).toEqual([]);
	expect(from([result('fetch_url', PAGE, 'external', [page])], 'Elephants never forget anything important')).toEqual([]);
});
