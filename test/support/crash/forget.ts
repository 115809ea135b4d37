// One life of the whole runtime that forgets an entry, or takes in what was changed outside, and dies by SIGKILL the nth time it passes a
// crash point, for crash tests: `node forget.ts JSON`. Says `over` where it did not come so far.
import { z } from 'zod';
import { CRASH_POINTS, onCrashPoint } from '../../../src/base/crash-point.ts';
import { EntryId } from '../../../src/domain/memory.ts';
import { startApp } from '../apps.ts';

export const Life = z.object({
	home: z.string(),
	point: z.enum(CRASH_POINTS),
	nth: z.number(),
	/** Without one, a start is all. */
	forget: z.object({ entryId: EntryId, baseHash: z.string() }).optional(),
});
export type Life = z.infer<typeof Life>;

async function main({ home, point, nth, forget }: Life): Promise<void> {
	let passed = 0;
	const listen = () =>
		onCrashPoint((name) => {
			if (name === point) passed += 1;
			if (passed === nth) process.kill(process.pid, 'SIGKILL');
		});
	if (!forget) listen();
	const { rpc, close } = await startApp(home);
	if (forget) {
		listen();
		await rpc.memory.forget(forget);
	} else {
		await rpc.memory.verify();
	}
	await close();
	process.stdout.write('over\n');
}

if (process.argv[2]) await main(Life.parse(JSON.parse(process.argv[2])));
