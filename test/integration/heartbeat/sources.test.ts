import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunId } from '../../../src/domain/ids.ts';
import { type Entry, rss, startFeedServer } from '../../support/heartbeat/feeds.ts';
import { NEVER_STOPPED, sourceLife } from '../../support/heartbeat/sources.ts';
import { failureOf, openIn, temporaryFolder } from '../../support/storage/folders.ts';
import { setClock } from '../../support/timers.ts';
import { html, redirect, send } from '../../support/web-server.ts';

const AT = new Date(2026, 10, 30, 12).getTime();
const MINUTE = 60_000;

async function newLife() {
	const web = await startFeedServer();
	onTestFinished(() => web.close());
	const clock = setClock(AT);
	return { ...sourceLife(openIn(temporaryFolder()), { clock }), web, clock };
}

const entries = (count: number, from = 1): Entry[] =>
	Array.from({ length: count }, (_, at) => ({
		id: `e${from + count - 1 - at}`,
		title: `Entry ${from + count - 1 - at}`,
		text: `Words of entry ${from + count - 1 - at}.`,
	}));

test('what is due is read, each at most as often as its budget says, paused ones not at all', async () => {
	const life = await newLife();
	life.web.serve(rss(entries(2)));
	const often = await life.addFeed(`${life.web.url}/feed?a`, { title: 'Often', budget: { everyMinutes: 5 } });
	const seldom = await life.addFeed(`${life.web.url}/feed?b`, { title: 'Seldom', budget: { everyMinutes: 60 } });
	const paused = await life.addFeed(`${life.web.url}/feed?c`, { title: 'Paused' });
	life.sources.pause(paused.id, true);
	const due = async () => (await life.forLook.readDue({ signal: NEVER_STOPPED })).map(({ sourceId }) => sourceId);
	expect(new Set(await due())).toEqual(new Set([often.id, seldom.id]));
	expect(await due()).toEqual([]);
	life.clock.at += 5 * MINUTE;
	expect(await due()).toEqual([often.id]);
	expect((await life.forLook.readDue({ signal: NEVER_STOPPED, only: paused.id })).map(({ items }) => items)).toEqual([2]);
	expect(life.forLook.count()).toBe(2);
	expect(life.changes()).toBeGreaterThan(0);
});

test('one host is asked for one thing at a time, others meanwhile', async () => {
	const life = await newLife();
	const other = await startFeedServer();
	onTestFinished(() => other.close());
	let [now, most] = [0, 0];
	for (const web of [life.web, other])
		web.on('/slow', (_, response) => {
			if (web === life.web) most = Math.max(most, ++now);
			setTimeout(() => {
				if (web === life.web) now -= 1;
				response.writeHead(200, { 'content-type': 'text/xml' }).end(rss([]));
			}, 30);
		});
	for (let at = 0; at < 4; at += 1) await life.addFeed(`${life.web.url}/slow?${at}`);
	await life.addFeed(`${other.url}/slow`);
	expect(await life.forLook.readDue({ signal: NEVER_STOPPED })).toHaveLength(5);
	expect(most).toBe(1);
});

test('the budget of the day: what is beyond it waits for tomorrow, nothing is lost', async () => {
	const life = await newLife();
	life.web.serve(rss(entries(7)));
	const { id } = await life.addFeed(`${life.web.url}/feed`, { budget: { itemsPerDay: 5 } });
	await life.reading.read(id, NEVER_STOPPED);
	expect(life.forLook.withUnread()).toMatchObject([{ id, unread: 5 }]);
	expect(life.forLook.waiting()).toMatchObject({ titles: ['A source'], items: 7 });
	const [first, second] = ['run-1', 'run-2'] as RunId[] as [RunId, RunId];
	const three = life.forLook.unreadOf(id, 3);
	expect(three.map(({ title }) => title)).toEqual(['Entry 1', 'Entry 2', 'Entry 3']);
	const ids = three.map((item) => item.id);
	life.db.write((tx) => life.forLook.markLooking(tx, ids, first));
	expect(() => life.db.write((tx) => life.forLook.markLooking(tx, ids, second))).toThrow('unread');
	expect(life.forLook.itemsOf(first).map((item) => item.id)).toEqual(ids);
	life.db.write((tx) => life.forLook.markRead(tx, first));
	expect(life.forLook.unreadOf(id, 10).map(({ title }) => title)).toEqual(['Entry 4', 'Entry 5']);
	const two = life.forLook.unreadOf(id, 10).map((item) => item.id);
	life.db.write((tx) => life.forLook.markLooking(tx, two, second));
	expect(life.forLook.withUnread()).toEqual([]);
	life.db.write((tx) => life.forLook.markUnread(tx, second));
	expect(life.forLook.withUnread()).toMatchObject([{ unread: 2 }]);
	life.db.write((tx) => life.forLook.markLooking(tx, two, second));
	life.clock.at += 24 * 60 * MINUTE;
	expect(life.forLook.unreadOf(id, 10).map(({ title }) => title)).toEqual(['Entry 6', 'Entry 7']);
});

