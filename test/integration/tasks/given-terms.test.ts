import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PermissionTerms } from '../../../src/domain/permission.ts';
import { says } from '../../support/model-server/index.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { prompt, taskApp } from '../../support/task-app.ts';

test('S2 what is permitted with a card, with its change or for a test is checked as what is permitted in Settings is', async () => {
	const app = await taskApp([says('Tried.')]);
	const terms = (scope: unknown, more: object = {}) =>
		PermissionTerms.parse({ scope, label: 'external', job: { kind: 'task', taskId: 'new' }, ...more });
	const never = [
		terms({ kind: 'folder', path: '/', access: 'write' }),
		terms({ kind: 'folder', path: app.profileFolder, access: 'write', mine: true }),
		terms({ kind: 'command', pattern: '*' }),
		terms({ kind: 'host', host: '*' }),
		terms({ kind: 'host', host: '169.254.169.254', posts: true }),
		terms({ kind: 'workspace' }, { until: 1 }),
	];
	const draft = prompt('Look.');
	const task = await app.add(draft);
	const { shownHash, draft: shown } = await app.rpc.tasks.preview({ draft: task.draft });
	for (const each of never) {
		const refused = { code: 'invalid_input' };
		await expect(app.add(draft, [each])).rejects.toMatchObject(refused);
		await expect(app.test(draft, [each])).rejects.toMatchObject(refused);
		const changed = app.rpc.tasks.update({ taskId: task.id, draft: shown, shownHash, permissions: [each] });
		await expect(changed).rejects.toMatchObject(refused);
	}
	const given = async () => (await app.rpc.permissions.list()).permissions.filter(({ terms }) => terms.job.kind !== 'any');
	expect(await given()).toEqual([]);
	expect((await app.rpc.tasks.list({})).tasks).toHaveLength(1);

	// It is kept as it is matched: without links.
	const folder = temporaryFolder();
	mkdirSync(join(folder, 'real'));
	symlinkSync(join(folder, 'real'), join(folder, 'link'));
	await app.add(draft, [terms({ kind: 'folder', path: join(folder, 'link'), access: 'read' })]);
	expect(await given()).toMatchObject([{ terms: { scope: { path: expect.stringMatching(/real$/) } } }]);
});
