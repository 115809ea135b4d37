import { expect, test } from 'vitest';
import { kindOfLink, namedOnPage } from '../../../src/heartbeat/discover-links.ts';

const placeOf = (link: string): unknown => {
	const found = kindOfLink(link, ['notes']);
	return found.kind === 'place' ? found.place : found;
};

test('links are told apart without being opened', () => {
	expect(placeOf('octo/cat')).toMatchObject({ kind: 'issues', service: 'github', repository: 'octo/cat' });
	expect(placeOf('https://github.com/octo/cat/issues/12')).toMatchObject({ kind: 'issues', service: 'github', repository: 'octo/cat' });
	expect(placeOf('https://github.com/octo/cat.git')).toMatchObject({ repository: 'octo/cat' });
	expect(placeOf('https://github.com/octo/cat/releases.atom')).toEqual({
		kind: 'address',
		url: 'https://github.com/octo/cat/releases.atom',
	});
	expect(placeOf('https://git.example.org/ada/mill/issues')).toEqual({
		kind: 'address',
		url: 'https://git.example.org/ada/mill/issues',
		also: { baseUrl: 'https://git.example.org', repository: 'ada/mill' },
	});
	expect(placeOf('webcal://cal.example.org/x.ics')).toMatchObject({ kind: 'calendar', url: 'https://cal.example.org/x.ics' });
	expect(placeOf('imap://ada@localhost:1143')).toMatchObject({
		kind: 'mailbox',
		host: 'localhost',
		port: 1143,
		security: 'starttls',
		mailbox: 'INBOX',
	});
	expect(placeOf('notes:note://today')).toMatchObject({ kind: 'resource', server: 'notes', uri: 'note://today' });
	expect(placeOf('/home/ada/texts')).toEqual({ kind: 'path', path: '/home/ada/texts' });
	expect(placeOf('file:///home/ada/a%20b')).toEqual({ kind: 'path', path: '/home/ada/a b' });
	expect(placeOf('example.org/blog')).toEqual({ kind: 'address', url: 'https://example.org/blog' });
	expect(placeOf(' localhost:8080/feed ')).toEqual({ kind: 'address', url: 'https://localhost:8080/feed' });
	for (const link of ['', 'x', 'unknown:thing', 'javascript:alert(1)', 'imaps://example.org', 'https://ada:secret@example.org/feed/'])
		expect(() => placeOf(link), link).toThrow();
});

test('a page that is made to be slow to look through is not', () => {
	const began = performance.now();
	expect(namedOnPage(`${'<link '.repeat(200_000)}<a href=${'x'.repeat(100_000)}>`, 'https://example.org/')).toEqual([]);
	expect(namedOnPage(`<a href="/x.ics?k=1&amp;m=2">`.repeat(10_000), 'https://example.org/')).toEqual([
		{ title: '/x.ics', place: { kind: 'calendar', url: 'https://example.org/x.ics?k=1&m=2', secretAddress: false } },
	]);
	expect(performance.now() - began).toBeLessThan(20_000);
});
