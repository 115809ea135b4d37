import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../src/base/sha256.ts';
import type { WatchedSource } from '../../src/domain/heartbeat.ts';
import type { AttachmentId, RunId, SessionId } from '../../src/domain/ids.ts';
import { messageText } from '../../src/domain/message.ts';
import type { RunStatus } from '../../src/domain/run.ts';
import { type RunningApp, startApp } from '../../test/support/apps.ts';
import { leaks, placesOf } from '../../test/support/quarantine/scan.ts';
import { AFTER, type Arm, type Cell, type Group, NEXT, SAVE_PROMPTS } from './posts.ts';
import { provenanceOf } from './provenance.ts';

/** What the owner of one profile does, over one life of the runtime or over many: all of it can be done again after a kill, and happens once. */

export interface Place {
	readonly home: string;
	readonly modelUrl: string;
	readonly embedUrl: string;
	/** Of a cell's feed. */
	address(cellId: string): string;
}

/** What was found of one cell in the state, and in what a chat's model was given and said. */
export interface CellState {
	readonly id: string;
	/** The false claim stands in memory: in its files, its ledger, its index. */
	readonly saved: boolean;
	/** In a summary of a chat. */
	readonly summarised: boolean;
	/** In the reply of the same chat, and in that of the next one. */
	readonly saidAtOnce: boolean;
	readonly behaved: boolean;
	/** Places beside the quarantine, before anything is approved. */
	readonly leaks: readonly string[];
	readonly factsKept: number;
	/** Harmless findings that wait for the owner. */
	readonly reviewable: number;
	readonly after?: { readonly saved: boolean; readonly behaved: boolean };
}

export interface GroupState {
	readonly cells: readonly CellState[];
	/** Of entries that background work brought, after they were approved. */
	readonly provenance: { readonly rows: number; readonly complete: number; readonly gaps: readonly string[] };
}

const WINDOW = 100_000;
/** So that a chat of this many diary pages does not fit. */
const SMALL_WINDOW = 16_000;
const DIARY_PAGES = 5;

export async function liveGroup(arm: Arm, { cells }: Group, place: Place): Promise<GroupState> {
	const { home } = place;
	setUp(arm, cells, place);
	// Nobody runs a command here: no sandbox has to be looked for.
	const app = await startApp(home, { sandboxPath: join(home, 'no-programs') });
	try {
		// Else the system's keyring is looked for with each call of the model.
		await app.rpc.secrets.choose({ store: 'memory' });
		const owner = ownerOf(app);
		const sources = await addSources(app, cells, place);
		const chats = new Map<Cell, SessionId>();
		await together(cells, async (cell) => {
			const [first, second, ...told] = cell.scenario.facts;
			for (const text of [first, second]) await app.rpc.memory.add({ text, requestId: uuidOf(`${cell.id} ${text}`) });
			const { sessionId } = await owner.turn(cell, 'facts', `Some things about me:\n\n${told.map((fact) => `- ${fact}`).join('\n')}`);
			chats.set(cell, sessionId);
		});
		const chatOf = (cell: Cell): SessionId => chats.get(cell) as SessionId;
		for (const cell of cells) {
			const source = sources.get(cell) as WatchedSource;
			await (arm === 'control' ? shareSession(app, owner, cell, source, chatOf(cell)) : lookAt(app, source));
		}
		const replies = new Map<Cell, { now: string; next: string }>();
		await together(cells, async (cell) => {
			const sessionId = chatOf(cell);
			if (arm === 'hearth_compaction')
				for (let page = 1; page <= DIARY_PAGES; page += 1) await owner.turn(cell, `page ${page}`, diaryPage(page), { sessionId });
			const { text: now } = await owner.turn(cell, 'question', cell.scenario.question, { sessionId });
			await owner.turn(cell, 'save', SAVE_PROMPTS[cell.prompt], { sessionId });
			const { text: next } = await owner.turn(cell, 'next', `${NEXT}\n${cell.scenario.question}`);
			replies.set(cell, { now, next });
		});
		await settled(app);
		const reviewable = await reviewableOf(app, cells);
		const states: CellState[] = [];
		for (const cell of cells) {
			const { now, next } = replies.get(cell) as { now: string; next: string };
			const places = placesOf(app.profileFolder, cell.canary).map(({ where }) => where);
			states.push({
				id: cell.id,
				saved: isRemembered(app.profileFolder, places),
				summarised: places.some((where) => where.startsWith('state.db compactions.')),
				saidAtOnce: now.includes(cell.canary),
				behaved: next.includes(cell.canary),
				leaks: arm === 'control' ? [] : leaks(app.profileFolder, cell.canary),
				factsKept: await factsKept(app, cell),
				reviewable: reviewable.get(cell) ?? 0,
			});
		}
		if (arm !== 'hearth_approve_all') return { cells: states, provenance: { rows: 0, complete: 0, gaps: [] } };
		await approveAll(app);
		await settled(app);
		const after = new Map<string, { saved: boolean; behaved: boolean }>();
		await together(cells, async (cell) => {
			const { text } = await owner.turn(cell, 'after', `${AFTER}\n${cell.scenario.question}`);
			const places = placesOf(app.profileFolder, cell.canary).map(({ where }) => where);
			after.set(cell.id, { saved: isRemembered(app.profileFolder, places), behaved: text.includes(cell.canary) });
		});
		return { cells: states.map((state) => ({ ...state, after: after.get(state.id) })), provenance: await provenanceOf(app, cells, place) };
	} finally {
		await app.close();
	}
}

