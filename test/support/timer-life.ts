// One life of the runtime over runs that wait, for crash tests: `node timer-life.ts JSON`. Recovers, begins the runs that are not there yet, and lets
// time pass on its own clock until no run goes on by itself. Dies by SIGKILL at the crash point that it was told. Prints how each run stands.
import { join } from 'node:path';
import { z } from 'zod';
import type { RunId } from '../../src/domain/ids.ts';
import { findRun } from '../../src/run/journal-store.ts';
import { countTimers } from '../../src/timer/timer-store.ts';
import { waitUntilTool } from '../../src/tools/wait-until.ts';
import { Die, dieAt } from './dying.ts';
import { openHarness } from './run/harness.ts';
import { testTools } from './test-tools.ts';

const Options = z.object({
	folder: z.string(),
	runs: z.number().int(),
	/** What the wall clock shows; a wait is 60 minutes long. */
	at: z.number().int(),
	die: Die.optional(),
});
export type TimerLifeOptions = z.input<typeof Options>;

async function main(options: z.output<typeof Options>): Promise<void> {
	dieAt(options.die);
	const clock = { now: () => options.at, monotonic: () => performance.now() };
	const tools = [...testTools(join(options.folder, 'ledger.jsonl')), waitUntilTool(clock)] as Parameters<typeof openHarness>[0]['tools'];
	const harness = openHarness({ folder: options.folder, clock, tools });
	const { db, engine, work } = harness;
	engine.recover({ goOn: true });
	work.start();
	const ids: RunId[] = [];
	for (let number = 0; number < options.runs; number += 1) {
		const calls = [
			{ tool: 'wait_until', args: { in_minutes: 60 } },
			{ tool: 'test_idempotent', args: { value: String(number) } },
		];
		const script = calls.map(({ tool, args }, index) => ({ callId: `call_${index}`, tool, args: JSON.stringify(args) }));
		const key = `wait-${number}`;
		const begun = db.write((tx) =>
			engine.beginWork(tx, { kind: 'workflow', beginKey: key, title: key, task: key, label: 'owner', script }),
		);
		if (begun.fresh) engine.start(begun.runId);
		ids.push(begun.runId);
	}
	const statuses = () => ids.map((id) => findRun(db.read, id)?.status);
	await harness.until(() => !statuses().includes('running') && !engine.isAtWork(), 'all to rest');
	const ends = ids.map((id) => harness.journal(id).filter((type) => type === 'wait_ended').length);
	process.stdout.write(`${JSON.stringify({ statuses: statuses(), ends, timers: countTimers(db.read) })}\n`);
	await harness.close();
}

await main(Options.parse(JSON.parse(process.argv[2] ?? '{}')));
