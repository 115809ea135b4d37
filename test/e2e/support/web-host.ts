import { createInterface } from 'node:readline';
import { createApp } from '../../../src/app/create-app.ts';
import { testTools } from '../../support/test-tools.ts';

/**
 * A real runtime with its web door, in a process of its own, so that a test can kill it. Takes its options as JSON in the
 * first argument; answers each line on its input with a new one-time address.
 */
export interface WebHostOptions {
	profileFolder: string;
	rendererFolder: string;
	port: number;
	localAddresses: { ollama: string; lmstudio: string };
	/** With it, the three test tools are there and write to this file. */
	ledger?: string;
}

const options: WebHostOptions = JSON.parse(process.argv[2] ?? '');
const app = await createApp({
	profileFolder: options.profileFolder,
	rendererFolder: options.rendererFolder,
	webPort: options.port,
	hostMode: 'test',
	localAddresses: options.localAddresses,
	tools: options.ledger ? testTools(options.ledger) : [],
});
createInterface({ input: process.stdin }).on('line', () => {
	app.openWeb().then(
		(url) => console.log(url),
		(error: unknown) => console.error(error),
	);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void app.close().then(() => process.exit(0)));
console.log('ready');
