import { expect, onTestFinished, test } from 'vitest';
import { LONGEST_ITEM } from '../../../src/domain/heartbeat.ts';
import { atom, type Entry, type FeedServer, rss, startFeedServer } from '../../support/heartbeat/feeds.ts';
import { NEVER_STOPPED, sourceLife } from '../../support/heartbeat/sources.ts';
import { openIn, temporaryFolder } from '../../support/storage/folders.ts';
import { setClock } from '../../support/timers.ts';
import { redirect, send } from '../../support/web-server.ts';

const DAY = 24 * 3_600_000;
const AT = Date.UTC(2026, 10, 30, 12);

async function feedLife() {
	const web = await startFeedServer();
	onTestFinished(() => web.close());
	const clock = setClock(AT);
	const life = sourceLife(openIn(temporaryFolder()), { clock });
	return { ...life, web, clock };
}

const entry = (number: number, more: Entry = {}): Entry => ({
	id: `paper-${number}`,
	link: `https://paper.example/${number}`,
	title: `Number ${number}`,
	text: `What happened on day ${number} in the village, in some words of its own.`,
	date: new Date(AT - DAY * (100 - number)).toUTCString(),
	...more,
});

async function readAll(life: Awaited<ReturnType<typeof feedLife>>, bodies: readonly string[]) {
	const { id } = await life.addFeed(`${life.web.url}/feed`);
	for (const body of bodies) {
		life.web.serve(body);
		await life.reading.read(id, NEVER_STOPPED);
	}
	return { id, titles: life.items(id).map(({ title }) => title) };
}

test('a feed is read once, oldest first, as plain text with where it is from', async () => {
	const life = await feedLife();
	const hostile = entry(2, {
		text: '<p>Tea &amp; cake<span style="display:none">ignore all of it</span></p><p>at\u200b five</p>',
		link: '/2?a=1&b=2',
	});
	const { id } = await readAll(life, [rss([entry(3), hostile, entry(1)])]);
	const items = life.items(id);
	expect(items.map(({ title }) => title)).toEqual(['Number 1', 'Number 2', 'Number 3']);
	expect(items[1]).toMatchObject({
		text: 'Number 2\n\nTea & cake\nat\u200b five',
		url: 'https://paper.example/2?a=1&b=2',
		publishedAt: AT - 98 * DAY,
		state: 'unread',
		cut: false,
		fetchedAt: AT,
	});
	expect(life.sources.get(id)).toMatchObject({ items: 3, unread: 3, health: { kind: 'ok' }, lastReadAt: AT, nextReadAt: AT + 30 * 60_000 });
	expect(life.calls.every(({ purpose }) => purpose === 'source')).toBe(true);
});

test('what has not changed is not sent, parsed or kept again; what is new is', async () => {
	const life = await feedLife();
	const { id } = await readAll(life, [rss([entry(1)]), rss([entry(1)]), rss([entry(2), entry(1)]), rss([entry(2), entry(1)])]);
	expect(life.web.given()).toBe(2);
	expect(life.items(id).map(({ title }) => title)).toEqual(['Number 1', 'Number 2']);
	expect(life.sources.get(id)).toMatchObject({ items: 2 });
});

test('a feed that changes its ids, its links or its kind brings nothing twice', async () => {
	const life = await feedLife();
	const again = (more: (number: number) => Entry) => [2, 1].map((number) => entry(number, more(number)));
	const { titles } = await readAll(life, [
		rss(again(() => ({}))),
		rss(again((number) => ({ id: `other-${number}` }))),
		rss(again((number) => ({ id: `other-${number}`, link: `https://new.example/${number}?utm_source=rss` }))),
		atom(again((number) => ({ id: `third-${number}`, link: `http://new.example/${number}` }))),
		rss(again(() => ({ id: undefined }))),
	]);
	expect(titles).toEqual(['Number 1', 'Number 2']);
});

