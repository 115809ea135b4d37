import { describe, expect, test } from 'vitest';
import { createLive, type Live } from '../../src/app/live.ts';
import { createRouter, type Handlers } from '../../src/app/router.ts';
import { createRpcServer } from '../../src/app/serve.ts';
import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type Connection, connect } from '../../src/contract/client.ts';
import { createLiveReader } from '../../src/contract/live-reader.ts';
import { PROTOCOL_VERSION, protocolMismatch } from '../../src/contract/protocol.ts';
import { HearthError, needsOwner } from '../../src/domain/errors.ts';
import { brokenHandlers } from '../support/broken-handlers.ts';
import type { TransportPair } from './transport.ts';

interface Setup {
	live: Live;
	connection: Connection;
	/** The carrier is gone, as if a cable were pulled. */
	cut(): void;
	/** Another channel to the same runtime. */
	again(): Promise<Connection>;
	dispose(): Promise<void>;
}

/** The contract's own promises over one kind of transport: typed calls and errors, cancelling, live events. */
export function describeContract(name: string, open: () => Promise<TransportPair>): void {
	describe(`contract over ${name}`, () => {
		const withSetup = async (work: (setup: Setup) => Promise<void>): Promise<void> => {
			const setup = await setUp(open);
			try {
				await work(setup);
			} finally {
				await setup.dispose();
			}
		};

		test('S4 calls are validated on the far side, and every failure comes back typed', () =>
			withSetup(async ({ connection: { rpc } }) => {
				const title = await rpc.sessions.rename({ sessionId: 's' as never, title: ' ' }).catch((error: unknown) => error);
				expect((title as HearthError).shape).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/^title: /) });
				const typed = await rpc.models.choices().catch((error: unknown) => error);
				expect((typed as HearthError).shape).toEqual({
					kind: 'needs_owner',
					code: 'model_auth',
					message: 'The key was refused.',
					action: 'Enter it anew.',
				});
				const unknown = await rpc.settings.get().catch((error: unknown) => error);
				expect((unknown as HearthError).code).toBe('internal');
				expect(JSON.stringify((unknown as HearthError).shape)).not.toContain('sk-very-secret');
			}));

		test('a runtime of another protocol is refused, saying what to do', async () => {
			const pair = await open();
			serve(pair, PROTOCOL_VERSION + 1);
			const error = await connect(pair.left, { client: 'test' }).catch((cause: unknown) => cause);
			expect(error).toBeInstanceOf(HearthError);
			expect((error as HearthError).shape).toMatchObject({ code: 'protocol_mismatch', action: expect.any(String) });
			pair.right.close();
			await pair.dispose();
		});

		test('live events arrive in order, and catch up after a cut without loss or repetition', () =>
			withSetup(async ({ live, connection, cut, again }) => {
				const seen: number[] = [];
				let snapshots = 0;
				let resumed = 0;
				const reader = createLiveReader({
					onEvent: (_event, seq) => seen.push(seq),
					onSnapshotNeeded: () => {
						snapshots += 1;
					},
					onResumed: () => {
						resumed += 1;
					},
				});
				const first = reader.follow(connection.rpc).catch((error: unknown) => error);
				await until(() => snapshots === 1);
				for (let index = 0; index < 50; index += 1) live.announce({ type: 'config_changed' });
				await until(() => seen.length === 50);
				cut();
				expect(((await first) as HearthError).code).toBe('disconnected');
				for (let index = 0; index < 50; index += 1) live.announce({ type: 'config_changed' });
				const second = await again();
				const end = reader.follow(second.rpc);
				await until(() => seen.length === 100);
				expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
				expect({ snapshots, resumed }).toEqual({ snapshots: 1, resumed: 1 });
				reader.stop();
				await end;
				second.close();
			}));

		test('stopping a live reader ends the stream on the far side, too', () =>
			withSetup(async ({ live, connection }) => {
				const stream = await connection.rpc.system.live({});
				await stream.next();
				await stream.return();
				// The far side would throw on a closed channel, and the connection must still work.
				live.announce({ type: 'config_changed' });
				await expect(connection.rpc.secrets.status()).rejects.toThrow();
				expect(connection.closed).toBe(false);
			}));

		test('what waits when the channel goes away is told so, and so is every later call', () =>
			withSetup(async ({ connection, cut }) => {
				const waiting = connection.rpc.sessions.list().catch((error: unknown) => error);
				let ends = 0;
				connection.onClose(() => {
					ends += 1;
				});
				await new Promise((resolve) => setTimeout(resolve, 20));
				cut();
				expect(((await waiting) as HearthError).shape).toMatchObject({ kind: 'retryable', code: 'disconnected' });
				const later = await connection.rpc.sessions.list().catch((error: unknown) => error);
				expect((later as HearthError).code).toBe('disconnected');
				expect(ends).toBe(1);
			}));

		test('S4 a message that is not of the protocol closes its own channel and harms nobody else', async () => {
			const pair = await open();
			const { server } = serve(pair);
			const other = await open();
			server.attach(other.right);
			const closed = new Promise<void>((resolve) => pair.left.onClose(resolve));
			pair.left.post('{"not":"ours"');
			await closed;
			const connection = await connect(other.left, { client: 'test' });
			expect(connection.hello.protocol).toBe(PROTOCOL_VERSION);
			connection.close();
			await pair.dispose();
			await other.dispose();
		});
	});
}

async function setUp(open: () => Promise<TransportPair>): Promise<Setup> {
	const pairs = [await open()];
	const first = pairs[0] as TransportPair;
	const { live, server } = serve(first);
	const connection = await connect(first.left, { client: 'test' });
	return {
		live,
		connection,
		cut: () => first.right.close(),
		again: async () => {
			const pair = await open();
			pairs.push(pair);
			server.attach(pair.right);
			return connect(pair.left, { client: 'test' });
		},
		dispose: async () => {
			live.close();
			for (const pair of pairs) {
				pair.left.close();
				pair.right.close();
				await pair.dispose();
			}
		},
	};
}

function serve(pair: TransportPair, protocol = PROTOCOL_VERSION) {
	let now = 0;
	const clock: Clock = { now: () => now, monotonic: () => now };
	const live = createLive({ clock });
	now = 3_600_000;
	const server = createRpcServer(createRouter(handlersFor(live, protocol)), silentLogger);
	server.attach(pair.right);
	return { live, server };
}

/** Only what the tests call; the rest fails as a runtime would that is broken. */
function handlersFor(live: Live, protocol: number): Handlers {
	const broken = async (): Promise<never> => {
		throw new Error('failed with sk-very-secret');
	};
	const all = brokenHandlers(broken, { protocol, epoch: live.epoch });
	return {
		...all,
		system: {
			...all.system,
			hello: async (input, context) => {
				if (input.protocol !== protocol) throw protocolMismatch(input.protocol);
				return all.system.hello(input, context);
			},
			live: (input, context) => live.read(input, context.signal),
		},
		models: {
			...all.models,
			choices: async () => {
				throw needsOwner('model_auth', 'The key was refused.', { action: 'Enter it anew.' });
			},
		},
		sessions: { ...all.sessions, list: () => new Promise(() => {}) },
	};
}

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
