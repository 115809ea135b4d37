import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Occurrence, Task, TaskCard } from '../../../src/domain/task.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { cliHere, startCliAtTerminal } from '../../support/cli.ts';
import { prepareProfile } from '../../support/workflows.ts';

async function running() {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	prepareProfile(profileFolder, undefined);
	const app = await startApp(home);
	onTestFinished(() => app.close());
	const hearth = (...words: string[]) => cliHere(home, ['tasks', ...words]);
	const json = async <T>(...words: string[]) => JSON.parse((await hearth(...words, '--json')).stdout) as T;
	return { home, profileFolder, app, hearth, json };
}

const WEEKDAYS = ['--cron', '0 9 * * 1-5', '--zone', 'Europe/Berlin', '--remind', 'Stand up'];

test('B3 a task exists only after the owner said yes to its card: at a terminal, or with the hash of that very card', async () => {
	const { home, hearth, json } = await running();
	const dry = await hearth('add', ...WEEKDAYS, '--dry');
	expect(dry.stdout).toMatch(/Every weekday at 09:00.*\nThe next runs:\n( {2}\d{4}-\d\d-\d\d 09:00 \(\+0[12]:00\).*\n){5}/);
	const shown = await hearth('add', ...WEEKDAYS);
	expect(shown).toMatchObject({ code: 3, stdout: expect.stringContaining('Nothing was made. Say yes to this card with: --hash ') });
	const { card } = await json<{ card: TaskCard }>('add', ...WEEKDAYS);
	expect(shown.stdout).toContain(card.shownHash);
	// Another card than the one that was shown.
	const other = await hearth('add', ...WEEKDAYS, '--title', 'Another', '--hash', card.shownHash, '--json');
	expect(JSON.parse(other.stdout)).toMatchObject({ error: { code: 'stale' } });
	expect((await hearth('list')).stdout).toContain('There is no task yet');
	const task = await json<Task>('add', ...WEEKDAYS, '--hash', card.shownHash);
	expect(task).toMatchObject({ state: 'scheduled', label: 'owner', draft: { title: 'Stand up' } });

	const terminal = startCliAtTerminal(home, ['tasks', 'add', '--every', '2h', '--prompt', 'Look at the weather', '--result', 'inbox']);
	await terminal.says('Type “add”');
	expect(terminal.stdout).toContain('It says to the agent: Look at the weather');
	terminal.child.stdin?.write('no\r');
	expect(await terminal.ended).toMatchObject({ code: 3, stdout: expect.stringContaining('nothing was made') });
	const again = startCliAtTerminal(home, ['tasks', 'add', '--every', '2h', '--prompt', 'Look at the weather']);
	await again.says('Type “add”');
	again.child.stdin?.write('add\r');
	expect(await again.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Added: Look at the weather') });
	expect((await hearth('list')).stdout.match(/\bon\b/g)).toHaveLength(2);
});

test('each field is an option; a draft that was written out is the same card later', async () => {
	const { home, json, hearth } = await running();
	const words = [
		...['--rrule', 'FREQ=MONTHLY;BYDAY=-1FR', '--start', '2026-12-04 09:00', '--zone', 'America/New_York', '--jitter', '120'],
		...['--hours', '08:00-12:00', '--from', '2026-12-01', '--until', '2030-01-01', '--prompt', 'Sum the bills', '--title', 'Bills'],
		...['--session', 'one', '--tools', 'read_file', 'list_files', '--result', 'file:bills/{date}.md', '--missed', 'every:3'],
		...[
			'--overlap',
			'replace',
			'--budget',
			'tokens=5000',
			'usd=0.5',
			'minutes=10',
			'--tries',
			'2',
			'--retry-after',
			'5m',
			'--stop-after',
			'4',
		],
	];
	const card = await json<TaskCard>('add', '--dry', ...words);
	expect(card.draft).toMatchObject({
		title: 'Bills',
		when: {
			kind: 'schedule',
			schedule: {
				timing: { kind: 'rrule', rule: 'FREQ=MONTHLY;BYDAY=-1FR', start: '2026-12-04T09:00', zone: 'America/New_York' },
				jitterSeconds: 120,
				hours: { from: '08:00', to: '12:00' },
				from: new Date(2026, 11, 1).getTime(),
			},
		},
		work: { kind: 'prompt', session: 'one', tools: ['read_file', 'list_files'], result: { kind: 'file', path: 'bills/{date}.md' } },
		missed: { kind: 'every', most: 3 },
		overlap: 'replace',
		budget: { tokens: 5000, costUsd: 0.5, minutes: 10 },
		failure: { tries: 2, pauseSeconds: 300, stopAfter: 4 },
	});
	const file = join(home, 'card.json');
	writeFileSync(file, JSON.stringify(card));
	const task = await json<Task>('add', '--draft', file, '--hash', card.shownHash);
	expect(task.draft).toEqual(card.draft);
	// What is not named stays.
	const changed = await json<{ card: TaskCard }>('edit', task.id.slice(0, 8), '--missed', 'skip', '--at', '2027-06-01T09:30');
	expect(changed.card.draft).toMatchObject({ title: 'Bills', missed: { kind: 'skip' }, overlap: 'replace', work: card.draft.work });
	expect(changed.card.draft.when).toMatchObject({ schedule: { timing: { kind: 'at', local: '2027-06-01T09:30' }, jitterSeconds: 120 } });
	const { shownHash } = changed.card;
	expect(await hearth('edit', 'Bills', '--missed', 'skip', '--at', '2027-06-01T09:30', '--hash', shownHash)).toMatchObject({ code: 0 });
	const folder = temporaryHome();
	onTestFinished(folder.remove);
	const event = ['--on', `files:${folder.home}`, '--names', '*.pdf', '--mine', '--quiet', '30', '--remind', 'A new paper'];
	const trigger = await json<TaskCard>('add', '--dry', ...event);
	expect(trigger.draft.when).toEqual({
		kind: 'trigger',
		trigger: { kind: 'files', path: folder.home, names: '*.pdf', mine: true },
		quietSeconds: 30,
	});
});

test('what does not fit is told in words, and nothing is made', async () => {
	const { hearth } = await running();
	const told = async (words: string[], text: string) => {
		const { code, stderr } = await hearth('add', ...words);
		expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(text) });
	};
	await told(['--remind', 'Tea'], 'It is not said when it runs');
	await told(['--at', '2027-01-01T09:00'], 'It is not said what it does');
	await told(['--at', '2027-01-01T09:00', '--cron', '* * * * *', '--remind', 'Tea'], 'only one of');
	await told(['--rrule', 'FREQ=DAILY', '--remind', 'Tea'], '--start');
	await told(['--at', 'tomorrow', '--remind', 'Tea'], '2026-12-03T09:00');
	await told(['--every', 'often', '--remind', 'Tea'], '15m, 2h or 1d');
	await told(['--cron', '61 * * * *', '--remind', 'Tea'], '');
	await told(['--on', 'moonrise', '--remind', 'Tea'], '');
	await told(['--cron', '0 9 * * *', '--remind', 'Tea', '--zone', 'Mars/Olympus'], 'There is no such time zone');
	await told(['--every', '1h', '--remind', 'Tea', '--zone', 'Europe/Berlin'], '--zone is for');
	await told(['--every', '1h', '--remind', 'Tea', '--result', 'inbox'], '--result is for');
	expect(await hearth('show', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining('hearth tasks list') });
});