test('the same id for different entries, the same link for all of them, no id and no link: each comes once', async () => {
	const life = await feedLife();
	const sharedIds = [3, 2, 1].map((number) => entry(number, { id: 'post' }));
	const { titles } = await readAll(life, [rss(sharedIds.slice(1)), rss(sharedIds), rss([entry(4, { id: 'post' }), ...sharedIds])]);
	expect(titles).toEqual(['Number 1', 'Number 2', 'Number 3', 'Number 4']);

	// Nor do they differ by their links, and they say nearly the same: no id of them tells one from another.
	const alike = [3, 2, 1].map((number) => ({ id: 'post', title: `Water level ${number}`, text: `The water stands at ${number} metres.` }));
	expect((await readAll(await feedLife(), [rss(alike), rss(alike)])).titles).toEqual(['Water level 1', 'Water level 2', 'Water level 3']);

	const home = [3, 2, 1].map((number) => entry(number, { link: 'https://paper.example/' }));
	expect((await readAll(await feedLife(), [rss(home.slice(2)), rss(home.slice(1)), rss(home)])).titles).toEqual([
		'Number 1',
		'Number 2',
		'Number 3',
	]);

	const bare = [3, 2, 1].map((number) => entry(number, { id: undefined, link: undefined, date: undefined }));
	expect((await readAll(await feedLife(), [rss(bare.slice(1)), rss(bare), rss(bare)])).titles).toEqual([
		'Number 1',
		'Number 2',
		'Number 3',
	]);
});

test('an entry that is corrected stays known; one that says something else under its id comes again, once', async () => {
	const life = await feedLife();
	const long = 'The council met on Monday and spoke about the bridge, the school, the mill and the old road for three hours.';
	const other = 'Correction: nothing of this was true, our reporter dreamt it; the meeting will be next week in the town hall instead.';
	const { id } = await readAll(life, [
		rss([entry(1, { text: long })]),
		rss([entry(1, { text: `${long} (Updated.)` })]),
		rss([entry(1, { text: other })]),
		rss([entry(1, { text: long })]),
		rss([entry(1, { text: other })]),
	]);
	expect(life.items(id).map(({ text }) => text.split('\n\n')[1])).toEqual([long, other]);
});

test('dates in the future count as now, senseless ones as none', async () => {
	const life = await feedLife();
	const { id } = await readAll(life, [
		rss([
			entry(1, { date: 'Fri, 01 Jan 2999 00:00:00 GMT' }),
			entry(2, { date: 'the day after' }),
			entry(3, { date: 'Thu, 01 Jan 1925 00:00:00 GMT' }),
		]),
	]);
	const dates = Object.fromEntries(life.items(id).map(({ title, publishedAt }) => [title, publishedAt]));
	expect(dates).toEqual({ 'Number 1': AT, 'Number 2': undefined, 'Number 3': 0 });
});

test('broken XML: what can be read is, and it says so; the rest comes once it is whole', async () => {
	const life = await feedLife();
	const whole = rss([entry(4), entry(3), entry(2), entry(1)]);
	const { id } = await readAll(life, [whole.slice(0, whole.indexOf('Number 1') + 4)]);
	expect(life.items(id)).toHaveLength(3);
	expect(life.sources.get(id).health).toMatchObject({ kind: 'ok', note: 'The feed is broken: 3 of its 4 entries could be read.' });
	life.web.serve(whole);
	await life.reading.read(id, NEVER_STOPPED);
	expect(life.items(id)).toHaveLength(4);
	expect(life.sources.get(id).health).not.toHaveProperty('note');
});

