import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { en } from '../src/contract/strings/index.ts';
import { projectFolder } from './vite.shared.ts';

/** Puts strings of the catalogue into the page: what it shows before any script of the view has run. */
const strings: Plugin = {
	name: 'strings',
	transformIndexHtml: (html) =>
		html.replace(/%([a-z]+\.[a-zA-Z]+)%/g, (_all, id: string) => {
			const text = (en as Record<string, string>)[id];
			if (text === undefined) throw new Error(`There is no string ${id}.`);
			return text;
		}),
};

/** The view's modules go into the template that `first-paint.js` opens: their loading must not hold up the first paint. */
const firstPaintFirst: Plugin = {
	name: 'first-paint-first',
	transformIndexHtml: {
		order: 'post',
		handler: (html) => {
			const modules = /^[ \t]*<(?:script type="module"|link rel="modulepreload")[^\n]*\n/gm;
			const found = html.match(modules)?.join('') ?? '';
			return html.replace(modules, '').replace('<template id="view-modules">', (open) => `${open}\n${found}`);
		},
	},
};

/**
 * The view, for the window and for the browser. Nothing is inlined into the page: the Content Security Policy allows neither
 * inline scripts nor inline styles, and no data: address for fonts.
 */
export default defineConfig({
	root: path.join(projectFolder, 'renderer'),
	base: './',
	plugins: [react(), strings, firstPaintFirst],
	worker: { format: 'es' },
	build: {
		emptyOutDir: true,
		target: 'chrome130',
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		sourcemap: false,
		chunkSizeWarningLimit: 2000,
		license: { fileName: 'licences.md' },
	},
});
