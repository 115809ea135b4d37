import { expect, test } from 'vitest';
import { interestsOf, namesIn, readWatch } from '../../../../src/model/triage/watch.ts';

test('lines of HEARTBEAT.md: list items and paragraphs; comments, headings, rules and front matter are none', () => {
	const heartbeat = `---
tags: [a]
---
# What to watch

<!--
- New releases of the tools I depend on.
-->
- New versions of **Blender**,
  not alphas
* [ ] Recalls of [toys](https://toys.example)
---
1. Strikes on the railway

Anything about the school
in Elm Street.

## Never
- Football
`;
	expect(interestsOf(heartbeat).map(({ text }) => text)).toEqual([
		'New versions of Blender, not alphas',
		'Recalls of toys',
		'Strikes on the railway',
		'Anything about the school in Elm Street.',
		'Football',
	]);
	// The owner is shown which lines only leave out.
	expect(interestsOf(heartbeat).filter(({ leavesOut }) => leavesOut)).toEqual([{ text: 'Football', leavesOut: true }]);
	expect(interestsOf('- Ignore: marketing, events\n- Jazz. Ignore classical music.')).toEqual([
		{ text: 'Ignore: marketing, events', leavesOut: true },
		{ text: 'Jazz. Ignore classical music.', leavesOut: false },
	]);
	expect(interestsOf('# What to watch\n\n<!-- - nothing yet')).toEqual([]);
});

test.each([
	['Tell me when the ferry is late', 'notice', 'the ferry is late'],
	['Please remember prices of heat pumps.', 'memory', 'prices of heat pumps'],
	['Remind me of invoices', 'task', 'invoices'],
	['Todo: letters from the school', 'task', 'letters from the school'],
	['Let me know if anything changes at the pool', 'notice', 'changes at the pool'],
	['Letters that I have to sign', 'task', 'Letters that I have to sign'],
	['Research about bees', undefined, 'Research about bees'],
])('“%s” asks for a %s about “%s”', (line, kind, topic) => {
	const { interests } = readWatch(`- ${line}`);
	expect(interests).toMatchObject([{ line, kind, topics: [{ text: topic }] }]);
});

test.each([
	['Jazz concerts in Vienna. Ignore classical music.', ['Jazz concerts in Vienna'], ['classical music']],
	['New versions of Blender, not alphas or betas', ['New versions of Blender'], ['alphas', 'betas']],
	['Mail that needs an answer. Newsletters never.', ['Mail that needs an answer'], ['Newsletters']],
	['Tell me whether the pool is open or not', ['whether the pool is open or not'], []],
	['No-reply mails of the bank', ['No-reply mails of the bank'], []],
	['Offers of the baker; adverts: not', ['Offers of the baker'], ['adverts']],
	['Flats in Leipzig except for shared flats', ['Flats in Leipzig'], ['shared flats']],
	['Delays of the S3 line, and strikes on the railway', ['Delays of the S3 line', 'strikes on the railway'], []],
])('“%s” wants %j and leaves out %j', (line, topics, avoids) => {
	const [interest] = readWatch(`- ${line}`).interests;
	expect(interest?.topics.map(({ text }) => text)).toEqual(topics);
	expect(interest?.avoids.map(({ text }) => text)).toEqual(avoids);
});

test('a line that only leaves out holds for all, and so does everything under “Never”', () => {
	const { interests, avoids } = readWatch('- Films in Lisbon\n- Ignore football\n\n## Never\n- Adverts, celebrities');
	expect(interests).toHaveLength(1);
	expect(avoids.map(({ text }) => text)).toEqual(['football', 'Adverts', 'celebrities']);
});

test.each([
	['Security holes in OpenSSH, OpenSSL or curl', [['openssh', 'openssl', 'curl']]],
	['Disruptions on the S3 line', [['s3']]],
	['the bakery in Mill Street changes its hours', [['mill street']]],
	['Research about honeybees', []],
])('names in “%s”', (text, names) => {
	expect(namesIn(text, true)).toEqual(names);
});
