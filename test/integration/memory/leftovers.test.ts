import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startApp, temporaryHome } from '../../support/apps.ts';

test('M3 half-written memory files that a crash left are gone after the next start, the owner’s files stay', async () => {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const leftovers = ['MEMORY.md.123-0123abcd.tmp', 'memory/2026-11-29.md.123-0123abcd.tmp', 'memory/deep/er/a.md.9-ffffffff.tmp'];
	const owners = ['memory/a.tmp', 'memory/deep/b.md.tmp', 'workspace/c.md.123-0123abcd.tmp'];
	for (const name of [...leftovers, ...owners]) {
		const file = join(profileFolder, name);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, 'half');
		utimesSync(file, 1_000, 1_000);
	}
	const app = await startApp(home);
	onTestFinished(() => app.close());
	await expect.poll(() => leftovers.filter((name) => existsSync(join(profileFolder, name))), { timeout: 20_000 }).toEqual([]);
	expect(owners.filter((name) => existsSync(join(profileFolder, name)))).toEqual(owners);
});
