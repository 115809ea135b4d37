import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { messageText } from '../../../src/domain/message.ts';
import { calls, fails, says } from '../../support/model-server/index.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { readLedger, testTools } from '../../support/test-tools.ts';
import { HOUR, type WorkflowApp, workflowApp } from '../../support/workflows.ts';

const move = (to: string, data: Record<string, unknown> = {}) => calls('workflow_move', { to, data });

const AGENT = `title: Judge
start: JUDGE
inputs: {amount: How much}
states:
  JUDGE:
    title: Judge it
    agent:
      prompt: 'Judge {{amount}}.'
      tools: [list_files]
    save: {score: 'a number from 0 to 10'}
    transitions:
      - {to: GOOD, on: it is good, when: {score: {over: 5}}}
      - {to: POOR, on: it is poor}
      - {to: ODD, on: it is odd}
    retries: {times: 1, wait: 10 minutes}
  GOOD: {wait: 1 hour, transitions: [{to: END}]}
  POOR: {wait: 1 hour, transitions: [{to: END}]}
  ODD: {wait: 1 hour, transitions: [{to: END}]}
  END: {final: true}
`;

test('an agent can’t skip a state or invent one, nor one whose guard does not hold: it is told what is open, and goes there', async () => {
	const app = await workflowApp({
		workflows: { judge: AGENT },
		replies: [
			move('END'),
			move('GOOD', { score: 3 }),
			move('HEAVEN'),
			move('POOR', { score: 3 }),
			move('GOOD', { score: 9, amount: 99 }),
			move('GOOD', { score: 9 }),
			says('Good.'),
		],
	});
	const { id, sessionId } = await app.start('judge', { amount: 5 });
	const good = await app.at(id, 'GOOD', 'sleeping');
	expect(good.data).toEqual({ amount: 5, score: 9 });
	expect(await app.moves(id)).toEqual(['JUDGE', 'JUDGE → GOOD']);
	const { messages } = await app.rpc.sessions.messages({ sessionId, limit: 10 });
	const tried = messages[1]?.parts.flatMap((part) => (part.type === 'tool' ? [part] : [])) ?? [];
	expect(tried.map(({ result }) => result?.isError)).toEqual([true, true, true, false, true, false]);
	expect(tried[0]?.result?.text).toMatch(/GOOD.*POOR.*ODD/s);
	expect(tried[1]?.result?.text).toBe('GOOD is only open where score is over 5. Open now: POOR, ODD.');
	// What the model was offered: the state's tools and its ways out, nothing else.
	const { tools } = (app.server?.log.requests[0]?.body ?? { tools: [] }) as {
		tools: { function: { name: string; parameters: unknown } }[];
	};
	expect(tools.map((tool) => tool.function.name)).toEqual(['list_files', 'workflow_move']);
	expect(JSON.stringify(tools[1]?.function.parameters)).toContain('"enum":["GOOD","POOR","ODD"]');
	expect(messageText(messages[0] ?? { parts: [] })).toMatch(/^Judge 5\.\n\nThis is the state JUDGE \(Judge it\) of the workflow “Judge”/);
});

test('tools that a state does not name are refused to its agent', async () => {
	const app = await workflowApp({
		workflows: { judge: AGENT },
		replies: [calls('write_file', { path: 'x.md', content: 'x' }), move('POOR', { score: 1 }), says('Poor.')],
	});
	const { id } = await app.start('judge', { amount: 5 });
	await app.at(id, 'POOR', 'sleeping');
	expect(app.work('x.md')).toBeUndefined();
});

