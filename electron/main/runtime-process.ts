import type { MessagePortMain } from 'electron';
import type { FromRuntime, ToRuntime } from '../host-protocol.ts';

/** How a runtime process ended: by itself, by a signal, or because it could not be started at all. */
export type RuntimeEnd = { kind: 'code'; code: number } | { kind: 'signal'; signal: string } | { kind: 'not_started'; problem: string };

export interface RuntimeEvents {
	onMessage(message: FromRuntime): void;
	/** Once. Nothing comes after it. */
	onEnd(end: RuntimeEnd): void;
}

/** One life of the runtime, whatever kind of process it is. */
export interface RuntimeProcess {
	readonly pid: number | undefined;
	post(message: ToRuntime): void;
	/** Gives a window's channel to the runtime. The port closes when the runtime is gone. */
	attach(port: MessagePortMain): void;
	kill(): void;
}

export type SpawnRuntime = (events: RuntimeEvents) => RuntimeProcess;
