#!/usr/bin/env node
export {};

const NEEDED = 24;

const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED) {
	process.stderr.write(
		`Hearth needs Node ${NEEDED} or newer; this is ${process.versions.node}. Run it with “npm run hearth -- …”, which brings its own, or install a newer Node.\n`,
	);
	process.exitCode = 2;
} else {
	// Only now: what follows uses what an older Node does not have.
	const { run } = await import('./run.ts');
	process.exitCode = await run(process.argv.slice(2));
}
