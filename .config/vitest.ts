import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Default tests by cost. `soak` runs only by `npm run test:soak`; `packaged` builds and starts a package. */
const project = (name: string, folders: string[], more: Record<string, unknown> = {}) => ({
	test: {
		name,
		include: folders.map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
		testTimeout: 120_000,
		hookTimeout: 60_000,
		// What is waited for comes soon, but the machine may be busy with other tests.
		expect: { poll: { timeout: 20_000 } },
		...more,
	},
});

export default defineConfig({
	root: join(import.meta.dirname, '..'),
	test: {
		allowOnly: false,
		maxWorkers: 2,
		projects: [
			// These leave nothing behind: files follow each other in one process, which reads their modules once.
			project('fast-unit', ['arch', 'unit'], { isolate: false, setupFiles: ['test/support/draw.ts'] }),
			project('property', ['property'], { setupFiles: ['test/support/draw.ts'] }),
			project('fast', ['spec', 'integration', 'migrations']),
			project('crash', ['crash'], { testTimeout: 300_000 }),
			// Pages do not see each other; windows on one display share its focus. Files share the Chromium of their process.
			project('e2e-browser', ['e2e'], {
				include: ['test/e2e/browser-*.test.ts'],
				isolate: false,
				testTimeout: 120_000,
				hookTimeout: 180_000,
			}),
			project('e2e-window', ['e2e'], {
				include: ['test/e2e/electron-*.test.ts'],
				fileParallelism: false,
				isolate: false,
				testTimeout: 120_000,
				hookTimeout: 180_000,
			}),
			project('packaged', ['packaged'], { fileParallelism: false, testTimeout: 300_000, hookTimeout: 300_000 }),
			project('soak', ['soak'], { fileParallelism: false, testTimeout: 1_800_000 }),
		],
	},
});
