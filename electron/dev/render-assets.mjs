#!/usr/bin/env node
/**
 * Renders the icons of `assets/` from their SVG sources, in Chromium: `node electron/dev/render-assets.mjs [chromium]`.
 * The results are committed, so that a build needs no browser; run this after changing a source.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const assets = path.resolve(import.meta.dirname, '..', '..', 'assets');
const ICON_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const TRAYS = ['tray-light', 'tray-dark', 'trayTemplate'];

const browser = await chromium.launch({
	executablePath: process.argv[2] ?? '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-background-networking'],
});
const page = await browser.newPage();

async function render(source, size) {
	const svg = readFileSync(path.join(assets, source), 'utf8').replace(/width="\d+" height="\d+"/, `width="${size}" height="${size}"`);
	await page.setViewportSize({ width: size, height: size });
	await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
	return page.screenshot({ omitBackground: true });
}

/** Windows: a directory of PNG pictures. */
function ico(pictures) {
	const header = Buffer.alloc(6 + 16 * pictures.length);
	header.writeUInt16LE(1, 2);
	header.writeUInt16LE(pictures.length, 4);
	let offset = header.length;
	pictures.forEach(({ size, png }, index) => {
		const entry = 6 + 16 * index;
		header.writeUInt8(size % 256, entry);
		header.writeUInt8(size % 256, entry + 1);
		header.writeUInt16LE(1, entry + 4);
		header.writeUInt16LE(32, entry + 6);
		header.writeUInt32LE(png.length, entry + 8);
		header.writeUInt32LE(offset, entry + 12);
		offset += png.length;
	});
	return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/** macOS: chunks of a type for each size. */
function icns(pictures) {
	const types = { 32: ['ic11'], 64: ['ic12'], 128: ['ic07'], 256: ['ic08', 'ic13'], 512: ['ic09', 'ic14'], 1024: ['ic10'] };
	const chunks = pictures.flatMap(({ size, png }) =>
		(types[size] ?? []).map((type) => {
			const head = Buffer.alloc(8);
			head.write(type, 'latin1');
			head.writeUInt32BE(png.length + 8, 4);
			return Buffer.concat([head, png]);
		}),
	);
	const head = Buffer.alloc(8);
	head.write('icns', 'latin1');
	head.writeUInt32BE(8 + chunks.reduce((sum, chunk) => sum + chunk.length, 0), 4);
	return Buffer.concat([head, ...chunks]);
}

const pictures = [];
for (const size of ICON_SIZES) pictures.push({ size, png: await render('icon.svg', size) });
mkdirSync(path.join(assets, 'icons'), { recursive: true });
for (const { size, png } of pictures) if (size <= 512) writeFileSync(path.join(assets, 'icons', `${size}x${size}.png`), png);
writeFileSync(path.join(assets, 'icon.png'), pictures.find(({ size }) => size === 512).png);
writeFileSync(path.join(assets, 'icon.ico'), ico(pictures.filter(({ size }) => size <= 256)));
writeFileSync(path.join(assets, 'icon.icns'), icns(pictures));
for (const tray of TRAYS) {
	const size = tray === 'trayTemplate' ? 16 : 22;
	writeFileSync(path.join(assets, `${tray}.png`), await render(`${tray}.svg`, size));
	writeFileSync(path.join(assets, `${tray}@2x.png`), await render(`${tray}.svg`, size * 2));
}
await browser.close();
