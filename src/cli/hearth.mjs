#!/usr/bin/env node
// Plain JavaScript, which any Node can read: one that is too old must be able to say so.
const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
	process.stderr.write(
		`Hearth needs Node ${NEEDED} or newer; this is ${process.versions.node}. On Linux “npm run hearth -- …” brings its own after npm install; elsewhere install a newer Node.\n`,
	);
	process.exitCode = 2;
} else {
	await import('./main.ts');
}
