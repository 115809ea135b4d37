import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

function filesWith(pattern: RegExp): string[] {
	return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(join(SRC, file), 'utf8')))
		.sort();
}

test('B3 the way from an answer to an effect is one: the contract, the handler, the engine, the store', () => {
	expect(filesWith(/\banswerInterrupt\(/)).toEqual(['approvals/approval-store.ts', 'run/engine.ts']);
	expect(filesWith(/\bengine\.answer\(/)).toEqual(['app/handlers/chat.ts']);
	expect(filesWith(/type: 'interrupt_answered'/)).toEqual(['run/engine.ts']);
});

test('S1 the gate is the only caller of a tool', () => {
	expect(filesWith(/\btool\.run\(/)).toEqual(['run/gate.ts']);
	expect(filesWith(/\bgate\.run\(/)).toEqual(['run/tool-step.ts']);
});

test('R1 journals have one writer', () => {
	expect(filesWith(/\bappendEvent\(/)).toEqual(['run/journal-store.ts', 'run/run-log.ts']);
	expect(filesWith(/INSERT INTO journal\b/)).toEqual(['run/journal-store.ts']);
});

test('B3 M3 leave to write memory is given in three places: the gate, approvals, and handlers of an owner’s own action', () => {
	const minted = filesWith(/\bmintWriteGrant\(/).filter((file) => file !== 'domain/write-grant.ts');
	expect(minted).toContain('run/gate.ts');
	expect(minted.filter((file) => !/^(?:run\/gate\.ts|approvals\/.*|app\/handlers\/.*)$/.test(file))).toEqual([]);
	// No other way to make one: the type has no constructor and is not cast to elsewhere.
	expect(filesWith(/\bas (?:unknown as )?WriteGrant\b/)).toEqual(['domain/write-grant.ts']);
});

test('B3 S1 what changes skills is reached by approvals and the owner’s handler only: a run gets the reader', () => {
	const outside = (pattern: RegExp) => filesWith(pattern).filter((file) => !file.startsWith('tools/skills/'));
	expect(outside(/\bSkillEffects\b/)).toEqual(['app/memory.ts']);
	expect(outside(/\bOwnersSkills\b/)).toEqual(['app/handlers/skills.ts']);
	expect(outside(/\bskills\.effects\b/)).toEqual(['app/create-app.ts']);
	expect(filesWith(/UPDATE skills|INSERT INTO skills\b/)).toEqual(['tools/skills/skill-store.ts']);
});

test('B3 the way from the owner’s decision to memory is one: the contract, the handler, approvals; no tool and no run reaches it', () => {
	// The decisions are made in one place, handed to one handler, and a run gets the door that can only make something wait.
	expect(filesWith(/\bnextProposal\(/)).toEqual(['approvals/proposal-machine.ts', 'approvals/transitions.ts']);
	expect(filesWith(/\bcreateMove\(/)).toEqual(['approvals/proposals.ts', 'approvals/transitions.ts']);
	expect(filesWith(/\bcreateCarryOut\(/)).toEqual(['approvals/carry-out.ts', 'approvals/proposals.ts']);
	expect(filesWith(/\bOwnerDecisions\b/)).toEqual(['app/handlers/inbox.ts', 'approvals/proposal-port.ts', 'approvals/proposals.ts']);
	expect(filesWith(/\bproposals\.decisions\b/)).toEqual(['app/create-app.ts']);
	expect(filesWith(/\bdecisions\.(?:approve|reject|undo|rebase|decideAll|opened|snooze)\(/)).toEqual(['app/handlers/inbox.ts']);
	expect(filesWith(/\binbox\.(?:approve|reject|undo|decideAll)\(/)).toEqual(['cli/commands/inbox.ts']);
	expect(filesWith(/approvals\/proposal/).filter((file) => /^(?:run|tools|model|memory|sessions)\//.test(file))).toEqual([]);
	// What folds, and how often it came again, is no decision, and neither is forgetting what was decided.
	expect(filesWith(/UPDATE proposals/)).toEqual(['approvals/fold-store.ts', 'approvals/forgotten-store.ts', 'approvals/proposal-store.ts']);
});

test('B3 permissions are given and taken back by the owner’s own doing alone: the contract, the handler, or their answer to a question', () => {
	const given = filesWith(/\binsertPermission\(/);
	expect(given).toEqual(['app/handlers/permissions.ts', 'app/task-permissions.ts', 'firewall/answers.ts', 'firewall/permission-store.ts']);
	// With a task's card that the owner confirms, and for a test run that they begin.
	expect(filesWith(/\bpermissions\.give\(|\bdeps\.permit\(/)).toEqual(['tasks/tasks.ts', 'tasks/tests.ts']);
	expect(filesWith(/\brevokePermission\(/)).toEqual(['app/handlers/permissions.ts', 'firewall/permission-store.ts']);
	expect(filesWith(/INSERT INTO permissions|UPDATE permissions/)).toEqual(['firewall/permission-store.ts']);
	expect(filesWith(/\brecordAnswer\(/)).toEqual(['app/firewall.ts', 'firewall/answers.ts']);
	expect(filesWith(/\bfirewall\.answered\(/)).toEqual(['run/engine.ts']);
	expect(filesWith(/\bpermissions\.(?:add|revoke)\(/)).toEqual(['app/handlers/outgoing.ts', 'cli/commands/permissions.ts']);
});

test('B3 what a tool server offers is approved, and a server set up, by the owner’s own doing alone: the contract, the handler, the store', () => {
	expect(filesWith(/\b(?:approvePin|setPinReadOnly)\(/)).toEqual(['tools/mcp/pin-store.ts', 'tools/mcp/pinned-tools.ts']);
	expect(filesWith(/\bpinned\.(?:approve|unapprove|setReadOnly)\(/)).toEqual(['app/handlers/servers.ts']);
	expect(filesWith(/INSERT INTO server_tools|UPDATE server_tools/)).toEqual(['tools/mcp/pin-store.ts']);
	expect(
		filesWith(/\btoolServers: /).filter(
			(file) => !/^app\/(?:agent|agent-tools|background|config-file|create-app|doctor-parts)\.ts$/.test(file),
		),
	).toEqual(['app/handlers/servers.ts']);
});

test('B3 no import leads from a tool, a tool server, a model, a page or a look to what answers, approves or permits', () => {
	const guarded = /^(?:app|cli|approvals)\/|^run\/engine\.ts$|^firewall\/(?:answers|permission-store)\.ts$/;
	const reached = (from: RegExp): string[] => {
		const begin = filesWith(/./).filter((file) => from.test(file));
		expect(begin.length).toBeGreaterThan(0);
		return [...reachable(begin)].filter((file) => guarded.test(file));
	};
	expect(reached(/^(?:tools|model|memory|net|embed|heartbeat)\//)).toEqual([]);
	// The side of a run that reads what a model wrote and calls tools may make something wait; it has no hand in what ends the wait.
	expect(reached(/^run\/(?:gate|reading|under-way|crossings|toolbox|arguments|text-tool-calls|tool-outcome)\.ts$/)).toEqual([]);
	expect(reached(/^(?:app\/handlers\/chat\.ts)$/)).not.toEqual([]);
});

/** Everything that these files import, and what that imports. Types alone lead nowhere: they are gone when it runs. */
function reachable(begin: readonly string[]): Set<string> {
	const seen = new Set<string>();
	const open = [...begin];
	for (let file = open.pop(); file !== undefined; file = open.pop()) {
		if (seen.has(file)) continue;
		seen.add(file);
		const text = readFileSync(join(SRC, file), 'utf8');
		for (const [, types, path = ''] of text.matchAll(/(?:^|\n)(?:import|export)\b(\s+type\b)?[^;'"]*['"](\.[^'"]+\.ts)['"]/g))
			if (!types) open.push(relative(SRC, join(SRC, dirname(file), path)).replaceAll('\\', '/'));
		for (const [, path = ''] of text.matchAll(/\bimport\(\s*['"](\.[^'"]+\.ts)['"]/g))
			open.push(relative(SRC, join(SRC, dirname(file), path)).replaceAll('\\', '/'));
	}
	return seen;
}
