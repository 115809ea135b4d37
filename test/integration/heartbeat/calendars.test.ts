import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ReadItem } from '../../../src/heartbeat/ports.ts';
import { createCalendarReader } from '../../../src/heartbeat/readers/calendar.ts';
import { createCalendarFileReader } from '../../../src/heartbeat/readers/calendar-file.ts';
import { readCalendar } from '../../../src/heartbeat/readers/read-calendar.ts';
import { createSourceFetch } from '../../../src/heartbeat/source-fetch.ts';
import { createGuardedFetch, type RequestRecord } from '../../../src/net/guarded-fetch.ts';
import { describeSourceReader } from '../../spec/source-reader.ts';
import { readerLife } from '../../support/heartbeat/reader-life.ts';
import { failureOf, temporaryFolder } from '../../support/storage/folders.ts';
import { type Answer, send, startWebServer } from '../../support/web-server.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const DAY = 86_400_000;

/** Lines of one event; those of `more` last, so that they may say what is said before in another way. */
function event(uid: string, ...more: string[]): string {
	const has = (name: string) => more.some((line) => line.startsWith(name));
	return [
		'BEGIN:VEVENT',
		`UID:${uid}`,
		...(has('SUMMARY') ? [] : [`SUMMARY:About ${uid}`]),
		...(has('DTSTART') ? [] : ['DTSTART:20261202T090000Z', 'DTEND:20261202T100000Z']),
		...more,
		'END:VEVENT',
	].join('\r\n');
}

function calendar(events: readonly string[], ...head: string[]): string {
	return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:The village', ...head, ...events, 'END:VCALENDAR', ''].join('\r\n');
}

function inFile(hearth = temporaryFolder()) {
	const path = join(temporaryFolder(), 'village.ics');
	const reader = createCalendarFileReader({ own: { hearth, workspace: join(hearth, 'workspace') } });
	const life = readerLife(reader, { kind: 'calendar_file', path }, { now: NOW });
	return { path, reader, life, write: (text: string) => writeFileSync(path, text) };
}

const told = (items: readonly ReadItem[]) => items.map(({ title, text }) => [title, text.split('\n')[0]]);

describeSourceReader('calendar_file', async () => {
	const { path, reader, write } = inFile();
	const events: string[] = [];
	write(calendar(events));
	const save = async () => write(calendar(events));
	return {
		reader,
		place: { kind: 'calendar_file', path },
		put: async (name, words) => {
			events.push(event(name, `DESCRIPTION:${words.replace(/[,;\\]/g, '\\$&')}`));
			await save();
		},
		rename: async () => {
			events.reverse();
			await save();
		},
		hide: async () => write('nothing of the kind'),
		show: save,
		contents: async () => events.length,
	};
});

async function atAddress() {
	const web = await startWebServer();
	onTestFinished(() => web.close());
	const calls: RequestRecord[] = [];
	const fetchSource = createSourceFetch(createGuardedFetch({ onRequest: (record) => void calls.push(record) }));
	return { web, calls, reader: createCalendarReader({ fetchSource }), url: `${web.url}/village.ics` };
}

describeSourceReader('calendar', async () => {
	const { web, reader, url } = await atAddress();
	const events: string[] = [];
	const serve = async () => void web.on('/village.ics', send(calendar(events), 'text/calendar; charset=utf-8'));
	await serve();
	return {
		reader,
		place: { kind: 'calendar', url, secretAddress: false },
		put: (name, words) => {
			events.push(event(name, `DESCRIPTION:${words.replace(/[,;\\]/g, '\\$&')}`));
			return serve();
		},
		rename: () => {
			events.reverse();
			return serve();
		},
		hide: async () => void web.on('/village.ics', send('', 'text/plain', 503)),
		show: serve,
		contents: async () => web.asked.filter((line) => !line.startsWith('GET ')),
	};
});

