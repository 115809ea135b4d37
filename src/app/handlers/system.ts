import { basename } from 'node:path';
import type { Logger } from '../../base/logger.ts';
import type { LiveItem } from '../../contract/events.ts';
import type { DoctorReport, Hello } from '../../contract/methods/system.ts';
import { PROTOCOL_VERSION, protocolMismatch } from '../../contract/protocol.ts';
import type { ExportedFile } from '../../contract/shapes.ts';
import type { Sandbox } from '../../tools/sandbox/port.ts';
import type { ConfigStore } from '../config.ts';
import { diagnosticsFile } from '../diagnostics.ts';
import type { HealthKeeper } from '../health.ts';
import type { Live } from '../live.ts';
import type { ProfilePaths } from '../profile-folder.ts';
import { HEARTH_VERSION } from '../version.ts';

export interface SystemDeps {
	readonly paths: ProfilePaths;
	readonly live: Live;
	readonly health: HealthKeeper;
	readonly config: ConfigStore;
	readonly logger: Logger;
	readonly now: () => number;
	readonly doctor: (fast: boolean) => Promise<DoctorReport>;
	readonly sandbox: Pick<Sandbox, 'status'>;
	/** A new one-time address; opens the web door where it is closed. */
	readonly openWeb: () => Promise<string>;
}

/** `system.*` of the contract. */
export function createSystemHandlers(deps: SystemDeps) {
	return {
		hello: async (input: { protocol: number; client: string }): Promise<Hello> => {
			if (input.protocol !== PROTOCOL_VERSION) throw protocolMismatch(input.protocol);
			deps.logger.info('door_opened', { client: input.client });
			return {
				protocol: PROTOCOL_VERSION,
				version: HEARTH_VERSION,
				epoch: deps.live.epoch,
				profile: basename(deps.paths.folder),
				profileFolder: deps.paths.folder,
				health: deps.health.current(),
				firstRunDone: deps.config.get().firstRunDone,
			};
		},
		live: (
			input: { epoch?: string | undefined; afterSeq?: number | undefined },
			context: { signal?: AbortSignal },
		): AsyncGenerator<LiveItem, void, void> => deps.live.read(input, context.signal),
		doctor: (input: { fast: boolean }): Promise<DoctorReport> => deps.doctor(input.fast),
		diagnostics: async (): Promise<ExportedFile> => diagnosticsFile(await deps.doctor(true), deps.paths.logs, deps.now()),
		sandbox: () => deps.sandbox.status(),
		openWeb: async (): Promise<{ url: string }> => ({ url: await deps.openWeb() }),
		firstRunDone: async (): Promise<void> => {
			await deps.config.update((config) => ({ ...config, firstRunDone: true }));
		},
	};
}
