import { expect, test } from 'vitest';
import type { Label } from '../../../src/domain/label.ts';
import { EVENT_PAYLOAD_CHARS } from '../../../src/domain/run.ts';
import { fileKey, fits, isBeingLoaded, isLeftOut } from '../../../src/tasks/triggers/file-names.ts';
import { newsOf, Settling } from '../../../src/tasks/triggers/file-news.ts';
import type { FoundFile } from '../../../src/tasks/triggers/file-scan.ts';
import { quietUntil, standAsOne } from '../../../src/tasks/triggers/quiet.ts';

const file = (version: string, more: Partial<FoundFile> = {}): FoundFile => ({ bytes: 3, version, isUnfinished: false, ...more });
const found = (files: Record<string, FoundFile>, hidden: string[] = []) => ({ files: new Map(Object.entries(files)), hidden });
const known = (files: Record<string, string>) => new Map(Object.entries(files).map(([path, version]) => [fileKey(path), version]));

test('each event begins the quiet time anew, and a stream that never rests fires all the same', () => {
	expect(quietUntil({ first: 1_000, last: 1_000 }, 5)).toBe(6_000);
	expect(quietUntil({ first: 1_000, last: 9_000 }, 5)).toBe(14_000);
	expect(quietUntil({ first: 0, last: 99_000 }, 5)).toBe(100_000);
	expect(quietUntil({ first: 0, last: 700_000 }, 60)).toBe(600_000);
	expect(quietUntil({ first: 0, last: 3_000_000 }, 3_600)).toBe(6_600_000);
	expect(quietUntil({ first: 1_000, last: 1_000 }, 0)).toBe(1_000);
});

test('a clock that is set back between two events makes nothing wait for longer', () => {
	expect(quietUntil({ first: 50_000, last: 10_000 }, 5)).toBe(55_000);
});

test('events stand as one with all that there is room for, under the label of the least trusted', () => {
	const event = (payload: string | undefined, label: Label = 'owner', name = 'hearth trigger a') => ({
		name,
		label,
		payload,
		leavesOut: false,
	});
	expect(standAsOne([event('x'), event('y', 'external')], 7)).toEqual({
		slot: 7,
		cause: { name: 'hearth trigger a', label: 'external', events: 2 },
		payload: { events: ['x', 'y'] },
	});
	const file = (item: string) => ({ ...event(item, 'external', 'Files in /in'), item });
	expect(standAsOne([file('a.pdf'), file('b.pdf'), file('a.pdf'), file('c.pdf'), file('d.pdf')], 7).cause).toEqual({
		name: 'Files in /in',
		label: 'external',
		events: 5,
		items: ['a.pdf', 'b.pdf', 'c.pdf'],
	});
	expect(standAsOne([event(undefined)], 7).payload).toBeUndefined();
	expect(standAsOne([event('x'), event('x', 'owner', 'You came back')], 7).cause.name).toBe('hearth trigger a and 1 more');
	const large = 'x'.repeat(EVENT_PAYLOAD_CHARS / 2 - 2);
	expect(standAsOne([event(large), event(large), event('y'), event('z')], 7).payload).toEqual({ events: [large, large], leftOut: 2 });
	expect(standAsOne([event('x'), { ...event(undefined), leavesOut: true }], 7).payload).toEqual({ events: ['x'], leftOut: 1 });
	// The largest payload that a script may send is never left out.
	expect(standAsOne([event('x'.repeat(EVENT_PAYLOAD_CHARS - 2))], 7).payload).not.toHaveProperty('leftOut');
});

test.each(['.hidden', 'a.tmp', 'A.TMP', 'b.pdf.part', 'c.crdownload', '~$report.docx', 'notes.txt~', '.goutputstream-X', 'x.swp', '#a#'])(
	'%s is not yet what it will be',
	(name) => expect(isLeftOut(name)).toBe(true),
);

test.each(['report.pdf', 'partial.pdf', 'tmp', 'yarn.lock', 'a.b.c', 'ärger.txt', 'part', 'x.swx.txt'])('%s is a file', (name) =>
	expect(isLeftOut(name)).toBe(false),
);

test('a browser’s place-holder is not a file while the rest is loaded beside it', () => {
	expect(isBeingLoaded('a.pdf', new Set(['a.pdf', 'a.pdf.part']))).toBe(true);
	expect(isBeingLoaded('a.pdf', new Set(['a.pdf', 'b.pdf.part']))).toBe(false);
});

test('names fit a pattern in capitals or not, with braces, and the name alone', () => {
	expect(fits('SCAN.PDF', '*.pdf')).toBe(true);
	expect(fits('scan.png', '*.{jpg,PNG}')).toBe(true);
	expect(fits('scan.png', '*.pdf')).toBe(false);
	expect(fits('anything', undefined)).toBe(true);
});

test('what is new or was written to is a candidate; what has another name only is not, and what is still loaded waits', () => {
	const news = newsOf(
		known({ '/a/same': '3:1:10', '/a/written': '3:1:11', '/a/renamed': '3:1:12', '/a/gone': '3:1:13', '/a/remounted': '3:1:14' }),
		found({
			'/a/same': file('3:1:10'),
			'/a/written': file('4:2:11', { bytes: 4 }),
			'/a/done/renamed': file('3:1:12'),
			'/a/remounted': file('3:1:99'),
			'/a/new': file('3:5:20'),
			'/a/loading': file('0:5:21', { isUnfinished: true }),
		}),
	);
	expect(news.candidates.map(({ path }) => path)).toEqual(['/a/written', '/a/new']);
	expect(news.moved).toEqual([{ from: fileKey('/a/renamed'), to: '/a/done/renamed', version: '3:1:12' }]);
	expect(news.gone).toEqual([fileKey('/a/gone')]);
});

test('what lies in a folder that can’t be looked into is not gone', () => {
	expect(newsOf(known({ '/a/b/c': '1:1:1' }), found({}, ['/a/b'])).gone).toEqual([]);
});

test('a file is whole once nobody wrote to it for a while; an empty one must be left alone for longer', () => {
	const settling = new Settling(2_000, 10_000);
	const one = { path: '/a', version: '1', bytes: 1 };
	const empty = { path: '/e', version: '0', bytes: 0 };
	expect(settling.settled([one, empty], 0)).toEqual([]);
	expect(settling.settled([{ ...one, version: '2' }, empty], 1_999)).toEqual([]);
	expect(settling.settled([{ ...one, version: '2' }, empty], 3_998)).toEqual([]);
	expect(settling.settled([{ ...one, version: '2' }, empty], 3_999)).toEqual([{ ...one, version: '2' }]);
	expect(settling.waits).toBe(true);
	expect(settling.settled([empty], 10_000)).toEqual([empty]);
	expect(settling.waits).toBe(false);
});
