import { expect, test } from 'vitest';
import { cliHere, startCliAtTerminal } from '../../support/cli.ts';
import { BINS, FAIR, finds, lookApp, MINUTE } from '../../support/heartbeat/look-app.ts';

test('a look from the command line: the owner is asked at a terminal first, and told what it found; on and off', async () => {
	const app = await lookApp({
		price: { input: 1, output: 1 },
		answer: () => finds('The bins are emptied on Tuesdays.', 'the bins are emptied on Tuesdays'),
	});
	const hearth = (...words: string[]) => cliHere(app.home, ['heartbeat', ...words]);
	app.serve(BINS);
	expect((await hearth('status')).stdout).toMatch(
		/Background work is off.*\n.*Scripted|scripted[\s\S]*It watches for:\n {2}Changes of when[\s\S]*These are the lines of \/.*HEARTBEAT\.md\n/,
	);
	expect(await hearth('run')).toMatchObject({
		code: 3,
		stdout: expect.stringMatching(/Held[\s\S]*1 new item;[\s\S]*hearth heartbeat answer/),
	});
	expect(await hearth('answer')).toMatchObject({ code: 3, stderr: expect.stringContaining('at a terminal') });
	expect(app.model.log.requests).toEqual([]);

	const answering = startCliAtTerminal(app.home, ['heartbeat', 'answer']);
	await answering.says('costs money');
	answering.child.stdin?.write('yes\r');
	expect((await answering.ended).code).toBe(0);
	// The look that the owner had asked for goes on.
	await app.until(async () => (await app.rpc.heartbeat.status()).digest.waiting === 1, 'the finding');
	expect((await hearth('status')).stdout).toContain('1 of The village paper');
	const { records } = await app.rpc.audit.list({ sinks: ['permission', 'prompt'] });
	expect(records.map(({ sink, decision, label }) => ({ sink, decision, label })).toReversed()).toEqual([
		{ sink: 'permission', decision: 'granted', label: 'owner' },
		{ sink: 'prompt', decision: 'allowed', label: 'external' },
	]);

	app.serve(FAIR, BINS);
	await app.pass(MINUTE);
	const ran = await hearth('run', 'The village paper', '--json');
	expect(JSON.parse(ran.stdout)).toMatchObject({ by: 'owner', outcome: 'done', sources: 1, items: 1 });
	expect(await hearth('run', 'another')).toMatchObject({ code: 1, stderr: expect.stringContaining('no source') });
	expect((await hearth('on')).stdout).toMatch(/Background work is on; the next look is due/);
	expect((await hearth('off')).stdout).toContain('Background work is off');
	expect((await hearth('go-on')).code).toBe(0);
	await app.rpc.work.pauseAll();
	expect(await hearth('run')).toMatchObject({ code: 1, stderr: expect.stringContaining('paused') });
	await app.rpc.work.resumeAll();
	await app.close();
	// Where nobody runs it, the command does, and stays until the look is over.
	app.serve({ id: 'new', title: 'New', text: 'Something else.' }, FAIR, BINS);
	expect(JSON.parse((await hearth('run', 'The village paper', '--json')).stdout)).toMatchObject({ by: 'owner', outcome: 'done' });
	// The yes can be taken back.
	const provider = /You said yes to .* going to (\S+) at 127\.0\.0\.1/.exec((await hearth('status')).stdout)?.[1] ?? '';
	expect((await hearth('withdraw', provider)).stdout).toContain(`Withdrawn: ${provider} at 127.0.0.1`);
	expect((await hearth('status')).stdout).not.toContain('You said');
	expect(await hearth('withdraw', provider)).toMatchObject({ code: 1, stderr: expect.stringContaining('no answer') });
}, 90_000);