test('an agent that ends without a choice is asked once more, then tried anew, then the instance fails in words; its state can be entered again', async () => {
	const app = await workflowApp({
		workflows: { judge: AGENT },
		replies: [says('Hm.'), says('Hm again.'), says('Well.'), says('Well again.'), move('ODD'), says('Odd.')],
	});
	const { id, sessionId } = await app.start('judge', { amount: 5 });
	const resting = await app.at(id, 'JUDGE', 'sleeping');
	expect(resting.error?.message).toBe('In JUDGE the agent ended without choosing where to go, twice.');
	expect(resting.dueAt).toBe(app.clock.at + 600_000);
	const { messages } = await app.rpc.sessions.messages({ sessionId, limit: 10 });
	expect(messageText(messages[2] ?? { parts: [] })).toMatch(
		/^You ended without saying where the workflow goes from JUDGE\. Call workflow_move now\./,
	);
	await app.restart();
	expect(app.server?.log.requests).toHaveLength(2);
	await app.pass(600_000);
	const failed = await app.at(id, 'JUDGE', 'failed');
	const { runs } = await app.rpc.runs.list({ kind: ['workflow'], limit: 1 });
	await expect(app.rpc.runs.resume({ runId: runs[0]?.id ?? ('' as never), how: 'retry' })).rejects.toMatchObject({
		code: 'conflict',
		shape: { action: expect.stringContaining('Enter the state of the workflow again') },
	});
	expect(failed.error).toMatchObject({ code: 'workflow_failed', kind: 'needs_owner' });
	await app.restart();
	await app.at(id, 'JUDGE', 'failed');
	await app.rpc.workflows.retry({ instanceId: id });
	await app.at(id, 'ODD', 'sleeping');
	await expect(app.rpc.workflows.retry({ instanceId: id })).rejects.toMatchObject({ code: 'conflict' });
});

test('a choice that was made holds where the agent’s last words are lost', async () => {
	const lost = Array.from({ length: 12 }, () => fails({ type: 'auth' }));
	const app = await workflowApp({ workflows: { judge: AGENT }, replies: [move('POOR'), ...lost] });
	const { id } = await app.start('judge', { amount: 5 });
	await app.at(id, 'POOR', 'sleeping');
});

const RACE = `title: Race
start: WAIT
states:
  WAIT:
    event: came
    save: {what: payload}
    transitions: [{to: CAME}]
    timeout: {after: 2 hours, to: LATE}
  CAME: {ask: {question: 'It came, {{what}}?'}, transitions: [{to: END}]}
  LATE: {ask: {question: 'Late?'}, transitions: [{to: END}]}
  END: {final: true}
`;

test('time-out and event: exactly one of both wins, in whichever order and at the same moment they come', async () => {
	const app = await workflowApp({ workflows: { race: RACE } });
	const ends: string[] = [];
	for (const order of ['event first', 'time first', 'at once', 'at once', 'at once']) {
		const { id } = await app.start('race');
		await app.at(id, 'WAIT', 'sleeping');
		const came = () => app.signal(id, 'came', 'now');
		if (order === 'event first') await came();
		const passed = app.pass(2 * HOUR);
		if (order === 'time first') {
			await passed;
			await app.at(id, 'LATE', 'waiting');
		}
		if (order !== 'event first') await came();
		await passed;
		const late = (await app.moves(id)).includes('WAIT → LATE');
		await app.at(id, late ? 'LATE' : 'CAME', 'waiting');
		expect(await app.moves(id)).toEqual(['WAIT', late ? 'WAIT → LATE' : 'WAIT → CAME']);
		ends.push(late ? 'LATE' : 'CAME');
		const { runs } = await app.rpc.runs.list({ kind: ['workflow'], limit: 100 });
		const own = runs.filter(({ instanceId }) => instanceId === id);
		expect(own).toHaveLength(2);
		// The run that lost is over; the one of the new state waits for the owner.
		expect(own.map(({ status }) => status).sort()).toEqual([late ? 'stopped' : 'done', 'waiting'].sort());
		await app.rpc.workflows.stop({ instanceId: id });
	}
	expect(ends.slice(0, 2)).toEqual(['CAME', 'LATE']);
	expect((await app.rpc.work.status()).timers).toBe(0);
});

