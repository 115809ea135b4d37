import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '../../../src/base/ids.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import { connect } from '../../../src/db/driver.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import { MemoryPath, type ProposalId } from '../../../src/domain/memory.ts';
import { SkillName } from '../../../src/domain/skill.ts';
import type { Tool } from '../../../src/tools/port.ts';
import { insertWorkspaceChange, moveWorkspaceContent, workspaceChanges } from '../../../src/tools/workspace/change-store.ts';
import { trustOf } from '../../../src/tools/workspace/content-labels.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { type MemoryApp, memoryApp } from '../../support/run/memory-app.ts';
import { temporaryFolder, temporaryStateDb } from '../../support/sessions.ts';

const SECRET = 'The locker at the station opens with 4711-Rosebud';

const tool = (name: string, run: Tool<object>['run']): Tool<object> => ({
	name,
	title: name,
	description: `Does ${name}.`,
	schema: z.object({}),
	effect: 'pure',
	timeoutMs: 5_000,
	outputCap: 100_000,
	run,
});

const tools = [
	tool('note_down', async (_, { state }) => {
		state.set(SECRET, 'as a key');
		state.set('as a value', { deep: [SECRET] });
		state.set('of no concern', 'blue');
		return { text: 'noted', isError: false };
	}),
	tool('read_much', async () => ({
		text: `${'All is well. '.repeat(2_000)}\n${SECRET}.\n${'All is well. '.repeat(2_000)}`,
		isError: false,
	})),
];

/** Files that hold it, in any of the encodings that anything of this profile is written in. */
function filesWith(folder: string, text: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => statSync(join(folder, name)).isFile())
		.filter((name) => readFileSync(join(folder, name)).toString('latin1').toLowerCase().includes(text.toLowerCase()))
		.toSorted();
}

async function finished({ rpc }: MemoryApp, runId: RunId) {
	const deadline = Date.now() + 20_000;
	for (;;) {
		const detail = await rpc.runs.get({ runId });
		if (detail.run.status === 'done') return detail;
		for (const { id, shownHash } of detail.interrupts) await rpc.chat.answer({ interruptId: id, shownHash, answer: { type: 'approve' } });
		if (detail.run.status === 'failed' || Date.now() > deadline) throw new Error(`${detail.run.status}: ${detail.error?.message}`);
		await new Promise((done) => setTimeout(done, 10));
	}
}