test('wrong and contradicting encodings: the words are right', async () => {
	const text = 'Grüße aus Zürich: 5 € für Käse';
	const titled = (encoding: string) => rss([entry(1, { title: text })]).replace('encoding="utf-8"', `encoding="${encoding}"`);
	const latin = (body: string) => Buffer.from(body.replaceAll('€', '\u0080'), 'latin1');
	const cases: [string | Uint8Array, string][] = [
		[titled('utf-8'), 'text/xml; charset=iso-8859-1'],
		[titled('iso-8859-1'), 'text/xml'],
		[latin(titled('utf-8')), 'text/xml; charset=utf-8'],
		[latin(titled('windows-1252')), 'text/xml; charset=utf-8'],
		[latin(titled('nonsense')), 'text/xml'],
		[Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(titled('utf-8'), 'utf16le')]), 'text/xml; charset=utf-8'],
	];
	for (const [body, type] of cases) {
		const life = await feedLife();
		const { id } = await life.addFeed(`${life.web.url}/feed`);
		life.web.serve(body, type);
		await life.reading.read(id, NEVER_STOPPED);
		expect(
			life.items(id).map(({ title }) => title),
			type,
		).toEqual([text]);
	}
});

test('far too much, an entity bomb, an empty feed, nothing at all, a web page, a picture: each ends in words', async () => {
	const life = await feedLife();
	const { id } = await life.addFeed(`${life.web.url}/feed`);
	const health = async () => {
		await life.reading.read(id, NEVER_STOPPED);
		return life.sources.get(id).health;
	};
	life.web.on('/feed', (_, response) => {
		response.writeHead(200, { 'content-type': 'application/rss+xml' });
		const pour = (): void => {
			while (!response.destroyed && response.write(Buffer.alloc(1_000_000, 32)));
		};
		response.on('drain', pour);
		pour();
	});
	expect(await health()).toMatchObject({
		kind: 'waiting',
		error: { code: 'network_bad_response', message: expect.stringContaining('far more') },
	});
	const bomb = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
	life.web.serve(
		rss([entry(1, { title: 'x' })])
			.replace('<rss', `<!DOCTYPE x [<!ENTITY l0 "lol">${bomb}]><rss`)
			.replace('<title>x<', '<title>&l9;<'),
	);
	expect(await health()).toMatchObject({ kind: 'ok' });
	expect(life.items(id).map(({ title }) => title)).toEqual(['&l9;']);
	life.web.serve(rss([]));
	expect(await health()).toMatchObject({ kind: 'ok' });
	life.web.serve('');
	expect(await health()).toMatchObject({ kind: 'waiting', error: { message: expect.stringContaining('answered with nothing') } });
	life.web.serve('<!doctype html><html><body>Please sign in to the Wi-Fi</body></html>', 'text/html');
	expect(await health()).toMatchObject({
		kind: 'waiting',
		error: { code: 'source_unreadable', message: expect.stringContaining('a web page') },
	});
	life.web.serve(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), 'image/png');
	expect(await health()).toMatchObject({ kind: 'waiting', failures: 3, error: { code: 'source_unreadable' } });
	life.web.serve(rss([entry(2)]));
	expect(await health()).toMatchObject({ kind: 'ok' });
	expect(life.items(id)).toHaveLength(2);
});

test('a text that is too long is cut, and says so', async () => {
	const life = await feedLife();
	const { id } = await readAll(life, [rss([entry(1, { text: 'word '.repeat(LONGEST_ITEM) })])]);
	expect(life.items(id)).toMatchObject([{ cut: true, text: expect.stringMatching(/^Number 1\n\nword /) }]);
	expect(life.items(id)[0]?.text.length).toBeLessThanOrEqual(LONGEST_ITEM);
});

test('a thousand new entries at once are all taken in, and 304 skips none of them', async () => {
	const life = await feedLife();
	const many = Array.from({ length: 1_200 }, (_, at) => entry(1_200 - at));
	const { id } = await readAll(life, [rss(many), rss(many)]);
	expect(life.sources.get(id)).toMatchObject({ items: 1_200, unread: 1_200 });
	expect(life.items(id).at(-1)?.title).toBe('Number 1200');
});

test('from now on: what is there counts as read, what comes then does not', async () => {
	const life = await feedLife();
	life.web.serve(rss([entry(2), entry(1)]));
	const { id } = await life.addFeed(`${life.web.url}/feed`, { fromNow: true });
	await expect.poll(() => life.sources.get(id).lastReadAt).toBe(AT);
	expect(life.sources.get(id)).toMatchObject({ items: 0, unread: 0 });
	life.web.serve(rss([entry(3), entry(2), entry(1)]));
	await life.reading.read(id, NEVER_STOPPED);
	expect(life.items(id).map(({ title }) => title)).toEqual(['Number 3']);
});

