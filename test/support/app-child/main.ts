import { createApp } from '../../../src/app/create-app.ts';
import { onCrashPoint } from '../../../src/base/crash-point.ts';
import { NO_LOCAL_MODELS } from '../apps.ts';

/**
 * The runtime in a process of its own, to be killed: `node test/support/app-child/main.ts PROFILE_FOLDER [POINT]`. Prints `ready` when it is. Dies
 * by SIGKILL where it first passes that crash point.
 */
const [profileFolder, deadly] = process.argv.slice(2);
if (!profileFolder) throw new Error('no folder given');
onCrashPoint((point) => {
	if (point === deadly) process.kill(process.pid, 'SIGKILL');
});
const app = await createApp({ profileFolder, hostMode: 'test', localAddresses: NO_LOCAL_MODELS });
process.on('SIGTERM', () => {
	app.close().then(
		() => process.exit(0),
		() => process.exit(1),
	);
});
process.stdout.write('ready\n');
