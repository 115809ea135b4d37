import { createInterface } from 'node:readline';
import { type App, createApp } from '../../../src/app/create-app.ts';
import { testTools } from '../../support/test-tools.ts';

/**
 * Real runtimes with their web doors, one after the other, in a process of its own, so that a test can kill it. Each line on
 * its input is an order in JSON, answered by one line. It ends with its input.
 */
export interface WebHostOptions {
	profileFolder: string;
	rendererFolder: string;
	port: number;
	localAddresses: { ollama: string; lmstudio: string };
	/** With it, the three test tools are there and write to this file. */
	ledger?: string;
}

/** `open` and `close` answer `done`, `url` a new one-time address; each may answer `failed: …` instead. */
export type WebHostOrder = { order: 'open'; options: WebHostOptions } | { order: 'url' } | { order: 'close' };

let app: App | undefined;

async function obey(asked: WebHostOrder): Promise<string> {
	if (asked.order === 'open') {
		const { profileFolder, rendererFolder, port, localAddresses, ledger } = asked.options;
		const tools = ledger ? testTools(ledger) : [];
		app = await createApp({ profileFolder, rendererFolder, webPort: port, hostMode: 'test', localAddresses, tools });
		return 'done';
	}
	if (!app) throw new Error('no runtime is open');
	if (asked.order === 'url') return app.openWeb();
	await app.close();
	app = undefined;
	return 'done';
}

for await (const line of createInterface({ input: process.stdin })) {
	const answer = await obey(JSON.parse(line)).catch((error: unknown) => `failed: ${error instanceof Error ? error.stack : error}`);
	console.log(answer.replaceAll('\n', ' '));
}
await app?.close();
process.exit(0);
