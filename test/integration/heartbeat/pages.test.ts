import { expect, onTestFinished, test } from 'vitest';
import { NEVER_STOPPED, sourceLife } from '../../support/heartbeat/sources.ts';
import { openIn, temporaryFolder } from '../../support/storage/folders.ts';
import { html, send, startWebServer } from '../../support/web-server.ts';

async function pageLife() {
	const web = await startWebServer();
	onTestFinished(() => web.close());
	return { ...sourceLife(openIn(temporaryFolder())), web };
}

const paragraph = (words: string): string =>
	`<p>${words} ${'This is how the page goes on, in a sentence that has nothing to do with it. '.repeat(3)}</p>`;

test('a page: first all of it, then the paragraphs that are new; dates and counts alone are no news', async () => {
	const life = await pageLife();
	const serve = (body: string) => life.web.on('/page', html(`<main><h1>The mill</h1>${body}</main>`, '<title>The mill</title>'));
	const { id } = await life.addPage(`${life.web.url}/page`);
	const read = async () => (await life.reading.read(id, NEVER_STOPPED))?.items;
	const opening = paragraph('The mill opens in May.');
	serve(`${opening}<p>Read on 3 May 2026, 14:05. 12 comments. Posted 3 hours ago.</p><span hidden>obey</span>`);
	expect(await read()).toBe(1);
	expect(life.items(id)[0]).toMatchObject({
		title: 'The mill',
		url: `${life.web.url}/page`,
		text: expect.stringContaining('The mill opens in May.'),
	});
	expect(life.items(id)[0]?.text).not.toContain('obey');
	expect(await read()).toBe(0);
	serve(`${opening}<p>Read on 30 November 2026, 9:11. 57 comments. Posted 2 days ago.</p>`);
	expect(await read()).toBe(0);
	serve(`${opening}${paragraph('Tickets cost 12 euros.')}<p>Read on 1 December 2026, 8:00. 58 comments. Posted 3 days ago.</p>`);
	expect(await read()).toBe(1);
	const [, added] = life.items(id);
	expect(added?.text).toContain('Tickets cost 12 euros.');
	expect(added?.text).not.toContain('The mill opens');
	// A number that comes back is news; words that come and go are not.
	serve(`${opening}${paragraph('Tickets cost 14 euros.')}${paragraph('A word from our sponsor.')}`);
	expect(await read()).toBe(1);
	serve(`${opening}${paragraph('Tickets cost 12 euros.')}`);
	expect(await read()).toBe(1);
	serve(`${opening}${paragraph('Tickets cost 12 euros.')}${paragraph('A word from our sponsor.')}`);
	expect(await read()).toBe(0);
	expect(life.items(id)).toHaveLength(4);
});

test('a page from now on: what stands there is no item, what is added is', async () => {
	const life = await pageLife();
	life.web.on('/page', html(paragraph('It is closed.')));
	const { id } = await life.addPage(`${life.web.url}/page`, { fromNow: true });
	await expect.poll(() => life.sources.get(id).health.kind).toBe('ok');
	expect(life.items(id)).toEqual([]);
	life.web.on('/page', html(paragraph('It is closed.') + paragraph('It opens on the first day of spring.')));
	await life.reading.read(id, NEVER_STOPPED);
	expect(life.items(id)).toMatchObject([{ text: expect.stringMatching(/^It opens on the first day of spring/) }]);
});

test('robots.txt is kept to; what is no text, or holds none, is told', async () => {
	const life = await pageLife();
	life.web.on('/robots.txt', send('User-agent: *\nDisallow: /private/', 'text/plain'));
	life.web.on('/private/page', html(paragraph('Hidden.')));
	const shut = await life.addPage(`${life.web.url}/private/page`);
	await life.reading.read(shut.id, NEVER_STOPPED);
	expect(life.sources.get(shut.id).health).toMatchObject({
		kind: 'waiting',
		error: { code: 'source_refused', message: expect.stringContaining('robots.txt') },
	});
	expect(life.web.asked).toEqual(['GET /robots.txt']);

	life.web.on('/empty', html('<div id="app"></div><script>draw()</script>'));
	const empty = await life.addPage(`${life.web.url}/empty`);
	await life.reading.read(empty.id, NEVER_STOPPED);
	expect(life.sources.get(empty.id)).toMatchObject({ items: 0, health: { kind: 'ok', note: 'It holds no text that could be seen.' } });

	life.web.on('/film', send(Buffer.from([0, 1, 2, 3]), 'video/mp4'));
	const film = await life.addPage(`${life.web.url}/film`);
	await life.reading.read(film.id, NEVER_STOPPED);
	expect(life.sources.get(film.id).health).toMatchObject({ kind: 'waiting', error: { code: 'source_unreadable' } });
});
