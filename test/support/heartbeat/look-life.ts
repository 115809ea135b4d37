// One life of the runtime over a profile whose look is due, for crash tests: `node look-life.ts JSON`. Waits until that look is over. Dies by
// SIGKILL at the crash point, or after the time, that it was told. Prints looks, what waits, runs, items and timers.
import { z } from 'zod';
import { createApp } from '../../../src/app/create-app.ts';
import { connect } from '../../../src/contract/client.ts';
import { createMemoryTransportPair } from '../../../src/contract/memory-transport.ts';
import { WatchedSourceId } from '../../../src/domain/heartbeat.ts';
import { NO_LOCAL_MODELS } from '../apps.ts';
import { Die, dieAt } from '../dying.ts';

const Options = z.object({
	profileFolder: z.string(),
	at: z.number().int(),
	die: Die.optional(),
	dieAfterMs: z.number().optional(),
});
export type LookLifeOptions = z.input<typeof Options>;

async function main(options: z.output<typeof Options>): Promise<void> {
	dieAt(options.die);
	if (options.dieAfterMs !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), options.dieAfterMs);
	const clock = { now: () => options.at, monotonic: () => performance.now() };
	const app = await createApp({ profileFolder: options.profileFolder, hostMode: 'test', localAddresses: NO_LOCAL_MODELS, clock });
	const [near, far] = createMemoryTransportPair();
	app.attach(far);
	const { rpc } = await connect(near, { client: 'test' });
	for (;;) {
		const ticks = await rpc.heartbeat.ticks({ limit: 10 });
		if (ticks.length > 0 && ticks.every(({ endedAt }) => endedAt !== undefined)) {
			const { proposals } = await rpc.inbox.list({ status: 'pending', limit: 50 });
			const { runs } = await rpc.runs.list({ kind: ['heartbeat'], limit: 50 });
			const items = await rpc.sources.items({ sourceId: WatchedSourceId.parse('paper'), limit: 50 });
			const { timers } = await rpc.work.status();
			const said = {
				ticks,
				found: proposals.map(({ operation }) => ('text' in operation ? operation.text : null)),
				runs: runs.map(({ status }) => status),
				items: items.map(({ state }) => state),
				timers,
			};
			process.stdout.write(`${JSON.stringify(said)}\n`);
			break;
		}
		await new Promise((done) => setTimeout(done, 5));
	}
	await app.close();
}

await main(Options.parse(JSON.parse(process.argv[2] ?? '{}')));
