import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SecretAdapter } from '../../src/secrets/adapter.ts';

/** What every place for secrets promises. `reopen` is the same store after a restart of Hearth; absent where it forgets. */
export function describeSecrets(
	name: string,
	open: () => Promise<{ adapter: SecretAdapter; reopen?: () => Promise<SecretAdapter>; dispose(): Promise<void> }>,
): void {
	describe(`secrets: ${name}`, () => {
		const withStore = async (work: (store: Awaited<ReturnType<typeof open>>) => Promise<void>): Promise<void> => {
			const store = await open();
			try {
				await store.adapter.replaceAll(new Map());
				await work(store);
			} finally {
				await store.adapter.discard(await store.adapter.names());
				await store.dispose();
			}
		};

		test('gives back what was set, whatever is in it', () =>
			withStore(async ({ adapter }) => {
				const values = ['sk-simple', 'with spaces and "quotes" $HOME `x`', 'ünï 漢字 🙂', 'a\nb\n', randomBytes(4096).toString('base64')];
				for (const [index, value] of values.entries()) await adapter.set(`provider:p${index}`, value);
				for (const [index, value] of values.entries()) expect(await adapter.get(`provider:p${index}`)).toBe(value);
			}));

		test('names are listed in order; what is unknown is undefined; removing twice is no error', () =>
			withStore(async ({ adapter }) => {
				await adapter.set('provider:b', '1');
				await adapter.set('provider:a', '2');
				await adapter.set('provider:a', '3');
				expect(await adapter.names()).toEqual(['provider:a', 'provider:b']);
				expect(await adapter.get('provider:a')).toBe('3');
				expect(await adapter.get('provider:none')).toBeUndefined();
				await adapter.remove('provider:a');
				await adapter.remove('provider:a');
				expect(await adapter.names()).toEqual(['provider:b']);
				expect(await adapter.get('provider:a')).toBeUndefined();
			}));

		test('replaceAll holds exactly what it was given', () =>
			withStore(async ({ adapter }) => {
				await adapter.set('provider:old', 'x');
				await adapter.replaceAll(new Map([['provider:new', 'y']]));
				expect(await adapter.names()).toEqual(['provider:new']);
				expect(await adapter.get('provider:new')).toBe('y');
				expect(await adapter.get('provider:old')).toBeUndefined();
			}));

		test('outlives a restart, unless it is memory only', () =>
			withStore(async ({ adapter, reopen }) => {
				await adapter.set('provider:a', 'kept');
				if (!reopen) {
					expect(adapter.kind).toBe('memory');
					return;
				}
				expect(await (await reopen()).get('provider:a')).toBe('kept');
			}));
	});
}
