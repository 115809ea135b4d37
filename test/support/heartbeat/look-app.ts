import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AppOptions } from '../../../src/app/create-app.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import type { Settings } from '../../../src/contract/methods/profile.ts';
import { FIRST_TRUST, type HeartbeatTick, WatchedBudget, WatchedPlace, WatchedSourceId } from '../../../src/domain/heartbeat.ts';
import { insertSource } from '../../../src/heartbeat/source-store.ts';
import { type RunningApp, startApp, temporaryHome } from '../apps.ts';
import { heardEvents } from '../heard-events.ts';
import { type ModelServer, type RecordedRequest, type Reply, says, startModelServer } from '../model-server/index.ts';
import { openIn } from '../storage/folders.ts';
import { type SetClock, setClock } from '../timers.ts';
import { type Entry, type FeedServer, rss, startFeedServer } from './feeds.ts';

export const MINUTE = 60_000;
/** A Monday. */
export const NOON = Date.UTC(2026, 10, 30, 12);
const INTERESTS = '# What to watch\n\n- Changes of when the bins are emptied\n- The fair\n';

/** The whole runtime with a clock that the test sets, a scripted model and one feed. */
export interface LookApp {
	readonly rpc: RunningApp['rpc'];
	readonly home: string;
	readonly profileFolder: string;
	readonly clock: SetClock;
	/** What the model was asked; it answers with no finding unless told. */
	readonly model: ModelServer;
	readonly feed: FeedServer;
	readonly sourceId: WatchedSourceId;
	/** Announced so far in this life. */
	readonly events: LiveEvent[];
	/** The feed has these from now on, newest first. */
	serve(...entries: Entry[]): void;
	pass(ms: number): Promise<void>;
	restart(): Promise<void>;
	/** Nobody runs the profile afterwards. */
	close(): Promise<void>;
	/** The newest look, once it is over. */
	over(): Promise<HeartbeatTick>;
	until(holds: () => boolean | Promise<boolean>, what: string): Promise<void>;
}

export interface LookAppOptions extends Partial<AppOptions> {
	readonly answer?: (request: RecordedRequest) => Reply;
	readonly settings?: Partial<Settings>;
	readonly interests?: string;
	/** The model: on this machine and free unless told. `null`: the built-in responder. */
	readonly provider?: Record<string, unknown> | null;
	readonly price?: { input: number; output: number };
	readonly at?: number;
}

/** Memory is searched by words only. */
export async function lookApp(given: LookAppOptions = {}): Promise<LookApp> {
	const { answer, settings, interests, provider, price, at = NOON, ...options } = given;
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const clock = setClock(at);
	const [model, feed] = await Promise.all([startModelServer(), startFeedServer()]);
	onTestFinished(() => Promise.all([model.close(), feed.close()]).then(() => undefined));
	model.script(answer ?? (() => says('{"findings": []}')));
	const sourceId = prepareLooks(profileFolder, { feedUrl: feed.url, modelUrl: model.openaiUrl, settings, interests, provider, price, at });
	feed.serve(rss([]));
	let app = await startApp(home, { clock, ...options });
	onTestFinished(() => app.close());
	let events = heardEvents(app);
	const until: LookApp['until'] = async (holds, what) => {
		for (const deadline = Date.now() + 20_000; !(await holds()); await new Promise((done) => setTimeout(done, 5)))
			if (Date.now() > deadline) throw new Error(`waited 20 s for: ${what}`);
	};
	return {
		get rpc() {
			return app.rpc;
		},
		home,
		profileFolder,
		clock,
		model,
		feed,
		sourceId,
		get events() {
			return events;
		},
		serve: (...entries) => feed.serve(rss(entries)),
		pass: async (ms) => {
			clock.at += ms;
			await app.rpc.work.noticed({ what: 'clock' });
		},
		restart: async () => {
			await app.close();
			app = await startApp(home, { clock, ...options });
			events = heardEvents(app);
		},
		close: () => app.close(),
		over: async () => {
			let newest: HeartbeatTick | undefined;
			await until(async () => {
				[newest] = await app.rpc.heartbeat.ticks({ limit: 1 });
				return newest?.endedAt !== undefined;
			}, 'the look to be over');
			return newest as HeartbeatTick;
		},
		until,
	};
}

export interface Prepared extends Pick<LookAppOptions, 'settings' | 'interests' | 'provider' | 'price'> {
	readonly feedUrl: string;
	readonly modelUrl: string;
	readonly at: number;
}

/** A profile that has never been opened by an app, with one feed to look at. */
export function prepareLooks(
	profileFolder: string,
	{ feedUrl, modelUrl, settings = {}, interests = INTERESTS, ...given }: Prepared,
): WatchedSourceId {
	const { provider = {}, price, at } = given;
	mkdirSync(profileFolder, { recursive: true });
	const scripted = { id: 'scripted', kind: 'openai-compatible', name: 'Scripted', baseUrl: modelUrl, ...(price && { price }), ...provider };
	const models = { background: { providerId: 'scripted', modelId: 'scripted' } };
	const config = { version: 1, embedding: { kind: 'off' }, settings, ...(provider && { providers: [scripted], models }) };
	writeFileSync(join(profileFolder, 'config.json'), JSON.stringify(config));
	writeFileSync(join(profileFolder, 'HEARTBEAT.md'), interests);
	const sourceId = WatchedSourceId.parse('paper');
	addSource(profileFolder, sourceId, `${feedUrl}/feed`, at);
	return sourceId;
}

function addSource(profileFolder: string, id: WatchedSourceId, url: string, createdAt: number): void {
	const place = WatchedPlace.parse({ kind: 'feed', url });
	const db = openIn(profileFolder);
	db.write((tx) =>
		insertSource(tx, {
			id,
			title: 'The village paper',
			place,
			budget: WatchedBudget.parse({ everyMinutes: 5 }),
			trust: FIRST_TRUST,
			createdAt,
			fromNow: false,
		}),
	);
	db.close();
}

/** What the model was given, whole. */
export function promptOf(request: RecordedRequest | undefined): string {
	return JSON.stringify(request?.body ?? null);
}

/** An answer with one finding for the first item. */
export function finds(text: string, quote: string, more: Record<string, unknown> = {}): Reply {
	const finding = { kind: 'memory', item: 1, text, why: 'You watch for it.', quotes: [quote], urgency: 'normal', dueAt: null, ...more };
	return says(JSON.stringify({ findings: [finding] }));
}

export const BINS: Entry = { id: 'bins', title: 'Bins on Tuesdays', text: 'From May on the bins are emptied on Tuesdays, says the town.' };
export const FAIR: Entry = { id: 'fair', title: 'The fair moves', text: 'The fair takes place on 12 June, on the meadow by the mill.' };
