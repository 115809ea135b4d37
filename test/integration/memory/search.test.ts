import { expect, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { type EntryFilter, MemoryPath, type SearchMode } from '../../../src/domain/memory.ts';
import { createEmbeddedPort } from '../../../src/embed/adapters/embedded.ts';
import { wordCountModel } from '../../support/embeddings.ts';
import { byAgent, byOwner, type MemoryHarness, openMemory, ownersGrant } from '../../support/memory.ts';

async function search({ memory }: MemoryHarness, query: string, more: { mode?: SearchMode; filter?: EntryFilter; limit?: number } = {}) {
	const { hits } = await memory.search({ query, mode: 'hybrid', filter: {}, limit: 10, ...more });
	return hits;
}
const texts = async (...args: Parameters<typeof search>) => (await search(...args)).map(({ entry }) => entry.text);

async function withFiles(files: Record<string, string>, more: Parameters<typeof openMemory>[0] = {}): Promise<MemoryHarness> {
	const profile = await openMemory(more);
	for (const [file, text] of Object.entries(files)) profile.edit(file, text);
	await profile.memory.reconcile();
	await profile.memory.settled();
	return profile;
}

test('M5 a hit names its file, lines, provenance and what made up its score', async () => {
	const profile = await withFiles({
		'memory/house.md': '# House\n\n## Cellar\n\n- The stopcock is behind the\n  green shelf\n- Wine on the left\n',
	});
	const [hit] = await search(profile, 'where is the stopcock');
	expect(hit?.entry).toMatchObject({
		file: 'memory/house.md',
		headingPath: ['House', 'Cellar'],
		lineStart: 5,
		lineEnd: 6,
		state: 'current',
		provenance: { author: 'file_edit', label: 'owner' },
	});
	const parts = Object.values(hit?.parts ?? {});
	expect(parts.length).toBeGreaterThan(1);
	expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(hit?.score ?? 0, 6);
});

test('M5 meaning finds what shares no word with the question, offline, with the model that ships', async () => {
	const embedding = createEmbeddedPort({ logger: silentLogger });
	const profile = await withFiles(
		{
			'MEMORY.md':
				'- My cardiologist is Dr. Haddad\n- The car was washed on Monday\n- Rent is due at the start of each month\n- We saw a heron by the lake\n',
		},
		{ embedding },
	);
	expect((await texts(profile, 'heart physician'))[0]).toBe('My cardiologist is Dr. Haddad');
	expect((await texts(profile, 'heart physician', { mode: 'vector' }))[0]).toBe('My cardiologist is Dr. Haddad');
	expect(await texts(profile, 'heart physician', { mode: 'keyword' })).toEqual([]);
	await embedding.close();
});

test('M5 keyword search works in every script: CJK of any length, substrings, accents, unfinished words', async () => {
	const profile = await withFiles({
		'MEMORY.md': [
			'- 東京の天気は晴れです',
			'- 大阪城は大きい',
			'- 会议改到周三下午三点',
			'- 서울에서 만났다',
			'- Москва встретила дождём',
			'- Die Einkommensteuererklärung liegt im roten Ordner',
			'- Müller holt das Café-Schild ab',
			'- The refrigerator hums at night 🧊',
		].join('\n'),
	});
	const first = async (query: string) => (await texts(profile, query, { mode: 'keyword' }))[0];
	expect(await first('東京')).toBe('東京の天気は晴れです');
	expect(await first('天気')).toBe('東京の天気は晴れです');
	expect(await first('東京の天気はどうですか')).toBe('東京の天気は晴れです');
	expect(await first('城')).toBe('大阪城は大きい');
	expect(await first('周三')).toBe('会议改到周三下午三点');
	expect(await first('会议')).toBe('会议改到周三下午三点');
	expect(await first('서울')).toBe('서울에서 만났다');
	expect(await first('москва')).toBe('Москва встретила дождём');
	expect(await first('steuererklärung')).toContain('Einkommensteuererklärung');
	expect(await first('Steuererklarung')).toContain('Einkommensteuererklärung');
	expect(await first('muller cafe')).toContain('Müller');
	expect(await first('refriger')).toContain('refrigerator');
	expect(await first('refri')).toContain('refrigerator');
	expect(await first('🧊')).toContain('refrigerator');
	expect(await first('дождём')).toContain('Москва');
	expect(await first('refrigerators')).toContain('refrigerator');
});

test('M5 any text is a query: marks, operators, nothing, and very long', async () => {
	const profile = await withFiles({ 'MEMORY.md': '- NEAR the "old" mill OR the new one\n- C++ and C# notes\n' });
	for (const query of [
		'',
		'   ',
		'"',
		'""',
		'AND OR NOT',
		'*',
		'a AND (b',
		'NEAR(x y',
		'-',
		"'; DROP TABLE units; --",
		'\u0000',
		'\ud800',
		'🧊',
		'word '.repeat(2000),
	])
		await expect(search(profile, query), JSON.stringify(query.slice(0, 20))).resolves.toBeInstanceOf(Array);
	expect((await texts(profile, '"old" mill'))[0]).toContain('mill');
});

test('mem-11 an old code, number or quoted phrase is first, however many newer entries look like it', async () => {
	const files: Record<string, string> = {
		'memory/2024-09-17.md': '- Paid the invoice INV-2024-0917 of the roofers\n- Locker 4471\n- She said "mind the third step" and left\n',
	};
	for (let day = 1; day <= 28; day++)
		files[`memory/2026-10-${String(day).padStart(2, '0')}.md`] = Array.from(
			{ length: 20 },
			(_, at) =>
				`- Paid the invoice INV-2026-${String(day * 100 + at).padStart(4, '0')} of the roofers, locker ${5000 + day * 20 + at}, mind the step\n`,
		).join('');
	const profile = await withFiles(files, { embedding: wordCountModel() });
	for (const mode of ['hybrid', 'keyword'] as const) {
		expect((await texts(profile, 'invoice INV-2024-0917', { mode }))[0], mode).toContain('INV-2024-0917');
		expect((await texts(profile, 'what about the invoice inv-2024-0917 of the roofers that I paid?', { mode }))[0], mode).toContain(
			'INV-2024-0917',
		);
		expect((await texts(profile, 'locker 4471', { mode }))[0], mode).toBe('Locker 4471');
		expect((await texts(profile, '"mind the third step"', { mode }))[0], mode).toContain('mind the third step');
	}
});

test('mem-11 between equals the newer comes first', async () => {
	const profile = await withFiles({
		'memory/2024-01-01.md': '- Watered the ferns\n',
		'memory/2026-01-01.md': '- Watered the ferns\n',
		'memory/2025-01-01.md': '- Watered the ferns\n',
	});
	expect((await search(profile, 'ferns')).map(({ entry }) => entry.file)).toEqual([
		'memory/2026-01-01.md',
		'memory/2025-01-01.md',
		'memory/2024-01-01.md',
	]);
});

test('mem-8 what was corrected is marked and stands below what holds now, also where that is worded otherwise', async () => {
	const profile = await withFiles({
		'MEMORY.md': '- The dentist is Dr. Abel on Mill Street\n- The baker is on Mill Street\n- Tea is on the shelf\n',
	});
	const old = profile.entry('The dentist is Dr. Abel on Mill Street');
	await profile.memory.writer.supersede({
		grant: ownersGrant,
		key: crypto.randomUUID(),
		provenance: byOwner(),
		entryId: old.id,
		baseHash: old.hash,
		text: 'Teeth: Ms. Okri, near the station',
	});
	await profile.memory.settled();
	const hits = await search(profile, 'dentist Abel on Mill Street');
	const states = hits.map(({ entry }) => `${entry.state}: ${entry.text}`);
	expect(states[0]).toBe('current: Teeth: Ms. Okri, near the station');
	expect(states.slice(1)).toContain('superseded: The dentist is Dr. Abel on Mill Street');
	expect((await search(profile, 'dentist', { filter: { states: ['current'] } })).every(({ entry }) => entry.state === 'current')).toBe(
		true,
	);

	const tea = profile.entry('Tea is on the shelf');
	const until = profile.clock.now() - 1000;
	await profile.memory.writer.setValidity({
		grant: ownersGrant,
		key: crypto.randomUUID(),
		provenance: byOwner(),
		entryId: tea.id,
		baseHash: tea.hash,
		validFrom: null,
		validUntil: until,
	});
	const [expired] = await search(profile, 'tea shelf');
	expect(expired?.entry.state).toBe('expired');
	expect(expired?.parts.past).toBeLessThan(0);
});

test('M5 filters hold for every mode: file, heading, author, label, state, date, use', async () => {
	const profile = await withFiles(
		{
			'memory/a.md': '# One\n\n- The red bicycle\n\n# Two\n\n- The red tricycle\n',
			'memory/2026-03-05.md': '- The red cart\n',
			'memory/2026-04-05.md': '- The red sledge\n',
		},
		{ embedding: wordCountModel() },
	);
	const provenance = byAgent();
	await profile.memory.writer.append({
		grant: ownersGrant,
		key: 'k1',
		provenance,
		file: MemoryPath.parse('MEMORY.md'),
		text: 'The red wagon',
	});
	await profile.memory.settled();
	const found = async (filter: EntryFilter, mode: SearchMode) =>
		(await texts(profile, 'the red one', { filter, mode })).filter((text) => text.startsWith('The red')).toSorted();
	for (const mode of ['hybrid', 'keyword', 'vector'] as const) {
		const a = MemoryPath.parse('memory/a.md');
		expect(await found({ file: a }, mode)).toEqual(['The red bicycle', 'The red tricycle']);
		expect(await found({ file: a, headingPath: ['Two'] }, mode)).toEqual(['The red tricycle']);
		expect(await found({ authors: ['agent'] }, mode)).toEqual(['The red wagon']);
		expect(await found({ labels: ['agent'] }, mode)).toEqual(['The red wagon']);
		expect(await found({ from: Date.UTC(2026, 2, 1), until: Date.UTC(2026, 3, 1) }, mode)).toEqual(['The red cart']);
		expect(await found({ states: ['superseded'] }, mode)).toEqual([]);
		expect(await found({ authors: [] }, mode)).toEqual([]);
	}
	profile.memory.used([profile.entry('The red bicycle').id]);
	expect(await found({ file: MemoryPath.parse('memory/a.md'), neverUsed: true }, 'hybrid')).toEqual(['The red tricycle']);
});

test('M5 a question about a person finds what that person said of themselves; a day finds its entries', async () => {
	const talk = Array.from({ length: 6 }, (_, at) => `- Anna: I fed the cat number ${at}\n- Ben: My bus was late, Anna!\n`).join('');
	const profile = await withFiles({
		'memory/2026-05-08.md': `${talk}- Anna: I went to a pottery class yesterday\n- Ben: Wow, Anna! A pottery class?\n`,
		'memory/2026-06-01.md': '- Anna: The kiln arrived\n- Ben: I bought a canoe\n',
	});
	expect((await texts(profile, 'When did Anna go to the pottery class?'))[0]).toBe('Anna: I went to a pottery class yesterday');
	expect((await texts(profile, 'What did Ben buy?'))[0]).toBe('Ben: I bought a canoe');
	expect((await search(profile, 'What happened on 1 June 2026?')).slice(0, 2).map(({ entry }) => entry.file)).toEqual([
		'memory/2026-06-01.md',
		'memory/2026-06-01.md',
	]);
});

test('M5 headings are searched with what stands under them, and do not crowd it out', async () => {
	const profile = await withFiles({
		'MEMORY.md':
			'# Wi-Fi\n\n- Password: seagull42\n- Guests use the other one\n\n# Boat\n\n| Part | Price |\n| --- | --- |\n| Mast | 300 |\n| Sail | 120 |\n\n```sh\nrsync --archive boat/ backup/\n```\n',
	});
	expect((await texts(profile, 'wi-fi password'))[0]).toBe('Password: seagull42');
	expect((await texts(profile, 'boat mast price'))[0]).toContain('Mast');
	expect((await texts(profile, 'rsync --archive'))[0]).toContain('rsync');
});