test('R5 what comes is told as of a time; a pause, the owner’s run and what becomes of it are shown; removing asks', async () => {
	const { home, hearth, json, app } = await running();
	const add = async (...words: string[]) => {
		const { card } = await json<{ card: TaskCard }>('add', ...words);
		return json<Task>('add', ...words, '--hash', card.shownHash);
	};
	const task = await add(...WEEKDAYS);
	const id = task.id.slice(0, 8);
	const { runs } = await json<{ runs: { slot: { local: string; offset: string } }[] }>('next', '--at', '2027-03-25', '--limit', '3');
	expect(runs.map(({ slot }) => `${slot.local} ${slot.offset}`)).toEqual([
		'2027-03-25T09:00 +01:00',
		'2027-03-26T09:00 +01:00',
		'2027-03-29T09:00 +02:00',
	]);
	expect((await hearth('next', '--at', '2027-03-26T12:00', '-l', '1')).stdout).toMatch(
		/2027-03-29 09:00 \(\+02:00\), clocks were set forward.*Europe\/Berlin/,
	);

	expect((await hearth('pause', id, '--until', '3d')).stdout).toMatch(/is paused until \d{4}/);
	expect((await hearth('list')).stdout).toContain('paused until');
	expect((await hearth('resume', id)).stdout).toContain('goes on. The next run is due');
	const ran = await json<Occurrence>('run', id);
	expect(ran).toMatchObject({ by: 'owner', state: 'done' });
	expect((await hearth('history', id)).stdout).toMatch(/done +you +Stand up/);
	expect((await hearth('show', id)).stdout).toMatch(
		/Stand up[\s\S]*Every weekday at 09:00[\s\S]*State: on[\s\S]*The last runs:[\s\S]*done/,
	);
	await app.rpc.work.pauseAll();
	expect((await hearth('next')).stdout).toContain('Pause all is on');
	await app.rpc.work.resumeAll();

	expect(await hearth('remove', id)).toMatchObject({ code: 3, stderr: expect.stringContaining('at a terminal') });
	const asked = startCliAtTerminal(home, ['tasks', 'remove', id]);
	await asked.says('Remove “Stand up”');
	asked.child.stdin?.write('y\r');
	expect((await asked.ended).code).toBe(0);
	expect((await hearth('list')).stdout).toContain('There is no task yet');
});

