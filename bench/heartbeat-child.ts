import { createInterface } from 'node:readline';
import { createApp } from '../src/app/create-app.ts';
import { systemClock } from '../src/base/clock.ts';
import { NO_LOCAL_MODELS } from '../test/support/apps.ts';

/**
 * The runtime in a process of its own whose wall clock can be set on: `node heartbeat-child.ts PROFILE_FOLDER`. Prints `ready`. Each line that
 * comes in is so many milliseconds by which the clock goes on, and is answered with `set`.
 */
const [profileFolder] = process.argv.slice(2);
if (!profileFolder) throw new Error('no folder given');
let ahead = 0;
createInterface({ input: process.stdin }).on('line', (ms) => {
	ahead += Number(ms);
	process.stdout.write('set\n');
});
const clock = { now: () => Date.now() + ahead, monotonic: systemClock.monotonic };
const app = await createApp({ profileFolder, hostMode: 'test', localAddresses: NO_LOCAL_MODELS, clock });
process.on('SIGTERM', () => {
	app.close().then(
		() => process.exit(0),
		() => process.exit(1),
	);
});
process.stdout.write('ready\n');
