import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { projectFolder } from './vite.shared.ts';

/**
 * The view, for the window and for the browser. Nothing is inlined into the page: the Content Security Policy allows neither
 * inline scripts nor inline styles, and no data: address for fonts.
 */
export default defineConfig({
	root: path.join(projectFolder, 'renderer'),
	base: './',
	plugins: [react()],
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
