import { createApp } from '../src/app/create-app.ts';
import { NO_LOCAL_MODELS } from '../test/support/apps.ts';

/**
 * The runtime over a profile: `node bench/schedule-app-child.ts PROFILE_FOLDER`. Prints as one line of JSON how long opening it took: from the call
 * until its doors are open, what the last life left is taken up, and the next slot's alarm is set. The program is loaded before.
 */
const [profileFolder] = process.argv.slice(2);
if (!profileFolder) throw new Error('no folder given');
const before = process.cpuUsage();
const began = performance.now();
const app = await createApp({ profileFolder, hostMode: 'test', localAddresses: NO_LOCAL_MODELS });
const openMs = performance.now() - began;
const { user, system } = process.cpuUsage(before);
process.on('SIGTERM', () => {
	app.close().then(
		() => process.exit(0),
		() => process.exit(1),
	);
});
process.stdout.write(`${JSON.stringify({ openMs, openProcessorMs: (user + system) / 1_000 })}\n`);