test('time-out and answer: exactly one of both wins; an agent in the middle of its reply is ended by its time-out', async () => {
	const text = `title: Race
start: ASK
states:
  ASK:
    ask: {question: Now?, choices: [Now, Later]}
    transitions: [{to: WORK}]
    timeout: {after: 2 hours, to: LATE}
  WORK:
    agent: Work.
    transitions: [{to: END}]
    timeout: {after: 1 hour, to: LATE}
  LATE: {ask: {question: 'Late?'}, transitions: [{to: END}]}
  END: {final: true}
`;
	const app = await workflowApp({ workflows: { race: text }, replies: Array.from({ length: 20 }, () => fails({ type: 'hang' })) });
	const seen = new Set<string>();
	for (const order of ['answer first', 'time first', 'at once', 'at once']) {
		const { id } = await app.start('race');
		const asked = await app.at(id, 'ASK', 'waiting');
		const [open] = (await app.rpc.chat.interrupts({})).filter(({ runId }) => runId === asked.runId);
		const say = () =>
			app.rpc.chat
				.answer({ interruptId: open?.id ?? ('' as never), shownHash: open?.shownHash ?? '', answer: { type: 'reply', text: 'Now' } })
				.catch((error: unknown) => expect(error).toMatchObject({ code: 'conflict' }));
		if (order === 'answer first') {
			await say();
			await app.at(id, 'WORK', 'running');
		}
		const passed = app.pass(2 * HOUR);
		if (order === 'time first') await app.at(id, 'LATE', 'waiting');
		if (order !== 'answer first') await say();
		await passed;
		// Where the answer won, the agent's model never answers: its state has a time-out, too.
		if (order !== 'time first') await app.pass(HOUR);
		await expect
			.poll(async () => {
				const { state, status } = await app.rpc.workflows.instance({ instanceId: id });
				if (state === 'WORK') await app.pass(HOUR);
				return `${state} ${status}`;
			})
			.toBe('LATE waiting');
		const way = (await app.moves(id)).join(', ');
		expect(['ASK, ASK → LATE', 'ASK, ASK → WORK, WORK → LATE']).toContain(way);
		seen.add(way);
		const { runs } = await app.rpc.runs.list({ kind: ['workflow'], limit: 100 });
		const own = runs.filter(({ instanceId }) => instanceId === id);
		expect(own.filter(({ status }) => status === 'waiting')).toHaveLength(1);
		expect(own.filter(({ status }) => status === 'running' || status === 'sleeping')).toEqual([]);
		await app.rpc.workflows.stop({ instanceId: id });
	}
	expect(seen.size).toBe(2);
});

test('an event for all wakes what waits for it, here one instance; one that nothing waits for is told apart from a slip of the pen', async () => {
	const app = await workflowApp({ workflows: { race: RACE } });
	const { id } = await app.start('race');
	await app.at(id, 'WAIT', 'sleeping');
	expect(await app.rpc.runs.signal({ name: 'came', payload: 'all' })).toEqual({ woken: 1 });
	await app.at(id, 'CAME', 'waiting');
	expect(await app.answer(id, 'Yes')).toBe('It came, all?');
	await app.at(id, 'END', 'done');
	expect(await app.rpc.runs.signal({ name: 'came' })).toEqual({ woken: 0 });
	await expect(app.signal(id, 'cane')).rejects.toMatchObject({
		code: 'invalid_input',
		message: 'This workflow never waits for “cane”. Did you mean “came”?',
	});
	await expect(app.signal(id, 'came')).rejects.toMatchObject({ code: 'conflict' });
});

const TOOL = (args: string, failed = '') => `title: Tool
start: DO
states:
  DO:
    tool: {name: test_idempotent, args: ${args}}
    save: {what: result}
    transitions: [{to: REST}${failed === '' ? '' : ', {to: FAILED, on: error}'}]
    retries: {times: 2, wait: 5 minutes}
  REST: {ask: {question: '{{what}}?'}, transitions: [{to: END}]}
${failed}
  END: {final: true}
`;
const FAILED = "  FAILED: {ask: {question: 'Failed?'}, transitions: [{to: END}]}";

async function toolApp(text: string): Promise<{ app: WorkflowApp; ledger: string }> {
	const ledger = join(temporaryFolder(), 'ledger.jsonl');
	return { ledger, app: await workflowApp({ workflows: { tool: text }, tools: testTools(ledger) as never }) };
}

