import type { MessagePortMain } from 'electron';
import type { RuntimeStatus } from '../../src/contract/shell.ts';
import type { createStrings } from '../../src/contract/strings/index.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { Noticed } from '../../src/domain/noticed.ts';
import type { FromRuntime, HostStart, ShellSettings, ToRuntime, WorkTold } from '../host-protocol.ts';
import type { Coming } from './quit-question.ts';
import { afterDeath, freshStart, type RestartState } from './restart-policy.ts';
import type { RuntimeEnd, RuntimeProcess, SpawnRuntime } from './runtime-process.ts';

/** Longest wait for the runtime to close its databases before it is killed, in milliseconds. */
const STOP_PATIENCE_MS = 5_000;
/** Longest wait for an answer that the owner's quit waits for. */
const ANSWER_PATIENCE_MS = 1_500;

export interface SupervisorOptions {
	spawn: SpawnRuntime;
	/** What each life is told first. */
	start: () => Omit<HostStart, 'type' | 'restarts' | 'lastEnd'>;
	strings: ReturnType<typeof createStrings>;
	/** Undefined where the value can't be encrypted or read. */
	keychain: (action: 'encrypt' | 'decrypt', value: string) => string | undefined;
	onStatus: (status: RuntimeStatus) => void;
	onSettings: (settings: ShellSettings) => void;
	onWork: (work: WorkTold) => void;
}

export interface RuntimeSupervisor {
	status(): RuntimeStatus;
	start(): void;
	/** By the owner's wish: also after it was given up, and with a fresh row of tries. */
	restart(): Promise<void>;
	/** Gives a window's channel to the running runtime; false (and the port closed) where none runs. */
	attach(port: MessagePortMain): boolean;
	/** Says it to the running runtime; nothing where none runs: the next one looks for itself. */
	work(action: Extract<ToRuntime, { type: 'work' }>['action']): void;
	/** What comes until then; undefined where no runtime says so soon. */
	coming(until: number): Promise<Coming | undefined>;
	/** From now on a closed window leaves Hearth running. */
	keepInTray(): void;
	/** As `work`. */
	noticed(noticed: Noticed): void;
	/** Asks it to close and waits until it is gone. */
	stop(): Promise<void>;
}

/** Keeps one runtime alive: starts it, starts it again with back-off when it dies, and stops trying when that is no use. */
export function createRuntimeSupervisor(options: SupervisorOptions): RuntimeSupervisor {
	let status: RuntimeStatus = { state: 'starting' };
	let current: RuntimeProcess | undefined;
	let restartState: RestartState = freshStart;
	let readyAt: number | undefined;
	let refusal: ErrorShape | undefined;
	let lastEnd: string | undefined;
	let timer: NodeJS.Timeout | undefined;
	let stopping = false;
	const waitingForEnd: (() => void)[] = [];
	const waitingForAnswer = new Map<number, (coming: Coming | undefined) => void>();
	let requests = 0;

	const setStatus = (next: RuntimeStatus): void => {
		status = next;
		options.onStatus(next);
	};

	const receive = (from: RuntimeProcess, message: FromRuntime): void => {
		if (message.type === 'ready') {
			readyAt = performance.now();
			setStatus({ state: 'running', pid: from.pid ?? 0, restarts: restartState.restarts });
		} else if (message.type === 'refused') {
			refusal = message.error;
			from.post({ type: 'stop' });
		} else if (message.type === 'settings') {
			options.onSettings(message.settings);
		} else if (message.type === 'work') {
			options.onWork(message);
		} else if (message.type === 'coming') {
			waitingForAnswer.get(message.request)?.(message);
		} else if (message.type === 'keychain_request') {
			const value = options.keychain(message.action, message.value);
			from.post({ type: 'keychain_answer', request: message.request, ...(value !== undefined && { value }) });
		}
	};

	const ended = (end: RuntimeEnd): void => {
		const livedMs = readyAt === undefined ? 0 : performance.now() - readyAt;
		current = undefined;
		readyAt = undefined;
		for (const resolve of waitingForEnd.splice(0)) resolve();
		for (const resolve of waitingForAnswer.values()) resolve(undefined);
		if (stopping) return;
		if (refusal) {
			// Starting it again would end the same way: the owner decides when.
			const { message, safe, action } = refusal;
			refusal = undefined;
			setStatus({ state: 'failed', message, ...(safe && { safe }), ...(action && { action }) });
			return;
		}
		const reason = describeEnd(end, options.strings);
		lastEnd = reason;
		const next = afterDeath(restartState, livedMs);
		restartState = next.state;
		if (next.delayMs === undefined) {
			setStatus({
				state: 'failed',
				message: options.strings('native.runtimeGaveUp', { count: restartState.deathsInARow, reason }),
				safe: options.strings('native.runtimeSafe'),
				action: options.strings('native.runtimeAction'),
			});
			return;
		}
		setStatus({
			state: 'restarting',
			reason: options.strings('native.runtimeDied', { reason }),
			retryAt: Date.now() + next.delayMs,
			restarts: restartState.restarts,
		});
		timer = setTimeout(launch, next.delayMs);
	};

	const launch = (): void => {
		timer = undefined;
		if (current || stopping) return;
		if (status.state !== 'restarting') setStatus({ state: 'starting' });
		const born: RuntimeProcess = options.spawn({
			onMessage: (message) => receive(born, message),
			onEnd: ended,
		});
		current = born;
		born.post({ type: 'start', ...options.start(), restarts: restartState.restarts, ...(lastEnd !== undefined && { lastEnd }) });
	};

	const endCurrent = async (): Promise<void> => {
		clearTimeout(timer);
		const dying = current;
		if (!dying) return;
		const gone = new Promise<void>((resolve) => waitingForEnd.push(resolve));
		dying.post({ type: 'stop' });
		const impatience = setTimeout(() => dying.kill(), STOP_PATIENCE_MS);
		await gone;
		clearTimeout(impatience);
	};

	return {
		status: () => status,
		start: launch,
		async restart() {
			stopping = true;
			await endCurrent();
			stopping = false;
			restartState = { ...restartState, deathsInARow: 0 };
			setStatus({ state: 'starting' });
			launch();
		},
		attach(port) {
			if (current && status.state === 'running') {
				current.attach(port);
				return true;
			}
			port.close();
			return false;
		},
		work(action) {
			if (status.state === 'running') current?.post({ type: 'work', action });
		},
		noticed(noticed) {
			if (status.state === 'running') current?.post({ type: 'noticed', noticed });
		},
		coming(until) {
			const runtime = current;
			if (status.state !== 'running' || !runtime) return Promise.resolve(undefined);
			const request = requests++;
			return new Promise<Coming | undefined>((resolve) => {
				waitingForAnswer.set(request, resolve);
				setTimeout(() => resolve(undefined), ANSWER_PATIENCE_MS);
				runtime.post({ type: 'coming', request, until });
			}).finally(() => waitingForAnswer.delete(request));
		},
		keepInTray() {
			if (status.state === 'running') current?.post({ type: 'keep_in_tray' });
		},
		async stop() {
			stopping = true;
			await endCurrent();
		},
	};
}

function describeEnd(end: RuntimeEnd, strings: ReturnType<typeof createStrings>): string {
	if (end.kind === 'signal') return strings('native.exitSignal', { signal: end.signal });
	if (end.kind === 'code') return strings('native.exitCode', { code: end.code });
	return strings('native.exitError', { problem: end.problem });
}