test('what begins within 14 days, in the owner’s time and in that of the event; nothing that is past or far away', async () => {
	const { life, write } = inFile();
	const berlin = ['BEGIN:VTIMEZONE', 'TZID:W. Europe Standard Time', 'END:VTIMEZONE'];
	write(
		calendar(
			[
				event('past', 'DTSTART:20261129T090000Z'),
				event('far', 'DTSTART:20270315T090000Z'),
				event(
					'soon',
					'DTSTART;TZID=W. Europe Standard Time:20261203T093000',
					'DTEND;TZID=W. Europe Standard Time:20261203T103000',
					'LOCATION:Room 1\\, upstairs',
				),
				event(
					'day',
					'DTSTART;VALUE=DATE:20261208',
					'DTEND;VALUE=DATE:20261210',
					'STATUS:TENTATIVE',
					'DESCRIPTION:<p>First</p><p>second</p>',
				),
				event('web', 'URL:https://village.example/fair', 'ORGANIZER;CN=Mayor:mailto:mayor@village.example'),
			],
			...berlin,
		),
	);
	const reading = await life.read();
	expect(reading.title).toBe('The village');
	const byTitle = new Map(reading.items.map((item) => [item.title, item]));
	expect([...byTitle.keys()]).toEqual(['About web', 'About soon', 'About day']);
	expect(byTitle.get('About soon')?.text).toContain('Where: Room 1, upstairs');
	expect(byTitle.get('About soon')?.text).toMatch(/08:30.*\(UTC\); there .*09:30.*\(Europe\/Berlin\)|09:30.*\(Europe\/Berlin\)/s);
	expect(byTitle.get('About day')?.text).toBe(
		'When: Tuesday, 8 December 2026 to Wednesday, 9 December 2026\nIt is not certain yet.\n\nFirst\nsecond',
	);
	expect(byTitle.get('About web')).toMatchObject({ url: 'https://village.example/fair', author: 'mayor@village.example' });
});

test('a series: each time is one; left out, moved and cancelled ones are so; later ones come when they are near', async () => {
	const { life, write } = inFile();
	const zone = ';TZID=America/New_York';
	write(
		calendar([
			event(
				'weekly',
				`DTSTART${zone}:20200107T090000`,
				`DTEND${zone}:20200107T100000`,
				'RRULE:FREQ=WEEKLY',
				`EXDATE${zone}:20261208T090000`,
			),
			event('daily', 'DTSTART:20261201T070000Z', 'RRULE:FREQ=DAILY;COUNT=3'),
			event('daily', 'RECURRENCE-ID:20261202T070000Z', 'DTSTART:20261202T180000Z', 'SUMMARY:Moved to the evening'),
			event('daily', 'RECURRENCE-ID:20261203T070000Z', 'DTSTART:20261203T070000Z', 'STATUS:CANCELLED'),
		]),
	);
	expect((await life.news()).map(({ title }) => title)).toEqual([
		'About daily',
		'About weekly',
		'Moved to the evening',
		'Cancelled: About daily',
	]);
	life.now += 7 * DAY;
	expect((await life.news()).map(({ title }) => title)).toEqual(['About weekly']);
});

test('times that an event names one by one are there, too', async () => {
	const { life, write } = inFile();
	write(
		calendar([
			event(
				'market',
				'DTSTART:20260601T090000Z',
				'DTEND:20260601T110000Z',
				'RDATE:20261202T090000Z,20261203T090000Z,20261204T090000Z,20270601T090000Z',
				'EXDATE:20261203T090000Z',
			),
			event('market', 'RECURRENCE-ID:20261204T090000Z', 'DTSTART:20261204T150000Z', 'SUMMARY:In the afternoon'),
			event('days', 'DTSTART;VALUE=DATE:20261205', 'RDATE;VALUE=DATE:20261207'),
		]),
	);
	const items = await life.news();
	expect(items.map(({ title }) => title)).toEqual(['About market', 'In the afternoon', 'About days', 'About days']);
	expect(items[0]?.text).toMatch(/2 December 2026.*\d\d:00–\d\d:00/);
});