test('a sentence becomes a card; what it leaves open is asked at a terminal, and told elsewhere', async () => {
	const { home, hearth, json } = await running();
	const card = await json<TaskCard>('add', 'every weekday at 9 remind me to stand up', '--dry');
	expect(card.restated).toContain('Every weekday at 09:00');
	// An option wins over the sentence.
	const later = await json<TaskCard>('add', 'every weekday at 9 remind me to stand up', '--missed', 'ask', '--dry');
	expect(later.draft.missed).toEqual({ kind: 'ask' });
	const open = 'remind me next Friday at 9 to pay the rent';
	expect(await hearth('add', open)).toMatchObject({ code: 3, stdout: expect.stringContaining('Say it as one of these') });
	const { choices } = await json<{ choices: { sentence: string }[] }>('add', open);
	expect(choices.length).toBeGreaterThan(1);
	const terminal = startCliAtTerminal(home, ['tasks', 'add', open]);
	await terminal.says('Its number');
	terminal.child.stdin?.write('1\r');
	await terminal.says('Type “add”');
	terminal.child.stdin?.write('add\r');
	expect(await terminal.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Added: ') });
	expect(await hearth('add', 'blue green')).toMatchObject({ code: 2 });
});

test('B3 the words that say yes to a card of a sentence hold whenever they are said: what counts from now is fixed in them', async () => {
	const { hearth, json, app } = await running();
	for (const sentence of ['every 7 hours check the build', 'in 2 hours check the build']) {
		const { card, sayYes } = await json<{ card: TaskCard; sayYes: string[] }>('add', sentence);
		expect((await hearth('add', sentence)).stdout).toContain('Say yes to this card with the same command and: --');
		const later = await app.rpc.tasks.preview({ draft: card.draft });
		expect(later.shownHash).toBe(card.shownHash);
		// Another reading of the sentence by itself would be counted from another moment.
		const other = sentence.replace('7 hours', '8 hours').replace('2 hours', '3 hours');
		const task = await json<Task>('add', other, ...sayYes.slice(0, -2), '--dry');
		expect(task.draft.when).toEqual(card.draft.when);
		expect(await json<Task>('add', sentence, ...sayYes)).toMatchObject({ draft: card.draft });
	}
});

const GIVEN = ['--set', 'name=Ann', '--set', 'email=ann@example.org', '--set', 'starts_on=2027-01-04'];

test('options give what a sentence lacks, and an option that would be lost is refused', async () => {
	const { hearth, json } = await running();
	const sentence = 'start the onboarding workflow every Monday at 10';
	const lacks = await hearth('add', sentence, '--dry');
	expect(lacks).toMatchObject({ code: 2, stderr: expect.stringContaining('--set name=') });
	const card = await json<TaskCard>('add', sentence, ...GIVEN, '--title', 'Ann starts', '--dry');
	expect(card.draft).toMatchObject({ title: 'Ann starts', work: { kind: 'workflow', name: 'onboarding', input: { name: 'Ann' } } });
	for (const option of [
		['--set', 'name=Ann'],
		['--session', 'one'],
		['--tools', 'read_file'],
	])
		expect(await hearth('add', 'every day at 9 remind me of tea', ...option, '--dry')).toMatchObject({
			code: 2,
			stderr: expect.stringContaining(`${option[0]} is for`),
		});
});

test('history names the run as the timeline does, and where its result lies; a task of files says what it waits for', async () => {
	const { home, hearth, json } = await running();
	const papers = temporaryHome();
	onTestFinished(papers.remove);
	const words = ['--on', `files:${papers.home}`, '--names', '*.pdf', '--prompt', 'what is 3*4'];
	const { card } = await json<{ card: TaskCard }>('add', ...words);
	const task = await json<Task>('add', ...words, '--hash', card.shownHash);
	expect((await hearth('show', task.id)).stdout).toContain('It waits for files named *.pdf in ');
	const ran = await json<Occurrence>('run', task.id);
	expect(ran).toMatchObject({ state: 'done', result: { sessionId: expect.any(String) } });
	const { stdout } = await hearth('history', task.id);
	expect(stdout).toContain(`hearth sessions show ${ran.result?.sessionId}`);
	const [, row = ''] = stdout.split('\n');
	expect((await cliHere(home, ['runs', 'show', row.split(' ')[0] ?? ''])).code).toBe(0);
});

test('a sentence that no answer makes whole says what it lacks; a word with two meanings offers both; a time is refused with its forms', async () => {
	const { hearth, json } = await running();
	const refused = async (words: string[], text: string) =>
		expect(await hearth(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
	await refused(['add', 'every Sunday'], 'It does not say what is to be done.');
	await refused(['add', 'remind me tomorrow'], 'It does not say what to remind you of.');
	await refused(['add', 'yesterday at 9 say hi'], 'Yesterday is past.');
	await refused(['add', 'at 25:00 say hi'], 'No day has a time 25:00.');
	await refused(['pause', 'any', '--until', 'tomorrow'], 'Write it as 2026-12-03, as 2026-12-03T09:00');
	const { choices } = await json<{ choices: { text: string; sentence: string }[] }>('add', 'biweekly on Friday at 5 pm sum the bills');
	expect(choices).toEqual([
		{ text: 'Every two weeks', sentence: 'every 2 weeks on Friday at 5 pm sum the bills' },
		{ text: 'Twice a week, on Friday and Monday', sentence: 'every Friday and Monday at 5 pm sum the bills' },
	]);
});
