import type { Handlers } from '../../src/app/router.ts';
import { contract } from '../../src/contract/contract.ts';
import { PROTOCOL_VERSION } from '../../src/contract/protocol.ts';

const HELLO = {
	protocol: PROTOCOL_VERSION,
	version: '1',
	epoch: 'e',
	profile: 'p',
	profileFolder: '/p',
	health: { state: 'ok' as const, warnings: [] },
	firstRunDone: true,
};

/** A runtime that says hello, and in which everything else fails: a test puts in what it calls. */
export function brokenHandlers(
	fail = async (): Promise<never> => Promise.reject(new Error('not for this test')),
	hello: Partial<typeof HELLO> = {},
): Handlers {
	const handlers = Object.fromEntries(
		Object.entries(contract).map(([noun, methods]) => [noun, Object.fromEntries(Object.keys(methods).map((method) => [method, fail]))]),
	) as unknown as Handlers;
	handlers.system.hello = async () => ({ ...HELLO, ...hello });
	return handlers;
}
