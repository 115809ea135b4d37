// What Electron's own default app does for `electron [-r module]… [switches] <folder|file>`: the fallback runtime has none.
const { app } = require('electron');
const { existsSync, readFileSync } = require('node:fs');
const { Module } = require('node:module');
const path = require('node:path');

const required = [];
let target;
const words = process.argv.slice(1);
while (words.length > 0 && !target) {
	const word = words.shift();
	if (word === '-r' || word === '--require') required.push(words.shift());
	else if (word === '-v' || word === '--version') {
		console.log(`v${process.versions.electron}`);
		process.exit(0);
	} else if (!word.startsWith('-')) target = word;
}
if (!target) {
	console.error('usage: electron [-r module] [switches] <folder or file>');
	process.exit(1);
}
if (required.length > 0) Module._preloadModules(required);
process.defaultApp = true;

const place = path.resolve(target);
const manifestFile = path.join(place, 'package.json');
if (existsSync(manifestFile)) {
	const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
	app.setVersion(manifest.version ?? app.getVersion());
	app.name = manifest.productName ?? manifest.name ?? app.name;
}
const main = Module._resolveFilename(place, null, true);
app.setAppPath(existsSync(manifestFile) ? place : path.dirname(main));
Module._load(main, Module, true);