test('a tool that fails is tried again after its wait, as often as its state says, then the way for errors is taken, or the instance fails', async () => {
	const { app } = await toolApp(TOOL('{fail: true}', FAILED));
	const { id, sessionId } = await app.start('tool');
	for (let attempt = 1; attempt <= 2; attempt += 1) {
		const resting = await app.at(id, 'DO', 'sleeping');
		expect(resting).toMatchObject({ dueAt: app.clock.at + 300_000, error: { code: 'tool_failed' } });
		await app.restart();
		await app.pass(300_000);
	}
	await app.at(id, 'FAILED', 'waiting');
	const { messages } = await app.rpc.sessions.messages({ sessionId, limit: 20 });
	expect(
		messages.filter(({ role, parts }) => role === 'assistant' && parts[0]?.type === 'tool' && parts[0].tool === 'test_idempotent'),
	).toHaveLength(3);

	const other = await toolApp(TOOL('{fail: true}'));
	const failing = await other.app.start('tool');
	for (let attempt = 1; attempt <= 2; attempt += 1) {
		await other.app.at(failing.id, 'DO', 'sleeping');
		await other.app.pass(300_000);
	}
	expect((await other.app.at(failing.id, 'DO', 'failed')).error?.message).toContain('it was told to fail');
});

test('what can never succeed is not tried again: a call of a path outside the workspace takes the way for errors at once', async () => {
	const text = (failed: string) => TOOL('{path: ../outside.txt}', failed).replace('test_idempotent', 'read_file');
	const app = await workflowApp({ workflows: { tool: text(FAILED), bare: text('') } });
	await app.at((await app.start('tool')).id, 'FAILED', 'waiting');
	const { error } = await app.at((await app.start('bare')).id, 'DO', 'failed');
	expect(error).toMatchObject({ code: 'tool_impossible', action: expect.stringContaining('start it anew') });
	// What is missing may come.
	app.writeWorkflow('tool', TOOL('{path: later.txt}', FAILED).replace('test_idempotent', 'read_file'));
	const { id } = await app.start('tool');
	await app.at(id, 'DO', 'sleeping');
	app.writeWork('later.txt', 'It came.');
	await app.pass(300_000);
	await app.at(id, 'REST', 'waiting');
});

test('a running instance keeps the definition that it started with, also when the file changes or is deleted', async () => {
	const { app, ledger } = await toolApp(TOOL('{value: one}'));
	const { id, version } = await app.start('tool');
	await app.at(id, 'REST', 'waiting');
	app.writeWorkflow('tool', TOOL('{value: two}').replace("question: '{{what}}?'", 'question: Other?'));
	const changed = await app.start('tool');
	expect(changed.version).not.toBe(version);
	await app.at(changed.id, 'REST', 'waiting');
	rmSync(join(app.profileFolder, 'workflows', 'tool.yaml'));
	await app.restart();
	expect(await app.answer(id, 'yes')).toBe('test_idempotent did one?');
	expect(await app.answer(changed.id, 'yes')).toBe('Other?');
	await app.at(id, 'END', 'done');
	expect(readLedger(ledger).map(({ value }) => value)).toEqual(['one', 'two']);
	await expect(app.start('tool')).rejects.toMatchObject({ code: 'not_found' });
});

test('a long result is saved whole, and a question with another answer than its choices is asked again', async () => {
	const text = TOOL('{path: long.txt}', FAILED)
		.replace('test_idempotent', 'read_file')
		.replace("ask: {question: '{{what}}?'}", 'ask: {question: Which?, choices: [Red, Blue]}')
		.replace('transitions: [{to: END}]', 'transitions: [{to: END, on: Red}, {to: FAILED, on: Blue}]');
	const app = await workflowApp({ workflows: { tool: text } });
	app.writeWork('long.txt', `${'long '.repeat(8_000)}end`);
	const { id } = await app.start('tool');
	const rest = await app.at(id, 'REST', 'waiting');
	expect(rest.data.what).toMatch(/long long end$/);
	await app.answer(id, 'Green');
	await expect.poll(async () => (await app.rpc.workflows.instance({ instanceId: id })).runId).not.toBe(rest.runId);
	expect(await app.answer(id, 'blue')).toBe('That answer leads nowhere from here, so this is asked again.\n\nWhich?');
	await app.at(id, 'FAILED', 'waiting');
});

