import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { dialSocket } from '../../../src/app/socket.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { type Connection, connect } from '../../../src/contract/client.ts';
import type { WriteDb } from '../../../src/db/brands.ts';
import { openStateDb } from '../../../src/db/open.ts';
import { type ModelServer, type Reply, startModelServer } from '../../support/model-server/index.ts';
import { type Hearth, openView, startHearth, type View, type ViewOptions } from './browser.ts';

/** A chat in a real Chromium, against a real runtime, with a scripted model behind it. */
export interface Chat {
	readonly hearth: Hearth;
	readonly model: ModelServer;
	readonly view: View;
	readonly page: View['page'];
	readonly field: Locator;
	/** The newest reply. */
	readonly reply: Locator;
	/** The file that the test tools write to. */
	readonly ledger: string;
	/** Types and sends. */
	say(text: string): Promise<void>;
	/** The runtime's own connection for commands, to look at what is stored. */
	rpc(): Promise<Connection>;
	/** Loads the page anew at a new one-time address; the view's other state (theme, storage) stays. */
	reopen(): Promise<void>;
	close(): Promise<void>;
}

export interface ChatOptions {
	replies?: Reply[];
	fallback?: Reply;
	/** Fills the profile before the runtime starts. */
	seed?: (tx: WriteDb) => void;
	view?: ViewOptions;
	/** The test tools are there. */
	tools?: boolean;
	contextTokens?: number;
	/** Memory is found by meaning, too: the embedding model is loaded. False unless told otherwise. */
	embedding?: boolean;
}

export async function openChat(options: ChatOptions = {}): Promise<Chat> {
	const home = mkdtempSync(join(tmpdir(), 'hearth-chat-'));
	const profileFolder = join(home, 'profiles', 'default');
	const ledger = join(home, 'ledger.jsonl');
	const model = await startModelServer({
		script: {
			replies: options.replies ?? [],
			...(options.fallback ? { fallback: options.fallback } : {}),
			models: [{ id: 'scripted', contextTokens: options.contextTokens ?? 32_768, capabilities: ['completion', 'tools'] }],
		},
	});
	prepare(profileFolder, model.url, options);
	const hearth = await startHearth({
		home,
		firstRunDone: false,
		localAddresses: { ollama: model.url },
		...(options.tools ? { ledger } : {}),
	});
	const view = await openView(hearth, options.view);
	const { page } = view;
	const field = page.locator('#msg');
	await field.waitFor();
	return {
		hearth,
		model,
		view,
		page,
		field,
		ledger,
		reply: page.getByRole('article', { name: 'Hearth' }).last(),
		async say(text) {
			await field.fill(text);
			await field.press('Enter');
		},
		async rpc() {
			const transport = await dialSocket(profileFolder);
			if (!transport) throw new Error('the runtime does not run');
			return connect(transport, { client: 'test' });
		},
		async reopen() {
			const place = new URL(page.url()).hash;
			const address = await hearth.url();
			await page.goto('about:blank');
			await page.goto(address);
			await field.waitFor();
			if (place) {
				await page.evaluate((hash) => {
					window.location.hash = hash;
				}, place);
			}
		},
		async close() {
			await view.close();
			await hearth.stop();
			await model.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}

/** A profile that has been through the first run and talks to the scripted model. */
function prepare(profileFolder: string, modelUrl: string, { seed, embedding }: ChatOptions): void {
	mkdirSync(profileFolder, { recursive: true, mode: 0o700 });
	const model = { providerId: 'ollama', modelId: 'scripted' };
	const config = {
		version: 1,
		firstRunDone: true,
		providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: modelUrl }],
		models: { chat: model },
		...(embedding ? {} : { embedding: { kind: 'off' } }),
	};
	writeFileSync(join(profileFolder, 'config.json'), JSON.stringify(config));
	if (!seed) return;
	const db = openStateDb({ file: join(profileFolder, 'state.db'), backupsFolder: join(profileFolder, 'backups'), logger: silentLogger });
	db.write(seed);
	db.close();
}