test('S3 what a secret address brings does not tell it: neither links below it, nor its words, nor where it has moved to', async () => {
	const life = await newLife();
	const moved = `${life.web.url}/feed/n3w-hunter2-key/all`;
	const secret = `${life.web.url}/feed/hunter2-key/all`;
	const linked = [
		{ id: 'a', title: 'Water', text: `It is at ${moved}`, link: 'day/1' },
		{ id: 'b', title: 'Fair', text: 'Soon.', link: moved },
	];
	life.web.on('/feed/n3w-hunter2-key/all', (_, response) => response.writeHead(301, { location: secret }).end());
	life.web.on('/feed/hunter2-key/all', (_, response) =>
		response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(rss(linked).replace('<link>https://paper.example/</link>', '')),
	);
	const source = await life.add({ kind: 'feed', url: moved, secretAddress: true }, { secret: moved });
	await life.reading.read(source.id, NEVER_STOPPED);
	expect(life.items(source.id).map(({ title }) => title)).toEqual(['Fair', 'Water']);
	expect(life.sources.get(source.id).health).toMatchObject({ kind: 'ok', note: expect.stringContaining('moved') });
	expect(JSON.stringify([life.sources.list(), life.items(source.id)])).not.toContain('n3w-hunter2');
	expect(JSON.stringify(life.sources.list())).not.toContain('hunter2');
});

test('S3 a secret address is read, kept in the secret store alone, and shown as its origin', async () => {
	const life = await newLife();
	const secret = `${life.web.url}/feed?token=hunter2`;
	life.web.serve(rss(entries(1)));
	const place = { kind: 'feed' as const, url: secret, secretAddress: true };
	const preview = await life.sources.preview({ place: { ...place, url: life.web.url } }, secret, NEVER_STOPPED);
	expect(preview).toMatchObject({ place: { url: life.web.url }, total: 1 });
	const source = await life.add(place, { secret });
	expect(source.place).toEqual({ kind: 'feed', url: life.web.url, secretAddress: true });
	expect(life.secrets.kept.get(`source:${source.id}`)).toBe(secret);
	await life.reading.read(source.id, NEVER_STOPPED);
	expect(life.items(source.id)).toHaveLength(1);
	expect(JSON.stringify([life.sources.list(), life.items(source.id), life.calls])).not.toContain('hunter2');
	expect(Buffer.concat([life.db.read.serialize()]).includes('hunter2')).toBe(false);
	expect(await failureOf(() => life.add(place, { secret }))).toMatchObject({ code: 'conflict' });
	expect(await failureOf(() => life.add(place, { secret: 'https://elsewhere.example/x' }))).toMatchObject({ code: 'invalid_input' });
	await life.add(place, { secret: `${life.web.url}/feed?token=another` });
	life.secrets.kept.delete(`source:${source.id}`);
	await life.reading.read(source.id, NEVER_STOPPED);
	expect(life.sources.get(source.id).health).toMatchObject({ kind: 'failed', error: { code: 'unauthorised' } });
	life.secrets.kept.set('source:of-one-that-is-gone', 'x');
	await life.sources.sweepSecrets();
	expect([...life.secrets.kept.keys()]).toHaveLength(1);
});

test('the same place is added once; another place is read anew and loses its secret', async () => {
	const life = await newLife();
	life.web.serve(rss(entries(2)));
	life.web.on('/other', send(rss(entries(2)), 'text/xml'));
	const { id } = await life.add({ kind: 'feed', url: `${life.web.url}/feed`, secretAddress: false }, { title: 'First', secret: 'token-1' });
	expect(await failureOf(() => life.addFeed(`${life.web.url}/feed`))).toMatchObject({
		code: 'conflict',
		message: '“First” reads this place already.',
	});
	// Said as soon as its link is pasted.
	expect((await life.sources.preview({ link: `${life.web.url}/feed` }, undefined, NEVER_STOPPED)).note).toBe(
		'“First” reads this place already.',
	);
	await life.reading.read(id, NEVER_STOPPED);
	expect(life.web.requests.at(-1)?.headers.authorization).toBe('Bearer token-1');
	const moved = await life.sources.update({
		sourceId: id,
		title: 'Moved',
		place: { kind: 'feed', url: `${life.web.url}/other`, secretAddress: false },
	});
	expect(moved).toMatchObject({ title: 'Moved', health: { kind: 'new' }, nextReadAt: AT });
	await life.sources.test(id, NEVER_STOPPED);
	expect(life.web.requests.at(-1)?.headers).not.toHaveProperty('authorization');
	expect(life.sources.get(id)).toMatchObject({ items: 4 });
	life.web.on('/other', send('', 'text/plain', 500));
	expect(await failureOf(() => life.sources.test(id, NEVER_STOPPED))).toMatchObject({ kind: 'retryable' });
});

