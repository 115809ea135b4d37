import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Skill } from '../../../src/domain/skill.ts';
import { cliHere } from '../../support/cli.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { memoryApp } from '../../support/run/memory-app.ts';

test('S1 skills and reminders from the command line: what lies there and may be used, whole; removing one takes a terminal', async () => {
	const app = await memoryApp({ replies: [calls('remind', { text: 'Call \u001b[31mAda.', in_minutes: 600 }), says('Set.')] });
	const hearth = (...words: string[]) => cliHere(app.home, words);
	const file = join(app.profileFolder, 'skills', 'weekly-report', 'SKILL.md');
	mkdirSync(join(file, '..'), { recursive: true });
	writeFileSync(file, '---\nname: weekly-report\ndescription: How to\u001b[2J write it.\n---\nList what was done.\n');
	await app.turn('Remind me.');
	const listed = await hearth('skills', 'list');
	expect(listed.stdout).toMatch(/weekly-report +waits in the inbox/);
	const { skills } = JSON.parse((await hearth('skills', 'list', '--json')).stdout) as { skills: Skill[] };
	expect(skills).toMatchObject([{ name: 'weekly-report', state: 'waits', label: 'external' }]);
	const shown = await hearth('skills', 'show', 'weekly-report');
	expect(shown.stdout).toContain('List what was done.');
	expect(await hearth('inbox', 'list')).toMatchObject({ stdout: expect.stringMatching(/skill skills\/weekly-report\/SKILL.md/) });
	expect(await hearth('skills', 'remove', 'weekly-report')).toMatchObject({ code: 3, stderr: expect.stringContaining('at a terminal') });
	expect(existsSync(file)).toBe(true);
	expect(await hearth('skills', 'show', 'none')).toMatchObject({ code: 1, stderr: expect.stringContaining('no skill named') });
	const reminders = await hearth('reminders', 'list');
	expect(reminders.stdout).toMatch(/coming +agent +Call .*Ada\./);
	const id = reminders.stdout.split('\n')[1]?.split(' ')[0] ?? '';
	expect((await hearth('reminders', 'dismiss', id)).stdout).toContain('Dismissed:');
	expect((await hearth('reminders', 'list')).stdout).toBe('There are no reminders.\n');
	// What others wrote moves no terminal.
	for (const { stdout } of [listed, shown, reminders]) expect(stdout).not.toContain('\u001b');
}, 60_000);