test('across the change of the clocks a time stays what it is there', async () => {
	const { life, write } = inFile();
	life.now = Date.UTC(2026, 9, 23, 12);
	write(calendar([event('early', 'DTSTART;TZID=Europe/Berlin:20260101T080000', 'RRULE:FREQ=WEEKLY;BYDAY=SA,MO')]));
	const texts = (await life.news()).map(({ text }) => text).join('\n');
	expect(texts).toMatch(/24 October[^\n]*06:00|24 October[^\n]*08:00/);
	expect(texts).toMatch(/26 October[^\n]*07:00|26 October[^\n]*08:00/);
});

test('what is changed comes again as changed, what is called off as cancelled, and each of that once', async () => {
	const { life, write } = inFile();
	write(calendar([event('fair')]));
	expect((await life.news()).map(({ title }) => title)).toEqual(['About fair']);
	write(calendar([event('fair', 'DESCRIPTION:More words change nothing that one sees at a glance.')]));
	expect(await life.news()).toEqual([]);
	write(calendar([event('fair', 'LOCATION:The meadow')]));
	expect(told(await life.news())).toMatchObject([['Changed: About fair', expect.stringContaining('2 December 2026')]]);
	write(calendar([event('fair', 'LOCATION:The meadow', 'STATUS:CANCELLED')]));
	expect((await life.news()).map(({ title }) => title)).toEqual(['Cancelled: About fair']);
	expect(await life.news()).toEqual([]);
	write(calendar([event('other')], 'METHOD:CANCEL'));
	expect((await life.news()).map(({ title }) => title)).toEqual(['Cancelled: About other']);
});

test('what is far away is told when it is changed, not when it was there already', async () => {
	const { life, write } = inFile();
	const far = (changed: string) => event('trip', 'DTSTART:20270701T090000Z', `LAST-MODIFIED:${changed}`);
	write(calendar([far('20261101T000000Z')]));
	expect(await life.news()).toEqual([]);
	life.now += DAY;
	write(calendar([far('20261201T000000Z')]));
	expect((await life.news()).map(({ title }) => title)).toEqual(['About trip']);
	expect(await life.news()).toEqual([]);
});

test('broken events and rules that never end spoil no others, and the note says how many', async () => {
	const { life, write } = inFile();
	write(
		calendar([
			event('good'),
			event('twice', 'DTSTART:20261202T090000Z', 'DTSTART:20261202T090000Z'),
			event('none').replace(/DTSTART.*\r\n/, ''),
			event('bogus', 'DTSTART:20261201T000000Z', 'RRULE:FREQ=SOMETIMES'),
			event('zero', 'DTSTART:20261201T000000Z', 'RRULE:FREQ=DAILY;INTERVAL=0'),
			event('bomb', 'DTSTART:19700101T000000Z', 'RRULE:FREQ=SECONDLY'),
			event('bomb2', 'DTSTART:19700101T000000Z', 'RRULE:FREQ=DAILY;BYHOUR=0,1,2;BYMINUTE=0,1,2,3;BYSECOND=0,1,2'),
			event('__proto__'),
			event('zone', 'DTSTART;TZID=Nowhere/Land:20261204T090000'),
			'BEGIN:VEVENT\r\nUID:open\r\nSUMMARY:never ends\r\nDTSTART:20261202T090000Z',
		]),
	);
	const reading = await life.read();
	expect(reading.items.map(({ title }) => title)).toEqual(expect.arrayContaining(['About good', 'About __proto__', 'About zone']));
	expect(reading.note).toMatch(/\d events can’t be read\. Of 2 events that come every hour or more often only the first time counts\./);
});

test('a calendar that takes too long is read as far as there is time, and says so', async () => {
	const many = Array.from({ length: 300 }, (_, at) => event(`s${at}`, 'DTSTART:20261201T000000Z', 'RRULE:FREQ=DAILY'));
	const read = await readCalendar({ body: calendar(many), from: NOW, to: NOW + 14 * DAY }, { timeMs: 0, eventMs: 20_000 });
	expect(read.isCut).toBe(true);
	expect(read.occurrences.length).toBeLessThan(300);
});

