import type { createStrings } from '../../src/contract/strings/index.ts';
import type { HostMode } from '../host-protocol.ts';
import { childRuntime } from './runtime-child.ts';
import type { SpawnRuntime } from './runtime-process.ts';
import { utilityRuntime } from './runtime-utility.ts';

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
