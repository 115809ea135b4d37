import { portTransport } from '../../src/contract/port-transport.ts';
import type { ShellApi } from '../../src/contract/shell.ts';
import type { Transport } from '../../src/contract/transport.ts';

/** A way to the runtime: `dial` opens one channel, `onBetter` tells that a newer one can be had than the one in use. */
export interface Dialler {
	dial(): Promise<Transport>;
	onBetter(listener: () => void): void;
}

/** How long the shell gets to hand over a port by itself before it is asked, in milliseconds. */
const PATIENCE_MS = 1500;

/** In Electron: the shell posts a MessagePort to this window for every life of the runtime. */
export function portDialler(shell: Pick<ShellApi, 'requestPort'>, target: Window): Dialler {
	let pending: MessagePort | undefined;
	let taken: ((port: MessagePort) => void) | undefined;
	let better: () => void = () => {};
	target.addEventListener('message', (event: MessageEvent<unknown>) => {
		const port = event.ports[0];
		if (event.source !== target || !port || (event.data as { type?: unknown } | null)?.type !== 'hearth-port') return;
		if (taken) {
			taken(port);
			taken = undefined;
			return;
		}
		pending?.close();
		pending = port;
		better();
	});
	return {
		dial: async () => {
			const port =
				pending ??
				(await new Promise<MessagePort>((resolve) => {
					const ask = setInterval(() => shell.requestPort(), PATIENCE_MS);
					taken = (arrived) => {
						clearInterval(ask);
						resolve(arrived);
					};
				}));
			pending = undefined;
			return portTransport(port);
		},
		onBetter: (listener) => {
			better = listener;
		},
	};
}