test('a rule that keeps the thread busy for a minute is left out, and the others are read', async () => {
	const bomb = event('bomb', 'DTSTART;TZID=Europe/Berlin:20250101T000000', 'RRULE:FREQ=YEARLY;COUNT=99999');
	const body = calendar([bomb, event('good'), event('series', 'DTSTART:20261201T000000Z', 'RRULE:FREQ=DAILY;COUNT=2')]);
	const read = await readCalendar({ body, from: NOW, to: NOW + 14 * DAY }, { timeMs: 3_000, eventMs: 500 });
	expect(read.occurrences.map(({ title }) => title)).toEqual(['About series', 'About series', 'About good']);
	expect(read.broken).toBe(1);
});

test('thousands of old events cost next to nothing, and their number is no matter', async () => {
	const { life, write } = inFile();
	const old = Array.from({ length: 5_000 }, (_, at) => event(`old${at}`, 'DTSTART:20100101T000000Z'));
	write(calendar([...old, event('new')]));
	expect((await life.news()).map(({ title }) => title)).toEqual(['About new']);
});

test('no calendar, one that is far too large, one in another encoding', async () => {
	const { life, path, write } = inFile();
	write('<html><body>Sign in</body></html>');
	expect((await failureOf(() => life.read())).code).toBe('source_unreadable');
	writeFileSync(path, new Uint8Array([1, 2, 0, 0, 255]));
	expect((await failureOf(() => life.read())).code).toBe('source_unreadable');
	write(calendar([event('large', `DESCRIPTION:${'x'.repeat(2_000_000)}`)]));
	expect((await failureOf(() => life.read({ limits: { maxBytes: 1_000_000, maxItems: 10 } }))).code).toBe('file_too_large');
	writeFileSync(path, Buffer.from(calendar([event('k', 'SUMMARY:Käsefest')]), 'latin1'));
	expect((await life.news()).map(({ title }) => title)).toEqual(['Käsefest']);
});

test('S3 a secret address stands in no item and no error; the audit gets the host alone', async () => {
	const { web, reader, url, calls } = await atAddress();
	web.on('/village.ics', send(calendar([event('one')]), 'text/calendar'));
	const secret = `${url}?key=sk-private-123`;
	const life = readerLife(reader, { kind: 'calendar', url: secret, secretAddress: true }, { now: NOW });
	const reading = await life.read();
	expect(reading.items).toHaveLength(1);
	web.on('/village.ics', send('', 'text/plain', 404));
	const { shape } = await failureOf(() => life.read());
	expect(JSON.stringify([reading, shape, calls])).not.toContain('sk-private-123');
	expect(calls).toMatchObject([{ purpose: 'source', host: web.host }, { purpose: 'source' }]);
});

test('where the server says that nothing changed, nothing is fetched; some hours later it is, for what came nearer', async () => {
	const { web, reader, url } = await atAddress();
	let whole = 0;
	const answer: Answer = (request, response) => {
		if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304).end();
		whole += 1;
		response.writeHead(200, { 'content-type': 'text/calendar', etag: '"1"' }).end(calendar([event('later', 'DTSTART:20261215T090000Z')]));
	};
	web.on('/village.ics', answer);
	const life = readerLife(reader, { kind: 'calendar', url, secretAddress: false }, { now: NOW });
	expect(await life.news()).toEqual([]);
	life.now += 3_600_000;
	expect(await life.read()).toMatchObject({ items: [], bytes: 0 });
	expect(whole).toBe(1);
	life.now += DAY;
	expect((await life.news()).map(({ title }) => title)).toEqual(['About later']);
	expect(whole).toBe(2);
});

test('the profile’s own files are no calendar', async () => {
	const hearth = temporaryFolder();
	const path = join(hearth, 'mine.ics');
	writeFileSync(path, calendar([event('one')]));
	const { reader } = inFile(hearth);
	expect((await failureOf(() => readerLife(reader, { kind: 'calendar_file', path }).read())).code).toBe('invalid_input');
});