test('stop ends what is under way, retry enters the same state again, and a finished one can be neither', async () => {
	const app = await workflowApp({ workflows: { race: RACE } });
	const { id } = await app.start('race');
	const waiting = await app.at(id, 'WAIT', 'sleeping');
	const stopped = await app.rpc.workflows.stop({ instanceId: id });
	expect(stopped).toMatchObject({ state: 'WAIT', status: 'stopped' });
	expect((await app.rpc.runs.get({ runId: waiting.runId ?? ('' as never) })).run.status).toBe('stopped');
	await app.pass(3 * HOUR);
	await app.restart();
	expect(await app.rpc.workflows.instance({ instanceId: id })).toMatchObject({ state: 'WAIT', status: 'stopped' });
	await app.rpc.workflows.retry({ instanceId: id });
	const again = await app.at(id, 'WAIT', 'sleeping');
	expect(again.dueAt).toBe(app.clock.at + 2 * HOUR);
	// The owner's Stop of the run stops the instance.
	await app.rpc.chat.stop({ runId: again.runId ?? ('' as never) });
	await app.at(id, 'WAIT', 'stopped');
	await app.rpc.workflows.retry({ instanceId: id });
	await app.at(id, 'WAIT', 'sleeping');
	await app.signal(id, 'came');
	await app.answer(id, 'x');
	await app.at(id, 'END', 'done');
	await expect(app.rpc.workflows.stop({ instanceId: id })).rejects.toMatchObject({ code: 'conflict' });
	await expect(app.rpc.workflows.retry({ instanceId: id })).rejects.toMatchObject({ code: 'conflict' });
});

test('what is missing, unknown or broken is told before anything starts; one request starts one instance', async () => {
	const app = await workflowApp({ workflows: { judge: AGENT, broken: AGENT.replace('start: JUDGE', 'start: JUDGES') } });
	await expect(app.start('judge')).rejects.toMatchObject({ code: 'invalid_input', message: 'Not given: amount (How much).' });
	await expect(app.start('judge', { amuont: 3 })).rejects.toMatchObject({
		message: 'This workflow asks for nothing called “amuont”. Did you mean “amount”?',
	});
	await expect(app.start('broken', { amount: 1 })).rejects.toMatchObject({
		code: 'invalid_input',
		message: 'workflows/broken.yaml:2:8: There is no state JUDGES. Did you mean “JUDGE”?',
	});
	await expect(app.start('nothing')).rejects.toMatchObject({ code: 'not_found' });
	const requestId = newId<string>();
	const start = () => app.rpc.workflows.start({ name: 'onboarding', data: { name: 'A', email: 'a', starts_on: 'b' }, requestId });
	const both = await Promise.all([start(), start()]);
	expect(both[0].id).toBe(both[1].id);
	expect((await app.rpc.workflows.instances({ limit: 10 })).instances).toHaveLength(1);
});

test('each move is told live, with the whole instance; while all is paused nothing moves, and then it goes on', async () => {
	const app = await workflowApp({ workflows: { race: RACE } });
	const events: LiveEvent[] = [];
	const control = new AbortController();
	const reader = (async () => {
		for await (const item of await app.rpc.system.live({}, { signal: control.signal })) if (item.type === 'event') events.push(item.event);
	})().catch(() => undefined);
	await app.rpc.workflows.list();
	app.writeWorkflow('other', RACE);
	// Found by whoever looks, and told to all.
	await app.rpc.workflows.list();
	const { id } = await app.start('race');
	await app.at(id, 'WAIT', 'sleeping');
	await app.rpc.work.pauseAll();
	await app.pass(3 * HOUR);
	await app.restart();
	expect(await app.rpc.workflows.instance({ instanceId: id })).toMatchObject({ state: 'WAIT', status: 'sleeping' });
	await app.rpc.work.resumeAll();
	await app.at(id, 'LATE', 'waiting');
	control.abort();
	await reader;
	const told = events.flatMap((event) => (event.type === 'workflow_changed' && event.instance.id === id ? [event.instance] : []));
	expect(events.filter(({ type }) => type === 'workflows_changed')).toHaveLength(1);
	expect(told.map(({ state, status }) => `${state} ${status}`)).toEqual(expect.arrayContaining(['WAIT running', 'WAIT sleeping']));
});
