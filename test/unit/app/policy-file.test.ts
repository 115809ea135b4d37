import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPolicyFile } from '../../../src/app/policy-file.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { ErrorShape } from '../../../src/domain/errors.ts';
import { temporaryFolder } from '../../support/sessions.ts';

const OWN = 'rules:\n  - {id: own, sinks: [network], verdict: deny, reason: No.}\n';

function opened() {
	const file = join(temporaryFolder(), 'policy.yaml');
	const told: (ErrorShape | undefined)[] = [];
	const policy = openPolicyFile(file, silentLogger, (problem) => told.push(problem));
	return { file, told, policy };
}

test('S1 it is looked at anew each time: without a file, with one, with a mistake, corrected, gone', () => {
	const { file, told, policy } = opened();
	expect(policy.current().own).toBe(0);
	writeFileSync(file, OWN);
	expect(policy.current().own).toBe(1);
	writeFileSync(file, 'rules: [oops');
	expect(policy.current().own).toBe(0);
	expect(policy.problem()).toMatchObject({
		code: 'config_invalid',
		message: expect.stringContaining('line 1'),
		action: expect.stringContaining(file),
	});
	writeFileSync(file, `${OWN}# corrected\n`);
	expect(policy.current().own).toBe(1);
	rmSync(file);
	expect(policy.current().own).toBe(0);
	expect(told.map((problem) => problem !== undefined)).toEqual([false, true, false, false]);
});

test('S5 a pipe, a folder or far too much in its place holds nothing up: the shipped rules hold, and it is said', () => {
	for (const put of [
		(file: string) => void execFileSync('mkfifo', [file]),
		(file: string) => void mkdirSync(file),
		(file: string) => writeFileSync(file, `# ${'x'.repeat(2_000_000)}`),
	]) {
		const { file, policy } = opened();
		put(file);
		expect(policy.current()).toMatchObject({ own: 0, rules: expect.arrayContaining([expect.objectContaining({ id: 'permitted' })]) });
		expect(policy.problem()).toMatchObject({ code: 'config_invalid', message: expect.stringContaining('not in force') });
	}
});
