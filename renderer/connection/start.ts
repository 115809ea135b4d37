import { type Connection, connect } from '../../src/contract/client.ts';
import { createLiveReader } from '../../src/contract/live-reader.ts';
import type { RuntimeStatus } from '../../src/contract/shell.ts';
import type { Transport } from '../../src/contract/transport.ts';
import { setClient } from './calls.ts';
import { setLink, useConnection } from './connection-store.ts';
import { type Dialler, portDialler } from './dial-port.ts';
import { webDialler } from './dial-web.ts';
import { shapeOf } from './errors.ts';
import { dropQueue, receive, takeSnapshots } from './live.ts';
import { shell } from './shell.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** Longest wait for the runtime's hello before the channel counts as dead. */
const HELLO_MS = 15_000;

let started = false;

/** Connects to the runtime and stays connected. Called once, by the first screen. */
export function startConnection(): void {
	if (started) return;
	started = true;
	if (shell) {
		const follow = (runtime: RuntimeStatus): void => useConnection.setState({ runtime });
		shell.onRuntimeStatus(follow);
		shell.runtimeStatus().then(follow, () => {
			// The shell answers or is gone with this window; the connection's own state says the rest.
		});
		void stayConnected(portDialler(shell, window), 'window');
	} else {
		void stayConnected(webDialler(window), 'browser');
	}
}

/** 250 ms, doubled each time up to 10 s. */
export function waitBefore(attempt: number): number {
	return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
}

async function stayConnected(dialler: Dialler, kind: 'window' | 'browser'): Promise<never> {
	let connection: Connection | undefined;
	/** A channel whose other end has not answered yet. */
	let opening: Transport | undefined;
	let snapshotDue = true;
	let wake: () => void = () => {};
	const snapshot = (): void => {
		snapshotDue = true;
		dropQueue();
		takeSnapshots().then(
			() => {
				snapshotDue = false;
			},
			// Only a lost connection lands here: the next one takes the snapshots.
			() => connection?.close(),
		);
	};
	const reader = createLiveReader({
		onEvent: (event, seq) => receive(seq, event),
		onSnapshotNeeded: snapshot,
		onResumed: () => {
			if (snapshotDue) snapshot();
		},
	});
	dialler.onBetter(() => {
		// It may lead to a runtime that died before it could answer.
		opening?.close();
		connection?.close();
		wake();
	});
	window.addEventListener('online', () => wake());
	for (let attempt = 0; ; attempt++) {
		try {
			const transport = await dialler.dial();
			opening = transport;
			const dead = setTimeout(() => transport.close(), HELLO_MS);
			connection = await connect(transport, { client: kind }).finally(() => {
				clearTimeout(dead);
				opening = undefined;
			});
			useConnection.setState({ hello: connection.hello, health: connection.hello.health, link: { state: 'online' } });
			attempt = 0;
			setClient(connection.rpc);
			await reader.follow(connection.rpc);
		} catch (error) {
			const shape = shapeOf(error);
			if (shape.code === 'protocol_mismatch' || shape.code === 'unauthorised') {
				setClient(undefined);
				setLink({ state: 'refused', error: shape });
				// Only a new page load, or another port from the shell, can change this.
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
				continue;
			}
		}
		setClient(undefined);
		connection?.close();
		const wait = waitBefore(attempt);
		const { link } = useConnection.getState();
		setLink({
			state: 'offline',
			since: link.state === 'offline' ? link.since : Date.now(),
			attempt,
			retryAt: Date.now() + wait,
		});
		await new Promise<void>((resolve) => {
			const timer = setTimeout(resolve, wait);
			wake = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}
}
