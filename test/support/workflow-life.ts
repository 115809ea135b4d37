// One life of the runtime over an instance of a workflow, for crash tests: `node workflow-life.ts JSON`. Starts the instance where it is not there
// yet, answers and signals what it waits for, and lets time pass on its own clock until it is over. Dies by SIGKILL at the crash point, or after
// the time, that it was told. Prints the instance and the statuses of its runs.
import { z } from 'zod';
import { createApp } from '../../src/app/create-app.ts';
import { connect } from '../../src/contract/client.ts';
import { createMemoryTransportPair } from '../../src/contract/memory-transport.ts';
import type { EventName } from '../../src/domain/run.ts';
import { WorkflowName } from '../../src/domain/workflow.ts';
import { NO_LOCAL_MODELS } from './apps.ts';
import { Die, dieAt } from './dying.ts';

const Options = z.object({
	profileFolder: z.string(),
	name: WorkflowName,
	data: z.record(z.string(), z.union([z.string(), z.number()])),
	requestId: z.string(),
	at: z.number().int(),
	/** By a piece of the question. */
	answers: z.record(z.string(), z.string()),
	/** By name; of those that time decides there are none here. */
	signals: z.record(z.string(), z.json()).default({}),
	die: Die.optional(),
	dieAfterMs: z.number().optional(),
});
export type WorkflowLifeOptions = z.input<typeof Options>;

async function main(options: z.output<typeof Options>): Promise<void> {
	dieAt(options.die);
	if (options.dieAfterMs !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), options.dieAfterMs);
	const clock = { at: options.at, now: () => clock.at, monotonic: () => performance.now() };
	const app = await createApp({ profileFolder: options.profileFolder, hostMode: 'test', localAddresses: NO_LOCAL_MODELS, clock });
	const [near, far] = createMemoryTransportPair();
	app.attach(far);
	const { rpc } = await connect(near, { client: 'test' });
	const { name, data, requestId } = options;
	const { id: instanceId } = await rpc.workflows.start({ name, data, requestId });
	for (;;) {
		const instance = await rpc.workflows.instance({ instanceId });
		if (instance.status === 'done' || instance.status === 'failed' || instance.status === 'stopped') {
			const { runs } = await rpc.runs.list({ kind: ['workflow'], limit: 500 });
			const statuses = runs.filter((run) => run.instanceId === instanceId).map(({ status }) => status);
			process.stdout.write(`${JSON.stringify({ instance, statuses, timers: (await rpc.work.status()).timers })}\n`);
			break;
		}
		const payload = instance.waitsFor && options.signals[instance.waitsFor];
		if (instance.status === 'waiting') {
			for (const { id, shownHash, detail, runId } of await rpc.chat.interrupts({})) {
				if (runId !== instance.runId || detail.kind !== 'question') continue;
				const [, text] = Object.entries(options.answers).find(([piece]) => detail.question.includes(piece)) ?? [];
				if (text === undefined) throw new Error(`nobody answers: ${detail.question}`);
				await rpc.chat.answer({ interruptId: id, shownHash, answer: { type: 'reply', text } });
			}
		} else if (instance.status === 'sleeping' && payload !== undefined) {
			await rpc.workflows.signal({ instanceId, name: instance.waitsFor as EventName, payload, label: 'owner' });
		} else if (instance.status === 'sleeping' && instance.dueAt !== undefined) {
			clock.at = Math.max(clock.at, instance.dueAt);
			await rpc.work.noticed({ what: 'clock' });
		}
		await new Promise((done) => setTimeout(done, 2));
	}
	await app.close();
}

await main(Options.parse(JSON.parse(process.argv[2] ?? '{}')));
