import path from 'node:path';
import { defineConfig } from 'vite';
import runtime from './vite.runtime.ts';
import { projectFolder } from './vite.shared.ts';

/** Programs that tests start again and again. As one file each they start in a third of the time that their sources take. */
const PROGRAMS = [
	'src/cli/hearth.mjs',
	'test/e2e/support/web-host.ts',
	'test/support/app-child/main.ts',
	'test/support/approvals/main.ts',
	'test/support/crash/forget.ts',
	'test/support/crash/main.ts',
	'test/support/mcp/stdio-server.ts',
	'test/support/memory-child/main.ts',
	'test/support/run/child.ts',
	'test/support/run/memory-child.ts',
	'test/support/run/restore-child.ts',
	'test/support/heartbeat/look-life.ts',
	'test/support/heartbeat/source-life.ts',
	'test/support/storage/app/main.ts',
	'test/support/storage/main.ts',
	'test/support/task-life.ts',
	'test/support/timers-child.ts',
	'test/support/timer-life.ts',
	'test/support/trigger-life.ts',
	'test/support/workflow-life.ts',
	'test/support/workspace/child.ts',
];

/** Built as the runtime is, by `test/run.mjs`; found by `test/support/program.ts`. */
export default defineConfig({
	...runtime,
	build: {
		...runtime.build,
		ssr: true,
		outDir: path.join(projectFolder, '.tmp', 'programs'),
		sourcemap: 'inline',
		license: false,
		rolldownOptions: {
			input: Object.fromEntries(PROGRAMS.map((file) => [file.replace(/\.\w+$/, ''), path.join(projectFolder, file)])),
			output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
		},
	},
});
