import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { connect } from '../../../src/db/driver.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { migrations } from '../../../src/db/migrations/index.ts';
import type { InterruptId, MessageId, RunId, SessionId } from '../../../src/domain/ids.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { says, startModelServer } from '../../support/model-server/index.ts';
import { prepareProfile } from '../../support/workflows.ts';

/** A profile as schema 2 left it, with a run that was cut off at a tool, or waits for the owner's answer. */
async function oldProfile(at: 'tool' | 'question') {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const server = await startModelServer({ script: { replies: [says('Went on.')] } });
	onTestFinished(() => server.close());
	mkdirSync(profileFolder, { recursive: true });
	prepareProfile(profileFolder, server.openaiUrl);
	const [sessionId, askedId, messageId, runId] = [newId<SessionId>(), newId<MessageId>(), newId<MessageId>(), newId<RunId>()];
	const args = at === 'tool' ? { text: 'The door is blue.', reason: 'It matters.', file: 'MEMORY.md' } : { question: 'Which door?' };
	const tool = at === 'tool' ? 'memory_write' : 'ask_owner';
	const call = { callId: 'c1', tool, args: JSON.stringify(args), fromText: false };
	const interruptId = newId<InterruptId>();
	const judged = { step: 2, callId: 'c1', args, label: 'agent', repaired: false };
	const events = [
		{ type: 'run_started', version: 1, sessionId, messageId, maxModelCalls: 20 },
		{
			type: 'model_started',
			step: 1,
			model: { providerId: 'scripted', modelId: 'scripted' },
			modelName: 'Scripted',
			label: 'agent',
			notices: [],
		},
		{ type: 'model_finished', step: 1, parts: [{ type: 'text', text: 'Let me.' }], calls: [call], reason: 'tool_calls' },
		at === 'tool'
			? { type: 'tool_started', ...judged, effect: 'idempotent', at: 4 }
			: { type: 'interrupt_opened', ...judged, effect: 'pure', interruptId, kind: 'question' },
	];
	const status = at === 'tool' ? ['streaming', 'running'] : ['waiting', 'waiting'];
	const parts = [
		{ type: 'text', text: 'Let me.' },
		{ type: 'tool', callId: 'c1', tool, args, status: status[1] },
	];
	const db = connect(join(profileFolder, 'state.db'));
	migrate(db, migrations.slice(0, 2));
	db.prepare("INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES (?, 'Old', 'auto', 1, 1)").run(sessionId);
	const message = db.prepare(
		"INSERT INTO messages (id, session_id, parent_id, depth, role, parts, status, label, text, run_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, 1)",
	);
	message.run(askedId, sessionId, null, 0, 'user', '[{"type":"text","text":"The door"}]', 'complete', 'owner', null);
	message.run(messageId, sessionId, askedId, 1, 'assistant', JSON.stringify(parts), status[0], 'agent', runId);
	db.prepare('UPDATE sessions SET head_id = ?').run(messageId);
	db.prepare(
		"INSERT INTO runs (id, session_id, message_id, kind, status, step, created_at, updated_at) VALUES (?, ?, ?, 'chat', ?, 2, 1, 3)",
	).run(runId, sessionId, messageId, status[1]);
	const journal = db.prepare('INSERT INTO journal (run_id, seq, event, at) VALUES (?, ?, ?, 1)');
	for (const [index, event] of events.entries()) journal.run(runId, index + 1, JSON.stringify(event));
	if (at === 'question')
		db.prepare(
			"INSERT INTO interrupts (id, run_id, session_id, step, call_id, detail, shown_hash, status, created_at) VALUES (?, ?, ?, 2, 'c1', ?, ?, 'open', 1)",
		).run(interruptId, runId, sessionId, JSON.stringify({ kind: 'question', ...args }), 'a'.repeat(64));
	db.close();
	const app = await startApp(home);
	onTestFinished(() => app.close());
	return { rpc: app.rpc, runId, sessionId };
}

test.each(['tool', 'question'] as const)('R1 R3 a run that the version before left at a %s goes on after the update', async (at) => {
	const { rpc, runId, sessionId } = await oldProfile(at);
	if (at === 'question') {
		const [open] = await rpc.chat.interrupts({});
		if (!open) throw new Error('nothing is asked');
		await rpc.chat.answer({ interruptId: open.id, shownHash: open.shownHash, answer: { type: 'reply', text: 'The blue one.' } });
	}
	await expect.poll(async () => (await rpc.runs.get({ runId })).run.status).toBe('done');
	const { messages } = await rpc.sessions.messages({ sessionId, limit: 10 });
	expect(messages.at(-1)).toMatchObject({
		status: 'complete',
		parts: [
			{ type: 'text', text: 'Let me.' },
			{ type: 'tool', status: 'done' },
			{ type: 'text', text: 'Went on.' },
		],
	});
	expect((await rpc.memory.entries({ limit: 10 })).entries.map(({ text }) => text)).toEqual(at === 'tool' ? ['The door is blue.'] : []);
	await expect(rpc.runs.restorePreview({ runId, step: 1 })).rejects.toThrow('no checkpoint');
	expect((await rpc.runs.state({ runId, step: 2 })).status).toBe('running');
});
