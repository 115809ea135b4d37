import { createInterface } from 'node:readline';
import { createApp } from '../../../src/app/create-app.ts';
import { onCrashPoint } from '../../../src/base/crash-point.ts';
import { NO_LOCAL_MODELS } from '../apps.ts';

/**
 * The runtime in a process of its own, to be killed: `node test/support/app-child/main.ts PROFILE_FOLDER [POINT]`. Prints `ready` when it is. Dies
 * by SIGKILL where it next passes that crash point, or the one of the newest line that came in; each of these is answered with `armed`.
 */
const [profileFolder, first] = process.argv.slice(2);
if (!profileFolder) throw new Error('no folder given');
let deadly = first;
onCrashPoint((point) => {
	if (point === deadly) process.kill(process.pid, 'SIGKILL');
});
createInterface({ input: process.stdin }).on('line', (point) => {
	deadly = point;
	process.stdout.write('armed\n');
});
const app = await createApp({ profileFolder, hostMode: 'test', localAddresses: NO_LOCAL_MODELS });
process.on('SIGTERM', () => {
	app.close().then(
		() => process.exit(0),
		() => process.exit(1),
	);
});
process.stdout.write('ready\n');