function setUp(arm: Arm, cells: readonly Cell[], { home, modelUrl, embedUrl }: Place): void {
	const profile = join(home, 'profiles', 'default');
	if (existsSync(join(profile, 'config.json'))) return;
	mkdirSync(profile, { recursive: true });
	const model = { providerId: 'scripted', modelId: 'scripted' };
	const config = {
		version: 1,
		firstRunDone: true,
		settings: { findingsPerLook: 50, findingsPerDay: 500 },
		providers: [
			{
				id: 'scripted',
				kind: 'openai-compatible',
				name: 'Scripted',
				baseUrl: modelUrl,
				contextTokens: arm === 'hearth_compaction' ? SMALL_WINDOW : WINDOW,
			},
		],
		models: { chat: model, background: model, summarise: model },
		embedding: { kind: 'openai-compatible', baseUrl: embedUrl, modelId: 'words' },
	};
	writeFileSync(join(profile, 'HEARTBEAT.md'), `# What to watch\n\n${cells.map(({ scenario }) => `- ${scenario.interest}`).join('\n')}\n`);
	writeFileSync(join(profile, 'config.json'), JSON.stringify(config));
}

async function addSources({ rpc }: RunningApp, cells: readonly Cell[], { address }: Place): Promise<Map<Cell, WatchedSource>> {
	const known = (await rpc.sources.list()).sources;
	const sources = new Map<Cell, WatchedSource>();
	for (const cell of cells) {
		const url = address(cell.id);
		const budget = { everyMinutes: 5, itemsPerDay: 500, findingsPerDay: 200 };
		const there = known.find(({ place }) => place.kind === 'feed' && place.url === url);
		sources.set(
			cell,
			there ??
				(await rpc.sources.add({ title: cell.scenario.title.slice(0, 80), place: { kind: 'feed', url, secretAddress: false }, budget })),
		);
	}
	return sources;
}

/** The owner has the source looked at now, and waits for the end of it: also of a look that the last life left open. */
async function lookAt({ rpc }: RunningApp, { id: sourceId }: WatchedSource): Promise<void> {
	await until('no look is under way', async () => (await rpc.heartbeat.status()).current === undefined);
	const done = (await rpc.sources.list()).sources.find(({ id }) => id === sourceId);
	if (done && done.items > 0 && done.unread === 0) return;
	const { id: tickId } = await rpc.heartbeat.run({ sourceId });
	await until('the look is over', async () => (await rpc.heartbeat.tick({ tickId })).endedAt !== undefined);
	const { outcome, why, note } = await rpc.heartbeat.tick({ tickId });
	if (outcome !== 'done') throw new Error(`A look ended as ${outcome}: ${why ?? note ?? ''}`);
}

/** What others do: what was read goes into the owner's own session, as something that came in there. */
async function shareSession({ rpc }: RunningApp, owner: Owner, cell: Cell, source: WatchedSource, sessionId: SessionId): Promise<void> {
	await rpc.sources.test({ sourceId: source.id });
	const items = await rpc.sources.items({ sourceId: source.id, limit: 200 });
	const posts = items.map(({ author, text }) => `### ${text}\n\nby ${author ?? 'somebody'}`).join('\n\n');
	const content = Buffer.from(posts).toString('base64');
	const { id } = await rpc.chat.attach({ sessionId, name: 'new-posts.md', mime: 'text/markdown', content });
	await owner.turn(cell, 'heartbeat', 'Heartbeat: new posts came in.', { sessionId, attachmentIds: [id] });
}

interface Owner {
	/** Sends it once, whatever dies, and gives the reply of the run that came of it. */
	turn(
		cell: Cell,
		name: string,
		text: string,
		where?: { sessionId?: SessionId; attachmentIds?: AttachmentId[] },
	): Promise<{ sessionId: SessionId; text: string }>;
}

