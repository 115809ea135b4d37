#!/usr/bin/env node
import { EXIT } from './exit-codes.ts';
import { run } from './run.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	// Whoever read it has seen enough (`| head`); the work itself goes on to its end.
	if (error.code === 'EPIPE') return;
	process.exitCode = EXIT.failed;
	process.stderr.write(`The result could not be written (${error.code}).\n`);
});
// With nobody left to read remarks there is nobody to tell so.
process.stderr.on('error', () => {});

const code = await run(process.argv.slice(2));
process.exitCode ||= code;
