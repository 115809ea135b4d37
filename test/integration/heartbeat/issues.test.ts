import '../../support/draw.ts';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createIssuesReader } from '../../../src/heartbeat/readers/issues.ts';
import { createSourceFetch } from '../../../src/heartbeat/source-fetch.ts';
import { createGuardedFetch, type RequestRecord } from '../../../src/net/guarded-fetch.ts';
import { describeSourceReader } from '../../spec/source-reader.ts';
import { REPOSITORY, startForge } from '../../support/heartbeat/forge.ts';
import { readerLife } from '../../support/heartbeat/reader-life.ts';
import { failureOf } from '../../support/storage/folders.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const MINUTE = 60_000;

async function forge(service: 'github' | 'gitea', { pageSize, secret }: { pageSize?: number; secret?: string } = {}) {
	const server = await startForge(service, pageSize);
	onTestFinished(() => server.close());
	const calls: RequestRecord[] = [];
	const fetchSource = createSourceFetch(createGuardedFetch({ onRequest: (record) => void calls.push(record) }));
	const reader = createIssuesReader({ fetchSource });
	const place = { kind: 'issues', service, baseUrl: server.url, repository: REPOSITORY } as const;
	return { server, calls, reader, place, life: readerLife(reader, place, { now: NOW, ...(secret !== undefined && { secret }) }) };
}

for (const service of ['github', 'gitea'] as const)
	describeSourceReader(service, async () => {
		const { server, reader, place } = await forge(service);
		let at = NOW - 60 * MINUTE;
		return {
			reader,
			place,
			secret: 'ghp_a-token-of-a-forge',
			put: async (name, words) => {
				at += MINUTE;
				server.issue(name, at, { body: words });
			},
			hide: async () => {
				server.before = (_, response) => {
					response.writeHead(502).end();
					return true;
				};
			},
			show: async () => {
				server.before = undefined;
			},
			contents: async () => server.asked.filter((line) => !line.startsWith('GET ')),
		};
	});

test('issues, pull requests and comments are items; a change of title or state is a short one, anything else none', async () => {
	for (const service of ['github', 'gitea'] as const) {
		const { server, life } = await forge(service);
		const crash = server.issue('It crashes', NOW - 50 * MINUTE, { body: 'On start.' });
		server.issue('Make it faster', NOW - 40 * MINUTE, { body: 'Twice as fast.', pull_request: { merged_at: null } });
		server.comment(1, 'Here, too.', NOW - 30 * MINUTE);
		if (service === 'github') server.review(2, 'This line is slow.', NOW - 20 * MINUTE);
		const items = await life.news();
		expect(items.map(({ title, text }) => [title, text])).toEqual([
			['#1 It crashes', 'Issue #1 is open.\n\nOn start.'],
			['#2 Make it faster', 'Pull request #2 is open.\n\nTwice as fast.'],
			['Comment on #1 It crashes', 'Here, too.'],
			...(service === 'github' ? [['Comment on #2 Make it faster', 'On src/engine.ts:\n\nThis line is slow.']] : []),
		]);
		expect(items[0]).toMatchObject({ url: `${server.url}/${REPOSITORY}/issues/1`, author: 'grace', publishedAt: NOW - 50 * MINUTE });
		crash.updated = NOW - 10 * MINUTE;
		crash.body.labels = [{ name: 'bug' }];
		expect(await life.news()).toEqual([]);
		Object.assign(crash.body, { state: 'closed', state_reason: 'not_planned', closed_at: '2026-11-30T11:55:00Z' });
		crash.updated = NOW - 5 * MINUTE;
		expect((await life.news()).map(({ title, text }) => [title, text])).toEqual([
			['#1 It crashes', 'Issue #1 is now closed (not planned).'],
		]);
		crash.body.title = 'It crashes on start';
		crash.updated = NOW - 4 * MINUTE;
		expect((await life.news()).map(({ title }) => title)).toEqual(['#1 It crashes on start']);
		expect(await life.news()).toEqual([]);
	}
});

test('an issue of long ago comes when something happens to it; what happened before a month does not', async () => {
	const { server, life } = await forge('github');
	const old = server.issue('Of last year', NOW - 400 * 24 * 60 * MINUTE);
	server.issue('Nobody cares', NOW - 300 * 24 * 60 * MINUTE);
	expect(await life.news()).toEqual([]);
	old.updated = NOW - MINUTE;
	expect((await life.news()).map(({ title }) => title)).toEqual(['#1 Of last year']);
});

test('where nothing changed, GitHub is asked with what it said last and nothing comes', async () => {
	const { server, life } = await forge('github');
	server.issue('One', NOW - 50 * MINUTE);
	server.comment(1, 'And a comment.', NOW - 40 * MINUTE);
	await life.news();
	await life.news();
	const before = server.given();
	expect(await life.read()).toMatchObject({ items: [], bytes: 0 });
	expect(server.given()).toBe(before);
	server.issue('Two', NOW - 30 * MINUTE);
	expect((await life.news()).map(({ title }) => title)).toEqual(['#2 Two']);
});

