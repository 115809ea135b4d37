import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRouter } from '../../../src/app/router.ts';
import { createRpcServer } from '../../../src/app/serve.ts';
import { createLogger } from '../../../src/base/logger.ts';
import { type Connection, connect } from '../../../src/contract/client.ts';
import { createMemoryTransportPair } from '../../../src/contract/memory-transport.ts';
import type { HearthError } from '../../../src/domain/errors.ts';
import { brokenHandlers } from '../../support/broken-handlers.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'hearth-router-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const log = (): string =>
	readdirSync(folder)
		.map((name) => readFileSync(join(folder, name), 'utf8'))
		.join('');

/** A runtime in which one thing goes wrong. */
async function runtimeThat(fails: () => unknown): Promise<Connection['rpc']> {
	const fail = async (): Promise<never> => fails() as never;
	const handlers = brokenHandlers(fail);
	const [near, far] = createMemoryTransportPair();
	createRpcServer(createRouter(handlers), createLogger({ folder, level: 'debug', days: 1 })).attach(far);
	return (await connect(near, { client: 'test' })).rpc;
}

const failure = (work: Promise<unknown>): Promise<HearthError> =>
	work.then(
		() => Promise.reject(new Error('it worked')),
		(error: HearthError) => error,
	);

test('S3 what nobody foresaw is logged by its place, never by its words, and told in a fixed sentence', async () => {
	const rpc = await runtimeThat(() => {
		throw new TypeError('cannot read "dear diary" of undefined');
	});
	const error = await failure(rpc.settings.get());
	expect(error.shape).toMatchObject({ kind: 'terminal', code: 'internal', action: expect.any(String) });
	expect(JSON.stringify(error.shape)).not.toContain('diary');
	expect(log()).toContain('rpc_failed');
	expect(log()).toContain('settings.get');
	expect(log()).toContain('TypeError');
	expect(log()).not.toContain('diary');
});

test('S5 a full disk is told as such, whichever handler met it', async () => {
	const rpc = await runtimeThat(() => {
		throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
	});
	expect((await failure(rpc.secrets.remove({ name: 'provider:a' }))).shape).toMatchObject({ kind: 'needs_owner', code: 'disk_full' });
});

test('S4 an answer that breaks the contract does not leave the runtime; the log names the field only', async () => {
	const rpc = await runtimeThat(() => ({ theme: 'dear diary' }));
	expect((await failure(rpc.settings.get())).code).toBe('internal');
	expect(log()).toContain('"theme"');
	expect(log()).not.toContain('diary');
});

test('S5 bad input names the field and not what was in it', async () => {
	const rpc = await runtimeThat(() => undefined);
	const error = await failure(rpc.chat.send({ sessionId: 's' as never, requestId: 'dear diary', text: 'dear diary' } as never));
	expect(error.shape).toMatchObject({
		code: 'invalid_input',
		message: expect.stringMatching(/^requestId: /),
		safe: 'Nothing was changed.',
	});
	expect(JSON.stringify(error.shape)).not.toContain('diary');
	expect(log()).not.toContain('diary');
});
