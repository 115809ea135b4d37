// One life of the whole runtime, for crash tests of restore and fork: `node restore-child.ts JSON`. Asks once, always with the same request id,
// as a view does that lost its connection. Dies by SIGKILL at the crash point that it was told. Prints what it was given.
import { z } from 'zod';
import { RunId } from '../../../src/domain/ids.ts';
import { startApp } from '../apps.ts';
import { Die, dieAt } from '../dying.ts';

const Options = z.object({
	home: z.string(),
	runId: RunId,
	step: z.number(),
	/** `start`: nothing is asked; what the last life left is finished by the start alone. */
	what: z.enum(['restore', 'undo', 'fork', 'start']),
	die: Die.optional(),
});
export type RestoreLife = z.input<typeof Options>;

const REQUEST = '018f0000-0000-7000-8000-000000000003';
const FORK_REQUEST = '018f0000-0000-7000-8000-000000000004';

async function main({ home, runId, step, what, die }: z.output<typeof Options>): Promise<void> {
	dieAt(die);
	const { rpc, close } = await startApp(home);
	const say = (given: unknown) => process.stdout.write(JSON.stringify(given));
	if (what === 'restore') say(await rpc.runs.restore({ runId, step, chat: true, files: 'safe', memory: true, requestId: REQUEST }));
	if (what === 'undo') {
		const [newest] = (await rpc.runs.get({ runId })).restores;
		if (newest) say(await rpc.runs.undoRestore({ restoreId: newest.id }));
	}
	if (what === 'fork') {
		const forked = await rpc.runs.fork({ runId, step, requestId: FORK_REQUEST });
		while ((await rpc.runs.get({ runId: forked.runId })).run.status === 'running') await new Promise((done) => setTimeout(done, 5));
		say(forked);
	}
	await close();
}

await main(Options.parse(JSON.parse(process.argv[2] ?? '{}')));