test('B1 whatever changes between and within readings, nothing is told twice and nothing left out', async () => {
	const change = fc.oneof(
		{ weight: 5, arbitrary: fc.record({ kind: fc.constant('new' as const), count: fc.integer({ min: 1, max: 14 }) }) },
		{ weight: 3, arbitrary: fc.record({ kind: fc.constant('touch' as const), count: fc.integer({ min: 1, max: 6 }) }) },
		{ weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), count: fc.integer({ min: 1, max: 3 }) }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant('lost' as const), count: fc.constant(1) }) },
	);
	for (const service of ['github', 'gitea'] as const) {
		const [server, reader] = await forge(service, { pageSize: 3 }).then((made) => [made.server, made.reader] as const);
		let told = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 16 }), async (changes) => {
				server.issues.length = 0;
				const life = readerLife(reader, { kind: 'issues', service, baseUrl: server.url, repository: REPOSITORY }, { now: NOW });
				const some = { limits: { maxBytes: 16_000_000, maxItems: 8 } };
				let at = NOW - 10 * 24 * 60 * MINUTE;
				const seen: string[] = [];
				const read = async (): Promise<boolean> => {
					const reading = await life.read(some);
					seen.push(...life.keep(reading).map(({ keys }) => keys[0] ?? ''));
					return reading.more;
				};
				/** Of all that is there one is changed now: it moves behind the others while they are paged through. */
				const touch = (which: number): void => {
					const touched = server.issues[which % Math.max(1, server.issues.length)];
					if (touched) touched.updated = at;
				};
				let asked = 0;
				server.before = () => {
					asked += 1;
					at += 3 * MINUTE;
					if (asked % 3 === 0) touch(asked * 7);
					return false;
				};
				for (const { kind, count } of changes) {
					// Several of one second, so that pages end within one.
					at += count % 2 === 0 ? 3 * MINUTE : 0;
					for (let times = 0; times < count; times += 1) {
						if (kind === 'new') server.issue('New', at);
						else if (kind === 'read') await read();
						else if (kind === 'lost') await life.read(some);
						else touch(times * 7 + count);
					}
				}
				server.before = undefined;
				for (let rest = 0; rest < 100 && (await read()); rest += 1);
				expect(seen.sort()).toEqual(server.issues.map(({ id }) => `issue:${id}`).sort());
				told += seen.length;
			}),
			{ numRuns: 8 },
		);
		expect(told).toBeGreaterThan(30);
	}
});

test('B1 what changes while the pages are turned pushes no other over their edge', async () => {
	for (const [step, when] of [5 * MINUTE, 0].flatMap((each) => [2, 3, 4].map((turn) => [each, turn] as const))) {
		const { server, life } = await forge('github', { pageSize: 3 });
		for (let at = 0; at < 9; at += 1) server.issue(`Number ${at}`, NOW - 600 * MINUTE + at * step);
		let asked = 0;
		server.before = () => {
			asked += 1;
			const [first] = server.issues;
			if (asked === when && first) first.updated = NOW - MINUTE;
			return false;
		};
		expect(new Set((await life.news()).map(({ title }) => title)).size).toBe(9);
	}
});

test('B1 what leaves a second that is turned by pages, or a part of a long list, pushes no other over the edge of a page', async () => {
	const { server, life } = await forge('github', { pageSize: 3 });
	for (let at = 0; at < 3; at += 1) server.issue(`Known ${at}`, NOW - 60 * MINUTE);
	await life.news();
	server.issue('New of the same second', NOW - 60 * MINUTE);
	server.before = ({ url }) => {
		const [first] = server.issues;
		if (first && url?.includes('page=2')) first.updated = NOW - MINUTE;
		return false;
	};
	expect((await life.news()).map(({ title }) => title)).toEqual(['#4 New of the same second']);

	const long = await forge('gitea', { pageSize: 3 });
	for (let at = 0; at < 120; at += 1) long.server.issue(`Number ${at}`, NOW - (600 - 5 * at) * MINUTE);
	let moved = 0;
	long.server.before = ({ url }) => {
		const asked = new URL(url ?? '/', long.server.url).searchParams;
		const end = Date.parse(asked.get('before') ?? '');
		const newest = end > NOW ? undefined : long.server.issues.findLast(({ updated }) => updated <= end);
		if (newest && asked.get('page') === '2' && moved < 5) {
			newest.updated = NOW - MINUTE;
			moved += 1;
		}
		return false;
	};
	expect(new Set((await long.life.news()).map(({ title }) => title)).size).toBe(120);
	expect(moved).toBe(5);
});

