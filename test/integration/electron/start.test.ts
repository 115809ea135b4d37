import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const start = join(import.meta.dirname, '../../../electron/dev/start.mjs');

test('where there is no display, npm start says so in one line and names the way through a browser', () => {
	const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
	const { status, stdout, stderr } = spawnSync(process.execPath, [start], { env, encoding: 'utf8' });
	expect(status).toBe(1);
	expect(stdout).toBe('');
	expect(stderr).toMatch(/^There is no display here.*npm run web\n$/);
});
