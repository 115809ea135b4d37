import { isDeepStrictEqual } from 'node:util';
import { type App, type AppOptions, createApp } from '../src/app/create-app.ts';
import { profileFolderOf, profilePaths } from '../src/app/profile-folder.ts';
import { createLogger } from '../src/base/logger.ts';
import { backgroundLine, backgroundState } from '../src/contract/background-state.ts';
import { connect } from '../src/contract/client.ts';
import type { HearthClient } from '../src/contract/contract.ts';
import type { LiveEvent } from '../src/contract/events.ts';
import { createLiveReader } from '../src/contract/live-reader.ts';
import { createMemoryTransportPair } from '../src/contract/memory-transport.ts';
import { toErrorShape } from '../src/domain/errors.ts';
import type { KeychainCipher } from '../src/domain/secret-port.ts';
import { childChannel, type HostChannel, utilityChannel } from './host-channel.ts';
import { type FromRuntime, type HostStart, ShellSettings, type ToRuntime, type WorkTold } from './host-protocol.ts';

/** Longest time that closing may take, in milliseconds. */
const LAST_RESORT_MS = 10_000;

/**
 * The runtime process under the desktop shell: the same in a utility process and in a plain Node child. It opens the profile
 * it is told to, serves every window that the shell hands it, and closes when it is told to or when the shell is gone.
 */
export function runHost(more: Pick<AppOptions, 'tools'> = {}): void {
	const channel = process.parentPort ? utilityChannel(process.parentPort) : childChannel(process);
	let starting: Promise<App | undefined> | undefined;
	const waitingPorts: Parameters<App['attach']>[0][] = [];
	let app: App | undefined;

	const start = async (message: HostStart): Promise<App | undefined> => {
		const folder = profileFolderOf(message.home, message.profile);
		try {
			app = await createApp({
				profileFolder: folder,
				hostMode: message.hostMode,
				rendererFolder: message.rendererFolder,
				shellVersions: message.versions,
				electronRuntime: message.electronWhy,
				keychain: keychainOver(channel, message),
				...more,
			});
		} catch (error) {
			console.error(error);
			channel.post({ type: 'refused', error: toErrorShape(error) });
			return undefined;
		}
		if (message.lastEnd !== undefined) logLate(folder, 'runtime_restarted', { restarts: message.restarts, lastEnd: message.lastEnd });
		process.on('uncaughtExceptionMonitor', (error) => logLate(folder, 'runtime_crashed', { error }));
		for (const port of waitingPorts.splice(0)) app.attach(port);
		channel.post({ type: 'ready' });
		followForShell(app, channel);
		return app;
	};
	let ending = false;
	const end = (): void => {
		if (ending) return;
		ending = true;
		// With the shell gone nobody else would end a runtime that hangs; what is saved is safe either way (R1).
		setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
		const close = async (): Promise<void> => (await starting)?.close();
		close().then(
			() => process.exit(0),
			(error: unknown) => {
				console.error(error);
				process.exit(1);
			},
		);
	};

	channel.onMessage((message) => {
		if (message.type === 'start') starting ??= start(message);
		if (message.type === 'stop') end();
	});
	channel.onPort((port) => {
		if (app) app.attach(port);
		else waitingPorts.push(port);
	});
	channel.onGone(end);
	process.on('SIGTERM', end);
	// Ctrl+C in a terminal reaches every process of the group; the shell says when it is time.
	process.on('SIGINT', () => {});
}

/** The system's keychain is reached through the shell, which keeps nothing. */
function keychainOver(channel: HostChannel, { keychain }: HostStart): KeychainCipher {
	const waiting = new Map<number, (value: string | undefined) => void>();
	let next = 0;
	channel.onMessage((message) => {
		if (message.type !== 'keychain_answer') return;
		waiting.get(message.request)?.(message.value);
		waiting.delete(message.request);
	});
	const ask = async (action: 'encrypt' | 'decrypt', value: string): Promise<string> => {
		const request = next++;
		const answer = await new Promise<string | undefined>((resolve) => {
			waiting.set(request, resolve);
			channel.post({ type: 'keychain_request', request, action, value });
		});
		if (answer === undefined) throw new Error(`The system's keychain did not ${action}.`);
		return answer;
	};
	return { ...keychain, encrypt: (text) => ask('encrypt', text), decrypt: (ciphertext) => ask('decrypt', ciphertext) };
}

