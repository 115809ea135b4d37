import type { createStrings } from '../../src/contract/strings/index.ts';
import type { HostMode } from '../host-protocol.ts';
import { canLoadDriver } from './describe-electron.ts';
import { childRuntime } from './runtime-child.ts';
import type { SpawnRuntime } from './runtime-process.ts';
import { utilityRuntime } from './runtime-utility.ts';

/**
 * A utility process where this Electron can load the database driver, else a plain Node child; or what was asked for with
 * `--host-mode`, where that can work. `ownEntry`: a test's runtime, which brings a driver that this Electron
 * can load. Pure.
 */
export function chooseHostMode(asked: string | undefined, napi: string | undefined, ownEntry: boolean): HostMode {
	if (asked === 'child-process') return 'child-process';
	if (canLoadDriver(napi)) return 'utility-process';
	return asked === 'utility-process' && ownEntry ? 'utility-process' : 'child-process';
}

export function runtimeSpawner(
	mode: HostMode,
	files: { runtimeEntry: string; node: string | undefined },
	packaged: boolean,
	strings: ReturnType<typeof createStrings>,
): SpawnRuntime {
	if (mode === 'utility-process') return utilityRuntime({ entry: files.runtimeEntry, packaged });
	if (files.node) return childRuntime({ entry: files.runtimeEntry, node: files.node, packaged });
	return (events) => {
		setImmediate(() => {
			events.onMessage({ type: 'refused', error: { kind: 'terminal', code: 'internal', message: strings('native.noNode') } });
			events.onEnd({ kind: 'not_started', problem: strings('native.noNode') });
		});
		return { pid: undefined, post: () => {}, kill: () => {}, attach: (port) => port.close() };
	};
}
