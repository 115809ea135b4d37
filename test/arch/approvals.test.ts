import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('B3 the way from the owner’s decision to memory is one: the contract, the handler, approvals; no tool and no run reaches it', () => {
	// The decisions are made in one place, handed to one handler, and a run gets the door that can only make something wait.
	expect(filesWith(/\bnextProposal\(/)).toEqual(['approvals/proposal-machine.ts', 'approvals/proposals.ts']);
	expect(filesWith(/\bOwnerDecisions\b/)).toEqual(['app/handlers/inbox.ts', 'approvals/proposal-port.ts', 'approvals/proposals.ts']);
	expect(filesWith(/\bproposals\.decisions\b/)).toEqual(['app/create-app.ts']);
	expect(filesWith(/\bdecisions\.(?:approve|reject|undo|rebase)\(/)).toEqual(['app/handlers/inbox.ts']);
	expect(filesWith(/\binbox\.(?:approve|reject|undo)\(/)).toEqual(['cli/commands/inbox.ts']);
	expect(filesWith(/approvals\/proposal/).filter((file) => /^(?:run|tools|model|memory|sessions)\//.test(file))).toEqual([]);
	expect(filesWith(/UPDATE proposals/)).toEqual(['approvals/proposal-store.ts']);
});
