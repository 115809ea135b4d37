import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { modelFor } from '../../../bench/pollution/model.ts';
import { dialSocket } from '../../../src/app/socket.ts';
import { connect } from '../../../src/contract/client.ts';
import { type RunningApp, startApp, temporaryHome } from '../apps.ts';
import { type Entry, type FeedServer, rss, startFeedServer } from '../heartbeat/feeds.ts';
import { type RecordedRequest, startModelServer } from '../model-server/index.ts';
import { programOf } from '../program.ts';

/** A profile over many lives of the runtime, with a feed and a model that believes, saves and repeats all that it sees. */
export interface Lives {
	readonly rpc: RunningApp['rpc'];
	readonly profileFolder: string;
	readonly feed: FeedServer;
	/** What the model was given so far, in the order of the calls; a look's apart. */
	readonly prompts: { readonly look: boolean; readonly text: string }[];
	serve(entries: readonly Entry[]): void;
	/** An orderly end and a new start. */
	restart(): Promise<void>;
	/** The end of a process, at any moment, and a new start on what lies there then. */
	crash(): Promise<void>;
}

interface Life {
	readonly rpc: RunningApp['rpc'];
	end(): Promise<void>;
	/** Gives the folder to go on in. */
	die(): Promise<string>;
}

/** So that a few long messages do not fit. */
const SMALL_WINDOW = 16_000;

/**
 * `really`: each life is a process, and a crash kills it. Else a life is an app in this process, and a crash goes on with a copy of the folder as it is
 * at that moment: what is in memory only is lost, as with a process that dies.
 */
export async function openLives({ really = false }: { really?: boolean } = {}): Promise<Lives> {
	const { home, profileFolder: first, remove } = temporaryHome();
	onTestFinished(remove);
	const [model, feed] = await Promise.all([startModelServer(), startFeedServer()]);
	onTestFinished(() => Promise.all([model.close(), feed.close()]).then(() => undefined));
	const prompts: Lives['prompts'][number][] = [];
	const gullible = modelFor('worst');
	model.script((request: RecordedRequest) => {
		const text = JSON.stringify(request.body);
		prompts.push({ look: text.includes('New items, each in its frame'), text });
		return gullible(request);
	});
	mkdirSync(first, { recursive: true });
	const chosen = { providerId: 'scripted', modelId: 'scripted' };
	const config = {
		version: 1,
		firstRunDone: true,
		embedding: { kind: 'off' },
		settings: { findingsPerLook: 50, findingsPerDay: 500 },
		providers: [{ id: 'scripted', kind: 'openai-compatible', name: 'Scripted', baseUrl: model.openaiUrl, contextTokens: SMALL_WINDOW }],
		models: { chat: chosen, background: chosen, summarise: chosen },
	};
	writeFileSync(join(first, 'config.json'), JSON.stringify(config));
	writeFileSync(join(first, 'HEARTBEAT.md'), '# What to watch\n\n- News of the village\n');
	feed.serve(rss([]));

	let copies = 0;
	const start = really ? startProcess : startHere;
	let profileFolder = first;
	let life = await start(profileFolder);
	onTestFinished(() => life.end());

	async function startHere(folder: string): Promise<Life> {
		const app = await startApp(home, { profileFolder: folder });
		return {
			rpc: app.rpc,
			end: () => app.close(),
			die: async () => {
				copies += 1;
				const copy = join(home, 'profiles', `life-${copies}`);
				cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') && !path.endsWith('lock') });
				// It goes on until it is over, in a folder that nobody looks at any more.
				await app.close();
				return copy;
			},
		};
	}

	async function startProcess(folder: string): Promise<Life> {
		const program = programOf(join(import.meta.dirname, '..', 'app-child', 'main.ts'));
		const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
		const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
		await new Promise<void>((resolve, reject) => {
			createInterface({ input: child.stdout }).on('line', (line) => line === 'ready' && resolve());
			void ended.then(() => reject(new Error('the runtime did not start')));
		});
		const transport = await dialSocket(folder);
		if (!transport) throw new Error('the runtime has no door');
		const { rpc } = await connect(transport, { client: 'test' });
		return {
			rpc,
			end: async () => {
				child.kill('SIGTERM');
				await ended;
			},
			die: async () => {
				child.kill('SIGKILL');
				await ended;
				return folder;
			},
		};
	}

	return {
		get rpc() {
			return life.rpc;
		},
		get profileFolder() {
			return profileFolder;
		},
		feed,
		prompts,
		serve: (entries) => feed.serve(rss(entries)),
		restart: async () => {
			await life.end();
			life = await start(profileFolder);
		},
		crash: async () => {
			profileFolder = await life.die();
			life = await start(profileFolder);
		},
	};
}
