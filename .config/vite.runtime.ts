import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { projectFolder } from './vite.shared.ts';

/** The workflows that a new profile gets lie beside the runtime (`src/app/example-workflows.ts`). */
const exampleWorkflows: Plugin = {
	name: 'example-workflows',
	generateBundle() {
		const folder = path.join(projectFolder, 'assets', 'workflows');
		for (const name of readdirSync(folder))
			this.emitFile({ type: 'asset', fileName: `workflows/${name}`, source: readFileSync(path.join(folder, name)) });
	},
};

/**
 * The runtime: ES modules for Node 24 and for a utility process. What is imported lazily stays in chunks of its own, so that
 * an idle runtime never holds a model adapter or the PDF reader. The native modules are loaded from node_modules.
 */
export default defineConfig({
	root: projectFolder,
	publicDir: false,
	plugins: [exampleWorkflows],
	ssr: { noExternal: true, external: ['better-sqlite3', 'onnxruntime-node', 'sqlite-vec'], target: 'node' },
	build: {
		ssr: path.join(projectFolder, 'electron/host-main.ts'),
		emptyOutDir: true,
		target: 'node22',
		minify: false,
		sourcemap: true,
		license: { fileName: 'licences.md' },
		rolldownOptions: { output: { format: 'es', entryFileNames: 'host-entry.mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' } },
	},
});
