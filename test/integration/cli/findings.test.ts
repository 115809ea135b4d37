import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Proposal } from '../../../src/domain/proposal.ts';
import { temporaryHome } from '../../support/apps.ts';
import { cli, cliHere, startCliAtTerminal } from '../../support/cli.ts';
import { addSource, toFind } from '../../support/findings.ts';
import { append, openParts, toHold } from '../../support/memory-parts.ts';

test('B3 findings on the command line: listed with source, age, urgency and label; a script decides only on what it names, a person after seeing it', async () => {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	mkdirSync(profileFolder, { recursive: true });
	const parts = await openParts(profileFolder);
	const sourceId = addSource(parts.db);
	const hold = (operation: Parameters<typeof toFind>[0]) =>
		parts.proposals.port.hold(toFind(operation, { sourceId, urgency: 'high' })).proposalId;
	const fact = hold(append('The bin is emptied on Tuesdays.'));
	const notice = hold({ kind: 'notice', text: 'The town hall is shut.' });
	const { proposalId: agents } = parts.proposals.port.hold(toHold(append('Not found by background work.')));
	await parts.close();
	parts.db.close();

	const json = async <T>(...words: string[]): Promise<T> => JSON.parse((await cliHere(home, [...words, '--json'])).stdout) as T;
	const listed = (await cliHere(home, ['findings', 'list'])).stdout;
	expect(listed).toMatch(
		new RegExp(`${fact}\\s+Town news\\s+now\\s+high\\s+external\\s+pending\\s+append MEMORY.md: The bin is emptied on Tuesdays.`),
	);
	expect(listed).not.toContain(agents);
	expect(await cliHere(home, ['findings', 'show', agents])).toMatchObject({ code: 1 });
	const { shownHash } = await json<Proposal>('findings', 'show', fact);
	expect(await cliHere(home, ['findings', 'show', fact])).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(
			new RegExp(
				`Found in: Town news, urgency high[\\s\\S]+Decide with: hearth findings approve ${fact}, or: hearth findings reject ${fact}`,
			),
		),
	});
	expect((await cliHere(home, ['findings', 'show', 'zzz'])).stderr).toContain('hearth findings list');
	// Nothing opens at a terminal, and it does not say that something did.
	expect(await cliHere(home, ['chat', 'what did you find?'])).toMatchObject({
		stdout: expect.not.stringContaining('The bin'),
		stderr: expect.stringContaining('Here it is: hearth findings list'),
	});

	expect(await cli(home, ['findings', 'approve', fact], 'approve\n')).toMatchObject({
		code: 3,
		stderr: expect.stringContaining('at a terminal'),
	});
	expect(await json('findings', 'approve', fact)).toMatchObject({ error: { code: 'invalid_input' } });
	expect(await json('findings', 'approve', fact, '--hash', 'f'.repeat(64))).toMatchObject({ error: { code: 'stale' } });
	expect(await json('findings', 'approve', fact, '--hash', shownHash, '--file', 'memory/town.md', '--heading', 'Bins')).toMatchObject({
		status: 'approved',
		receipt: { file: 'memory/town.md' },
	});
	expect(readFileSync(join(profileFolder, 'memory/town.md'), 'utf8')).toContain('The bin is emptied on Tuesdays.');

	const rejecting = startCliAtTerminal(home, ['findings', 'reject', notice, '--reason', 'Known.']);
	await rejecting.says('Type “reject”');
	expect(rejecting.stdout).toContain('The town hall is shut.');
	rejecting.child.stdin?.write('reject\n');
	expect(await rejecting.ended).toMatchObject({ code: 0 });
	expect(await json<Proposal[]>('findings', 'list', '--decided')).toMatchObject([{ id: notice, rejection: 'Known.' }, { id: fact }]);
	expect(await json('findings', 'list')).toEqual([]);
}, 120_000);
