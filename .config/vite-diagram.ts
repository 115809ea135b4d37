import path from 'node:path';
import { build, type Plugin } from 'vite';
import { projectFolder } from './vite.shared.ts';

/**
 * Adds the diagram page to the view's build: one classic script, because a page of an opaque origin can't load module
 * scripts, and a page that names it.
 */
export function diagramPage(): Plugin {
	return {
		name: 'hearth-diagram-page',
		apply: 'build',
		async generateBundle() {
			const result = await build({
				configFile: false,
				logLevel: 'error',
				root: path.join(projectFolder, 'renderer', 'diagram'),
				build: {
					write: false,
					target: 'chrome130',
					assetsInlineLimit: 0,
					modulePreload: false,
					chunkSizeWarningLimit: 5000,
					lib: { entry: 'diagram.ts', formats: ['iife'], name: 'hearthDiagram', fileName: () => 'diagram.js' },
				},
				define: { 'process.env.NODE_ENV': '"production"' },
			});
			const output = (Array.isArray(result) ? result : [result]).flatMap((part) => ('output' in part ? part.output : []));
			const chunk = output.find((part) => part.type === 'chunk');
			if (chunk?.type !== 'chunk' || output.filter((part) => part.type === 'chunk').length !== 1) {
				throw new Error('The diagram page must be one script.');
			}
			this.emitFile({ type: 'asset', fileName: 'diagram/diagram.js', source: chunk.code });
			this.emitFile({ type: 'asset', fileName: 'diagram/index.html', source: PAGE });
		},
	};
}

const PAGE = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title></head><body><script src="diagram.js"></script></body></html>\n';
