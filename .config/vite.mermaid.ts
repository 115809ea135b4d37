import path from 'node:path';
import { defineConfig } from 'vite';
import { projectFolder } from './vite.shared.ts';

const PAGE =
	'<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagrams</title><body><script src="diagram.js"></script></body></html>\n';

/**
 * The page that draws diagrams, in its sandbox of an opaque origin. One classic script: for a page without an origin every
 * module, and so every lazy part of the library, would come from a foreign one.
 */
export default defineConfig({
	root: path.join(projectFolder, 'renderer', 'diagram'),
	publicDir: false,
	plugins: [
		{
			name: 'diagram-page',
			generateBundle() {
				this.emitFile({ type: 'asset', fileName: 'index.html', source: PAGE });
			},
		},
	],
	build: {
		emptyOutDir: true,
		target: 'chrome130',
		modulePreload: false,
		minify: true,
		license: { fileName: 'licences.md' },
		chunkSizeWarningLimit: 8000,
		lib: { entry: 'diagram.ts', formats: ['iife'], name: 'hearthDiagram', fileName: () => 'diagram.js' },
		rolldownOptions: { output: { codeSplitting: false } },
	},
	define: { 'process.env.NODE_ENV': '"production"' },
});
