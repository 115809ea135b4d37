import path from 'node:path';
import { defineConfig } from 'vite';
import { projectFolder } from './vite.shared.ts';

/** The main process: one CommonJS file that also runs in Electron 33 (Node 20). No native module, undici or pino belongs in it. */
export default defineConfig({
	root: projectFolder,
	publicDir: false,
	ssr: { noExternal: true, external: ['electron'], target: 'node' },
	build: {
		ssr: path.join(projectFolder, 'electron/main/main.ts'),
		emptyOutDir: true,
		target: 'node20',
		minify: false,
		sourcemap: true,
		license: { fileName: 'licences.md' },
		rolldownOptions: { output: { format: 'cjs', entryFileNames: 'main.cjs', codeSplitting: false } },
	},
});