test('more changes of one second than a page holds are walked to their end', async () => {
	const { server, life } = await forge('github', { pageSize: 10 });
	for (let at = 0; at < 75; at += 1) server.issue(`Moved ${at}`, NOW - 60 * MINUTE);
	server.issue('Later', NOW - 50 * MINUTE);
	const items = await life.news({ limits: { maxBytes: 16_000_000, maxItems: 20 } });
	expect(new Set(items.map(({ title }) => title)).size).toBe(76);
	expect(items).toHaveLength(76);
	expect(await life.news()).toEqual([]);
});

test('S3 a token goes along, and stands in no error; without one, or with a wrong one, it says what to do', async () => {
	for (const service of ['github', 'gitea'] as const) {
		const good = await forge(service, { secret: 'ghp_goodtoken' });
		good.server.token = 'ghp_goodtoken';
		good.server.issue('Private', NOW - MINUTE);
		expect(await good.life.news()).toHaveLength(1);
		const wrong = await forge(service, { secret: 'ghp_wrongtoken' });
		wrong.server.token = 'ghp_goodtoken';
		const refused = await failureOf(() => wrong.life.read());
		expect(refused.shape).toMatchObject({ kind: 'needs_owner', code: 'unauthorised' });
		expect(JSON.stringify(refused.shape)).not.toMatch(/ghp_|sk-user/);
		const none = await forge(service);
		none.server.token = 'ghp_goodtoken';
		expect((await failureOf(() => none.life.read())).shape).toMatchObject({ kind: 'needs_owner', code: 'source_missing' });
		expect(JSON.stringify([good.calls, wrong.calls])).not.toContain('ghp_');
		expect(good.calls.every(({ purpose }) => purpose === 'source')).toBe(true);
	}
});

test('asked too often: it waits as long as the server says, and what came before that is kept', async () => {
	const { server, life } = await forge('github');
	server.issue('One', NOW - 20 * MINUTE);
	server.comment(1, 'Later', NOW - 10 * MINUTE);
	const limited = (path: string, headers: Record<string, string>) => {
		server.before = (request, response) => {
			if (!request.url?.includes(path)) return false;
			response.writeHead(403, headers).end('{"message":"limit"}');
			return true;
		};
	};
	limited('/issues', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 90) });
	expect((await failureOf(() => life.read())).shape).toMatchObject({ kind: 'retryable', retryAfterMs: 90_000 });
	limited('/issues', { 'retry-after': '7' });
	expect((await failureOf(() => life.read())).shape).toMatchObject({ kind: 'retryable', retryAfterMs: 7_000 });
	limited('/issues', {});
	expect((await failureOf(() => life.read())).kind).toBe('terminal');
	limited('/comments', { 'retry-after': '7' });
	const half = await life.read();
	expect([half.items.length, half.more, half.note]).toEqual([1, false, expect.stringContaining('Not all could be read')]);
	life.keep(half);
	server.before = undefined;
	expect((await life.news()).map(({ text }) => text)).toEqual(['Later']);
});

test('answers that are none: broken entries are counted, nonsense is said', async () => {
	const { server, life } = await forge('github');
	server.issue('Good', NOW - 20 * MINUTE);
	server.issue('Without a number', NOW - 10 * MINUTE, { number: 'seven', html_url: 'javascript:alert(1)' });
	server.issue('Odd link', NOW - 5 * MINUTE, { html_url: 'javascript:alert(1)' });
	const reading = await life.read();
	expect(reading.items.map(({ title, url }) => [title, url?.slice(0, 4)])).toEqual([
		['#1 Good', 'http'],
		['#3 Odd link', undefined],
	]);
	expect(reading.note).toBe('One entry can’t be read.');
	for (const body of ['<html>', '{"message":"x"}', '[[[']) {
		server.before = (_, response) => {
			response.writeHead(200, { 'content-type': 'application/json' }).end(body);
			return true;
		};
		const error = await failureOf(() => life.read());
		expect([error.code, error.message.includes('x"')]).toEqual(['source_unreadable', false]);
	}
});

test('a Gitea has to be named; the address of GitHub is known', async () => {
	const { reader } = await forge('gitea');
	const place = { kind: 'issues', service: 'gitea', repository: REPOSITORY } as const;
	expect((await failureOf(() => readerLife(reader, place).read())).code).toBe('invalid_input');
});

test('for a glance the newest few are enough', async () => {
	for (const service of ['github', 'gitea'] as const) {
		const { server, life } = await forge(service);
		for (let at = 0; at < 30; at += 1) server.issue(`Number ${at}`, NOW - (60 - at) * MINUTE);
		const { items, more } = await life.read({ glance: true });
		expect([items.length, items.at(-1)?.title, more]).toEqual([10, '#30 Number 29', true]);
		expect(server.asked.length).toBe(service === 'github' ? 3 : 2);
	}
});
