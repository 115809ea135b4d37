import { expect, test } from 'vitest';
import { addressesIn } from '../../../src/run/named-addresses.ts';

const found = (text: string) => [...addressesIn(text)];

test('S2 an address counts as it stands, also without the sentence around it', () => {
	expect(found('Read (https://example.com/a?b=1), please.')).toContain('https://example.com/a?b=1');
	expect(found('See https://example.com/a.')).toEqual(['https://example.com/a.', 'https://example.com/a']);
	expect(found('Look at example.com/prices')).toEqual(['https://example.com/prices', 'http://example.com/prices']);
	expect(found('<http://192.168.1.5:8080/x>')).toEqual(['http://192.168.1.5:8080/x']);
});

test('S2 names of files and mail addresses are no addresses, and nothing is made up', () => {
	for (const text of [
		'Summarise notes.md and sum.sh',
		'unpack backup.zip',
		'write to ada@example.org',
		'e.g. this',
		'ftp://example.com/a',
		'',
	])
		expect(found(text)).toEqual([]);
	// With a path, a port or a scheme it is plainly meant as one.
	expect(found('notes.md/today')).toContain('https://notes.md/today');
	expect(found('https://notes.md')).toEqual(['https://notes.md/']);
});
