import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, type AppOptions, createApp } from '../../src/app/create-app.ts';
import { type Connection, connect } from '../../src/contract/client.ts';
import { createMemoryTransportPair } from '../../src/contract/memory-transport.ts';

/** Nobody answers here: tests must not find a model server that happens to run on the machine. */
export const NO_LOCAL_MODELS = { ollama: 'http://127.0.0.1:9', lmstudio: 'http://127.0.0.1:9/v1' };

export interface RunningApp {
	app: App;
	home: string;
	profileFolder: string;
	connection: Connection;
	rpc: Connection['rpc'];
	/** Another connection, as a second window has. */
	connect(): Promise<Connection>;
	/** Closes the app and keeps the folder. */
	close(): Promise<void>;
}

export function temporaryHome(): { home: string; profileFolder: string; remove(): void } {
	const home = mkdtempSync(join(tmpdir(), 'hearth-home-'));
	return { home, profileFolder: join(home, 'profiles', 'default'), remove: () => rmSync(home, { recursive: true, force: true }) };
}

/** The whole runtime over a real folder, with one connection in memory. */
export async function startApp(home: string, options: Partial<AppOptions> = {}): Promise<RunningApp> {
	const profileFolder = options.profileFolder ?? join(home, 'profiles', 'default');
	const app = await createApp({ profileFolder, hostMode: 'test', localAddresses: NO_LOCAL_MODELS, ...options });
	const open = (): Promise<Connection> => {
		const [near, far] = createMemoryTransportPair();
		app.attach(far);
		return connect(near, { client: 'test' });
	};
	const connection = await open();
	return { app, home, profileFolder, connection, rpc: connection.rpc, connect: open, close: () => app.close() };
}
