#!/usr/bin/env node
// Plain JavaScript, which any Node can read: one that is too old goes on under the project's own, or says what is missing.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const folder = dirname(fileURLToPath(import.meta.url));
const ownNode = join(folder, '..', '..', 'node_modules', '.bin', 'node');

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
	// Keeps what Node made of the sources for the next start, which takes half the time then.
	module.enableCompileCache();
	await import('./main.ts');
} else if (existsSync(ownNode)) {
	const child = spawn(ownNode, [join(folder, 'hearth.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
	// A terminal sends Ctrl+C to both; the other program decides when to end.
	process.on('SIGINT', () => {});
	for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	process.exitCode = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => resolve(code === null ? 1 : code));
	});
} else {
	process.stderr.write(
		`Hearth needs Node ${NEEDED} or newer; this is ${process.versions.node}. On Linux “npm install” brings one along; elsewhere install a newer Node.\n`,
	);
	process.exitCode = 2;
}