/** What changes how background work stands, or how much waits. */
const WORK_EVENTS: ReadonlySet<LiveEvent['type']> = new Set(['work_changed', 'heartbeat_changed', 'config_changed', 'inbox_changed']);

/** Does the work once more after it was asked for while it was being done, and never twice at a time. */
function createLatest(work: () => Promise<void>, failed: (error: unknown) => void): () => void {
	let state: 'idle' | 'busy' | 'again' = 'idle';
	const run = (): void => {
		state = 'busy';
		work()
			.catch(failed)
			.finally(() => {
				const again = state === 'again';
				state = 'idle';
				if (again) run();
			});
	};
	return () => {
		if (state === 'idle') run();
		else state = 'again';
	};
}

/** Tells the shell what it acts on, now and whenever it changes, from whichever door; and carries out what the shell says of work. */
function followForShell(app: App, channel: HostChannel): void {
	const [ours, theirs] = createMemoryTransportPair();
	app.attach(theirs);
	const follow = async (): Promise<void> => {
		const { rpc } = await connect(ours, { client: 'window' });
		const tell = async (): Promise<void> => channel.post({ type: 'settings', settings: ShellSettings.parse(await rpc.settings.get()) });
		let told: WorkTold | undefined;
		const tellWork = createLatest(async () => {
			const [work, status, { findings }, tasks] = await Promise.all([
				rpc.work.status(),
				rpc.heartbeat.status(),
				rpc.inbox.counts(),
				rpc.tasks.status(),
			]);
			const comes = tasks.next && { next: { title: tasks.next.title, at: tasks.next.at } };
			const next: WorkTold = { state: backgroundLine(backgroundState(work, status)), findings, tasks: { ...comes, missed: tasks.missed } };
			if (isDeepStrictEqual(next, told)) return;
			told = next;
			channel.post({ type: 'work', ...next });
		}, closed);
		const acts = {
			pause_all: () => rpc.work.pauseAll(),
			resume_all: () => rpc.work.resumeAll(),
		};
		channel.onMessage((message) => {
			// Where the disk refuses it, the tray goes on saying what holds.
			if (message.type === 'work') acts[message.action]().catch(tellWork);
			// Where that fails, the window closes for this time only.
			if (message.type === 'keep_in_tray') rpc.settings.set({ keepInTray: true }).catch(tellWork);
			// Unanswered the shell goes on without it.
			if (message.type === 'coming') void answerComing(rpc, message).then(channel.post, () => undefined);
			if (message.type === 'noticed') rpc.work.noticed(message.noticed).catch(closed);
		});
		const reader = createLiveReader({
			onSnapshotNeeded: () => {
				void tell().catch(closed);
				tellWork();
			},
			onEvent: (event) => {
				if (event.type === 'config_changed') void tell().catch(closed);
				if (WORK_EVENTS.has(event.type)) tellWork();
			},
		});
		await reader.follow(rpc);
	};
	// The channel ends with the runtime: nothing is left to tell then.
	const closed = (): void => ours.close();
	follow().catch(closed);
}

/** Enough to name some tasks and count the others. */
const MOST_COMING = 500;

async function answerComing(
	rpc: HearthClient,
	{ request, until }: Extract<ToRuntime, { type: 'coming' }>,
): Promise<Extract<FromRuntime, { type: 'coming' }>> {
	const { runs, more } = await rpc.tasks.coming({ from: Date.now(), to: until, limit: MOST_COMING });
	return { type: 'coming', request, more, runs: runs.map(({ taskId, title, slot }) => ({ taskId, title, at: slot.dueAt })) };
}

/** A line in the profile's log from outside the app; only the process that owns the folder gets here. */
function logLate(profileFolder: string, event: string, fields: Record<string, unknown>): void {
	const logger = createLogger({ folder: profilePaths(profileFolder).logs, level: 'info', days: 14 });
	logger.error(event, fields);
	logger.close();
}