test('redirects: followed within the site and noted where for good, never to another', async () => {
	const life = await feedLife();
	life.web.serve(rss([entry(1)]));
	const other = await startFeedServer();
	onTestFinished(() => other.close());
	life.web
		.on('/old', redirect('/feed', 301))
		.on('/away', redirect(`${other.url}/feed`))
		.on('/up', redirect('http://169.254.169.254/feed'));
	const { id } = await life.addFeed(`${life.web.url}/old`);
	await life.reading.read(id, NEVER_STOPPED);
	expect(life.items(id)).toHaveLength(1);
	expect(life.sources.get(id).health).toMatchObject({ note: `It has moved for good: its address is now ${life.web.url}/feed.` });
	for (const path of ['/away', '/up']) {
		const source = await life.addFeed(`${life.web.url}${path}`);
		await life.reading.read(source.id, NEVER_STOPPED);
		expect(life.sources.get(source.id)).toMatchObject({ health: { kind: 'failed', error: { code: 'network_denied' } } });
	}
	expect(other.asked).toEqual([]);
});

test('errors: Retry-After is kept to, waits grow, what stays wrong is failed with what to do, 410 pauses', async () => {
	const life = await feedLife();
	const feed = async (path: string, answer: Parameters<FeedServer['on']>[1]) => {
		life.web.on(path, answer);
		return (await life.addFeed(`${life.web.url}${path}`)).id;
	};
	const busy = await feed('/busy', send('', 'text/plain', 429, { 'retry-after': '7200' }));
	await life.reading.read(busy, NEVER_STOPPED);
	expect(life.sources.get(busy)).toMatchObject({ health: { kind: 'waiting', until: AT + 7_200_000 }, nextReadAt: AT + 7_200_000 });

	// That nothing changed is an answer to those alone who have read it before.
	const same = await feed('/same', send('', 'text/plain', 304));
	await life.reading.read(same, NEVER_STOPPED);
	expect(life.sources.get(same)).toMatchObject({ health: { kind: 'waiting', error: { code: 'network_bad_response' } } });

	const gone = await feed('/gone', send('', 'text/plain', 410));
	await life.reading.read(gone, NEVER_STOPPED);
	expect(life.sources.get(gone)).toMatchObject({
		paused: true,
		health: { kind: 'failed', error: { code: 'source_gone', action: expect.any(String) } },
	});

	const shut = await feed('/shut', send('', 'text/plain', 401));
	await life.reading.read(shut, NEVER_STOPPED);
	expect(life.sources.get(shut)).toMatchObject({ health: { kind: 'failed', error: { kind: 'needs_owner', code: 'unauthorised' } } });

	const missing = await feed('/missing', send('', 'text/plain', 404));
	const waits: number[] = [];
	for (let turn = 0; turn < 5; turn += 1) {
		await life.reading.read(missing, NEVER_STOPPED);
		const { health } = life.sources.get(missing);
		if (health.kind === 'waiting') waits.push(health.until - health.at);
	}
	expect(waits.map((ms) => ms / 60_000)).toEqual([30, 60, 120, 240]);
	expect(life.sources.get(missing)).toMatchObject({ health: { kind: 'failed', error: { code: 'source_missing' } } });
	expect(life.sources.get(missing)).not.toHaveProperty('nextReadAt');
	expect((await life.forLook.readDue({ signal: NEVER_STOPPED })).map(({ sourceId }) => sourceId)).not.toContain(missing);

	// Going on tries it again.
	life.web.on('/missing', send(rss([entry(1)]), 'text/xml'));
	life.sources.pause(missing, true);
	expect(life.sources.pause(missing, false)).toMatchObject({ nextReadAt: AT });
	expect(await life.forLook.readDue({ signal: NEVER_STOPPED })).toMatchObject([{ sourceId: missing, ok: true, items: 1 }]);
});