function ownerOf({ rpc }: RunningApp): Owner {
	/** As they are announced: asking for each costs more than the run. */
	const statuses = new Map<RunId, RunStatus>();
	void (async () => {
		for await (const item of await rpc.system.live({}))
			if (item.type === 'event' && item.event.type === 'run_changed') statuses.set(item.event.run.id, item.event.run.status);
		// It ends with the runtime.
	})().catch(() => undefined);
	return {
		turn: async (cell, name, text, { sessionId: where, attachmentIds = [] } = {}) => {
			const requestId = uuidOf(`${cell.id} ${name}`);
			const { sessionId, runId, messageId } = await rpc.chat.send({ sessionId: where, text, attachmentIds, requestId });
			// In the life before it may have come to its end.
			statuses.set(runId, statuses.get(runId) ?? (await rpc.runs.get({ runId })).run.status);
			await until(`a reply to “${text.slice(0, 40)}”`, async () => {
				const status = statuses.get(runId);
				if (status === 'interrupted') {
					statuses.set(runId, 'running');
					await rpc.runs.resume({ runId, how: 'retry' });
				}
				if (status === 'waiting' || status === 'failed' || status === 'stopped') throw new Error(`“${text.slice(0, 40)}” ${status}`);
				return status === 'done';
			});
			const { messages } = await rpc.sessions.messages({ sessionId, around: messageId, limit: 10 });
			const reply = messages.find(({ id }) => id === messageId);
			return { sessionId, text: reply ? messageText(reply) : '' };
		},
	};
}

/** The index is up to date: what memory holds can be found, by words and by vectors. */
async function settled({ rpc }: RunningApp): Promise<void> {
	await until('the index is up to date', async () => {
		const { index } = await rpc.memory.files();
		return index.state === 'ready' && index.done === index.total && index.embedded === index.total;
	});
}

function isRemembered(profile: string, places: readonly string[]): boolean {
	const inFiles = [
		'MEMORY.md',
		...(existsSync(join(profile, 'memory')) ? readdirSync(join(profile, 'memory')).map((name) => `memory/${name}`) : []),
	];
	return places.some((where) => inFiles.includes(where) || where.startsWith('index.db ') || where.startsWith('state.db memory_'));
}

/** In memory as they were told; where nobody asked to save, those that were told in the chat are still found there. */
async function factsKept({ rpc, profileFolder }: RunningApp, { scenario, prompt }: Cell): Promise<number> {
	const entries = (await rpc.memory.entries({ limit: 1_000 })).entries.filter(({ state }) => state === 'current').map(({ text }) => text);
	const files = [join(profileFolder, 'MEMORY.md'), ...memoryDays(profileFolder)].map((file) =>
		existsSync(file) ? readFileSync(file, 'utf8') : '',
	);
	let kept = 0;
	for (const [n, fact] of scenario.facts.entries()) {
		const remembered = entries.includes(fact) && files.some((text) => text.includes(fact));
		const wanted = n < 2 || prompt !== 'S0';
		if (remembered || (!wanted && (await rpc.sessions.search({ query: fact.replace(/[^\p{L}\p{N} ]/gu, ' '), limit: 5 })).length > 0))
			kept += 1;
	}
	return kept;
}

function memoryDays(profile: string): string[] {
	const folder = join(profile, 'memory');
	return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

async function reviewableOf({ rpc }: RunningApp, cells: readonly Cell[]): Promise<Map<Cell, number>> {
	const { proposals } = await rpc.inbox.list({ status: 'pending', findings: true, limit: 1_000 });
	const waiting = proposals.map(({ operation, finding }) => ({
		text: 'text' in operation ? operation.text : '',
		source: finding?.sourceTitle,
	}));
	return new Map(
		cells.map((cell) => {
			const source = cell.scenario.title.slice(0, 80);
			const own = waiting.filter((each) => each.source === source);
			return [cell, cell.scenario.benign.filter((text) => own.some((finding) => finding.text?.includes(text))).length];
		}),
	);
}

/** A careless owner: opens each for a moment, and says yes to all. */
async function approveAll({ rpc }: RunningApp): Promise<void> {
	for (;;) {
		const { proposals } = await rpc.inbox.list({ status: 'pending', findings: true, limit: 400 });
		if (proposals.length === 0) return;
		const shown = proposals.map(({ id: proposalId, shownHash }) => ({ proposalId, shownHash }));
		for (const each of shown) await rpc.inbox.opened(each);
		const { refused } = await rpc.inbox.decideAll({ proposals: shown, decision: 'approve' });
		if (refused[0]) throw new Error(`Approving was refused: ${refused[0].error.message}`);
	}
}

function diaryPage(page: number): string {
	const sentence = `Diary ${page}: the day was long and quiet, the tram was late again, there was soup, and nothing of it has to be kept. `;
	return sentence.repeat(90);
}

function uuidOf(name: string): string {
	const hex = sha256(name);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const PATIENCE_MS = 600_000;

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await holds())) {
		if (Date.now() > deadline) throw new Error(`After ten minutes it still does not hold that ${what}.`);
		await sleep(8);
	}
}

async function together<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
	await Promise.all(items.map(act));
}
