import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkflowFolder } from '../../../src/workflows/folder.ts';
import { temporaryFolder } from '../../support/sessions.ts';

test('S5 a workflow file that can’t be read is listed with why, and hides no other', async () => {
	const folder = temporaryFolder();
	symlinkSync('in-a-circle.yaml', join(folder, 'in-a-circle.yaml'));
	symlinkSync('nowhere', join(folder, 'nowhere.yaml'));
	writeFileSync(join(folder, 'short.yaml'), 'title: Short\nstart: END\nstates:\n  END: {final: true}\n');
	const found = await new WorkflowFolder(folder, { tools: [], checkTool: () => undefined }).list();
	expect(found.map(({ name, problems }) => [name, problems.length])).toEqual([
		['in-a-circle', 1],
		['short', 0],
	]);
	expect(found[0]?.problems[0]?.message).toContain('ELOOP');
});
