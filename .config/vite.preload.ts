import path from 'node:path';
import { defineConfig } from 'vite';
import { projectFolder } from './vite.shared.ts';

/** The preload script of a sandboxed window: one CommonJS file that requires nothing but `electron`. */
export default defineConfig({
	root: projectFolder,
	publicDir: false,
	ssr: { noExternal: true, external: ['electron'], target: 'node' },
	build: {
		ssr: path.join(projectFolder, 'electron/preload/preload.ts'),
		emptyOutDir: true,
		target: 'node20',
		minify: false,
		sourcemap: false,
		rolldownOptions: { output: { format: 'cjs', entryFileNames: 'preload.cjs', codeSplitting: false } },
	},
});