test('M4 forget: results beside the journal, prompts, notes of tools, contents of files, workflows and summaries; live files are listed', async () => {
	const app = await memoryApp({
		files: { 'AGENT.md': 'Be brief.\n' },
		tools,
		contextTokens: 200_000,
		replies: [
			calls('note_down', {}),
			calls('read_much', {}),
			calls('write_file', { path: 'draft.txt', content: `One.\n${SECRET}\nTwo.\n` }),
			calls('write_file', { path: 'draft.txt', content: 'One.\nTwo.\n', mode: 'replace' }),
			calls('write_file', { path: 'kept.txt', content: `${SECRET}\n` }),
			says('Done.'),
		],
	});
	const { rpc, profileFolder: folder } = app;
	await rpc.memory.add({ text: SECRET, file: MemoryPath.parse('MEMORY.md'), requestId: newId() });
	const { runId } = await rpc.chat.send({ text: 'What opens the locker at the station?', attachmentIds: [], requestId: newId<string>() });
	const { run } = await finished(app, runId);
	const before = await rpc.runs.state({ runId, step: run.step });
	const draftThen = (await rpc.runs.state({ runId, step: 6 })).files.find(({ path }) => path === 'draft.txt');
	expect(before.toolState).toHaveLength(3);
	expect(draftThen && readFileSync(join(folder, 'blobs', draftThen.hash), 'utf8')).toContain(SECRET);

	const db = connect(join(folder, 'state.db'), { mustExist: true });
	db.prepare(
		`INSERT INTO workflow_instances (id, workflow, title, version, definition, session_id, state, status, request_id, created_at, updated_at)
			VALUES ('w1', 'hire', ?, 'v', ?, ?, 'START', 'stopped', 'q', 1, 1)`,
	).run(`For ${SECRET}`, `states:\n  START:\n    text: ${SECRET}\n`, run.sessionId);
	db.prepare("INSERT INTO workflow_events VALUES ('w1', 1, ?, 1)").run(
		JSON.stringify({ type: 'signalled', payload: { [SECRET]: SECRET } }),
	);
	db.prepare(
		`INSERT INTO compactions (id, session_id, up_to, text, items, label, method, tokens_before, tokens_after, created_at)
			VALUES ('c1', ?, ?, ?, ?, 'owner', 'extract', 9, 1, 1)`,
	).run(run.sessionId, run.messageId, `They said: ${SECRET}`, JSON.stringify([{ kind: 'fact', text: SECRET }]));
	db.close();
	const inBlobs = filesWith(join(folder, 'blobs'), '4711-Rosebud').length;
	// The whole result, two contents of files, and the prompts into which the memory was recalled.
	expect(inBlobs).toBeGreaterThanOrEqual(4);

	const entry = (await rpc.memory.entries({ limit: 10 })).entries.find(({ text }) => text === SECRET);
	if (!entry) throw new Error('no entry');
	const report = await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
	expect(report.kept).toEqual([{ path: 'workspace/kept.txt', line: 1 }]);
	expect(report.places.find(({ where }) => where === 'runs')?.count).toBeGreaterThan(inBlobs);
	for (const text of [SECRET, '4711-Rosebud', 'locker at the station opens'])
		expect(filesWith(folder, text), text).toEqual(['workspace/kept.txt']);

	// All else is as it was, and what was in a file of its own can still be read without it.
	const after = await rpc.runs.state({ runId, step: run.step });
	expect(after.toolState).toEqual([
		{ tool: 'note_down', key: 'as a value', value: { deep: ['[forgotten]'] } },
		{ tool: 'note_down', key: 'of no concern', value: 'blue' },
	]);
	const result = after.messages.at(-1)?.parts.flatMap((part) => (part.type === 'tool' && part.result?.whole ? [part.result.whole] : []))[0];
	const { text } = await rpc.runs.content({ runId, hash: result?.hash ?? '' });
	expect(text).toContain('All is well. \n[forgotten].\nAll is well.');
	expect(result?.chars).toBe(text.length);
	expect((await rpc.runs.content({ runId, hash: after.prompt ?? '' })).text).toContain('[forgotten]');
	expect(after.promptVersion).toBe(after.prompt?.slice(0, 12));
	const draft = (await rpc.runs.state({ runId, step: 6 })).files.find(({ path }) => path === 'draft.txt');
	expect(readFileSync(join(folder, 'blobs', draft?.hash ?? ''), 'utf8')).toBe('One.\n[forgotten]\nTwo.\n');
	// Every name that is left leads to what it says.
	for (const name of readdirSync(join(folder, 'blobs'))) expect(sha256(readFileSync(join(folder, 'blobs', name)))).toBe(name);
	expect(existsSync(join(folder, 'workspace/draft.txt'))).toBe(true);
	await rpc.sessions.delete({ sessionId: run.sessionId });
	const left = readdirSync(join(folder, 'blobs')).map((name) => readFileSync(join(folder, 'blobs', name), 'utf8'));
	expect(left.toSorted()).toEqual(['One.\nTwo.\n', 'One.\n[forgotten]\nTwo.\n']);
});

test('M4 forget: what Hearth wrote in a granted folder is the owner’s, and listed', async () => {
	const granted = realpathSync(temporaryFolder());
	const [letter, gone] = [join(granted, 'letter.txt'), join(granted, 'gone.txt')];
	const app = await memoryApp({
		replies: [
			calls('write_file', { path: letter, content: `One.\n${SECRET}\n` }),
			calls('write_file', { path: gone, content: SECRET }),
			says('Done.'),
		],
	});
	const { rpc, profileFolder: folder } = app;
	const scope = { kind: 'folder' as const, path: granted, access: 'write' as const, mine: false };
	await rpc.permissions.add({ terms: { scope, label: 'approved', job: { kind: 'any' } } });
	await rpc.memory.add({ text: SECRET, file: MemoryPath.parse('MEMORY.md'), requestId: newId() });
	const { runId } = await rpc.chat.send({ text: 'Write it down.', attachmentIds: [], requestId: newId<string>() });
	await finished(app, runId);
	rmSync(gone);
	const entry = await app.entry(SECRET);
	expect((await rpc.memory.forgetPreview({ entryId: entry.id })).kept).toEqual([{ path: letter, line: 2 }]);
	const { kept } = await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
	expect(kept).toEqual([{ path: letter, line: 2 }]);
	expect(readFileSync(letter, 'utf8')).toBe(`One.\n${SECRET}\n`);
	expect(filesWith(folder, SECRET)).toEqual([]);
});