test('a reading that ends after its source became another changes nothing', async () => {
	const life = await newLife();
	let answer = (): void => undefined;
	life.web.on('/feed', (_, response) => {
		answer = () => response.writeHead(200, { 'content-type': 'text/xml' }).end(rss(entries(3)));
	});
	life.web.on('/other', send(rss([]), 'text/xml'));
	const { id } = await life.addFeed(`${life.web.url}/feed`);
	const reading = life.reading.read(id, NEVER_STOPPED);
	await expect.poll(() => life.web.asked.length).toBe(1);
	await life.sources.update({ sourceId: id, place: { kind: 'feed', url: `${life.web.url}/other`, secretAddress: false } });
	answer();
	expect(await reading).toMatchObject({ items: 0 });
	expect(life.sources.get(id)).toMatchObject({ items: 0, health: { kind: 'new' } });
});

test('a pasted link: a feed, a page and its feeds, a calendar, a project, a mailbox, a folder, a resource, or why not', async () => {
	const life = await newLife();
	const { web } = life;
	const look = (link: string) => life.sources.preview({ link }, undefined, NEVER_STOPPED);
	web.serve(rss(entries(8), 'The <b>paper</b>'));
	expect(await look(`${web.url}/feed`)).toMatchObject({
		place: { kind: 'feed', url: `${web.url}/feed` },
		title: 'The paper',
		found: [],
		items: [{ title: 'Entry 8' }, { title: 'Entry 7' }, {}, {}, { title: 'Entry 4' }],
		total: 8,
	});
	web.on(
		'/two',
		html(
			'<a href="webcal://cal.example/club.ics">Club</a>',
			'<title>Two</title><link rel="alternate" type="application/rss+xml" title="News" href="/feed"><link rel=alternate type=application/atom+xml href=/comments.xml>',
		),
	);
	expect(await look(`${web.url}/two`)).toMatchObject({
		title: 'Two',
		found: [
			{ title: 'News', place: { kind: 'feed', url: `${web.url}/feed` } },
			{ place: { kind: 'feed', url: `${web.url}/comments.xml` } },
			{ place: { kind: 'calendar', url: 'https://cal.example/club.ics' } },
			{ title: 'The page itself', place: { kind: 'page', url: `${web.url}/two` } },
		],
	});
	expect(await look(`${web.url}/two`)).not.toHaveProperty('place');
	web
		.on('/one', html('<p>words</p>', '<link rel="alternate" type="application/rss+xml" href="/feed">'))
		.on('/short', redirect('/one', 302));
	expect(await look(`${web.url}/short`)).toMatchObject({
		place: { kind: 'feed' },
		title: 'The paper',
		found: [{ place: { kind: 'page', url: `${web.url}/one` } }],
	});
	// Nobody names it, and it lies where they mostly do.
	web.on('/plain', html('<p>words</p>'));
	expect(await look(`${web.url}/plain`)).toMatchObject({ place: { kind: 'feed', url: `${web.url}/feed` } });

	const bare = await newLife();
	bare.web.on('/plain', html('<p>Only words stand here.</p>', '<title>Plain</title>'));
	expect(await bare.sources.preview({ link: `${bare.web.url}/plain` }, undefined, NEVER_STOPPED)).toMatchObject({
		place: { kind: 'page' },
		title: 'Plain',
		total: 1,
		items: [{ text: expect.stringContaining('Only words') }],
	});
	expect(bare.sources.list()).toEqual([]);
	// A page whose server calls it a feed is one, and so is one that names such a page as its feed.
	bare.web.on(
		'/fake.xml',
		send('<!doctype html><html><head><title>Fake</title></head><body><p>Words of a page.</p></body></html>', 'application/rss+xml'),
	);
	bare.web.on(
		'/names',
		html('<p>Words too.</p>', '<title>Names</title><link rel="alternate" type="application/rss+xml" href="/fake.xml">'),
	);
	for (const [path, title] of [
		['/fake.xml', 'Fake'],
		['/names', 'Names'],
	]) {
		const url = `${bare.web.url}${path}`;
		const preview = await bare.sources.preview({ link: url }, undefined, NEVER_STOPPED);
		expect(preview).toMatchObject({ place: { kind: 'page', url }, total: 1, items: [{ text: expect.stringMatching(/^(?:.*\n+)?Words/) }] });
		expect(preview.title).toBe(title);
	}

	expect(await look('imaps://ada%40example.org@imap.example.org/Work')).toMatchObject({
		place: { kind: 'mailbox', host: 'imap.example.org', port: 993, security: 'tls', user: 'ada@example.org', mailbox: 'Work' },
		note: 'Enter the password to look into it.',
	});
	// A link may lead on to another public site, and to no private one.
	const other = await startFeedServer();
	onTestFinished(() => other.close());
	web.on('/away', redirect(`${other.url}/feed`));
	expect(await failureOf(() => look(`${web.url}/away`))).toMatchObject({ code: 'network_denied' });
	expect(other.asked).toEqual([]);
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'note.txt'), 'x');
	mkdirSync(join(folder, 'deep'));
	for (const [link, code] of [
		[join(folder, 'nowhere'), 'not_found'],
		[join(folder, 'note.txt'), 'invalid_input'],
		['two words', 'invalid_input'],
		['gopher://example.org', 'invalid_input'],
		[`${web.url}/nothing-here`, 'source_missing'],
		['http://169.254.169.254/latest', 'network_denied'],
	] as const)
		expect(await failureOf(() => look(link)), link).toMatchObject({ code });
});