test('B2 a file that still holds what was forgotten keeps the label under which it was written, and so does any copy of it', () => {
	const db = temporaryStateDb();
	const change = {
		runId: undefined,
		step: undefined,
		restoreId: undefined,
		stepKey: undefined,
		bytes: 9,
		at: 1,
		root: undefined,
		sources: [],
	};
	const done = (path: string, before: string | null, after: string | null, label: 'external' | 'agent') =>
		db.write((tx) => {
			const seq = insertWorkspaceChange(tx, { ...change, path, before, after, label });
			tx.exec(`UPDATE workspace_changes SET status = 'done' WHERE seq = ${seq}`);
		});
	done('live.txt', null, 'old', 'external');
	done('past.txt', null, 'old', 'external');
	done('past.txt', 'old', 'next', 'agent');
	db.write((tx) => moveWorkspaceContent(tx, 'old', 'new', 4));
	expect(workspaceChanges(db.read, {}).map(({ path, before, after, bytes }) => [path, before, after, bytes])).toEqual([
		['live.txt', null, 'old', 9],
		['past.txt', null, 'new', 4],
		['past.txt', 'new', 'next', 9],
	]);
	const trust = (hash: string) => trustOf(db.read, hash, { mine: true });
	expect(trust('old')).toMatchObject({ label: 'external', known: true });
	expect(trust('new')).toMatchObject({ label: 'external', known: true });
	// Also where no file is known to hold it any more.
	done('live.txt', 'old', null, 'agent');
	db.write((tx) => moveWorkspaceContent(tx, 'old', 'new', 4));
	expect(trust('old')).toMatchObject({ label: 'external', known: true });
});

test('M4 forget: skills as they were, proposals of skills, reminders, and names of what files were made from', async () => {
	const name = SkillName.parse('open-the-locker');
	const skill = (body: string) => `---\nname: ${name}\ndescription: How to open it.\n---\n\n${body}\n`;
	const app = await memoryApp({
		replies: [
			calls('skill_write', { name, description: 'How to open it.', text: `${SECRET}, then pull.`, reason: 'It is needed.' }),
			calls('remind', { text: SECRET, in_minutes: 600 }),
			says('Done.'),
		],
	});
	const { rpc, profileFolder: folder } = app;
	await rpc.memory.add({ text: SECRET, file: MemoryPath.parse('MEMORY.md'), requestId: newId() });
	await rpc.skills.save({ name, text: skill(SECRET), baseHash: null });
	const { skill: first } = await rpc.skills.get({ name });
	await rpc.skills.save({ name, text: skill('Pull.'), baseHash: first.hash });
	const { runId } = await rpc.chat.send({ text: 'Make a skill of it.', attachmentIds: [], requestId: newId<string>() });
	await finished(app, runId);
	const [held] = (await rpc.inbox.list({})).proposals;
	expect(held?.operation).toMatchObject({ kind: 'skill', name });
	const entry = await app.entry(SECRET);
	await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
	expect(filesWith(folder, SECRET)).toEqual([]);
	expect(await rpc.inbox.get({ proposalId: held?.id as ProposalId })).toMatchObject({ status: 'rejected' });
	expect((await rpc.reminders.list({})).reminders).toMatchObject([{ text: expect.stringContaining('forgotten') }]);
	expect((await rpc.skills.list()).skills).toMatchObject([{ name, state: 'usable' }]);
	// A skill that says it is the owner's file by now: named, and left to them.
	await rpc.memory.add({ text: SECRET, file: MemoryPath.parse('MEMORY.md'), requestId: newId() });
	const { skill: second } = await rpc.skills.get({ name });
	await rpc.skills.save({ name, text: skill(SECRET), baseHash: second.hash });
	const again = await app.entry(SECRET);
	const { kept } = await rpc.memory.forget({ entryId: again.id, baseHash: again.hash });
	expect(kept).toContainEqual(expect.objectContaining({ path: `skills/${name}/SKILL.md` }));
	expect(filesWith(folder, SECRET)).toEqual([`skills/${name}/SKILL.md`]);
});
