import { describe, expect, test } from 'vitest';
import {
	configOf,
	draftOf,
	emptyDraft,
	modelOfValue,
	modelValue,
	newProviderId,
	parseAddress,
	problemsOf,
} from '../../../renderer/settings/provider-values.ts';
import { ProviderConfig } from '../../../src/domain/model.ts';

describe('addresses as people type them', () => {
	test.each([
		['127.0.0.1:8080', 'http://127.0.0.1:8080'],
		['http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080/v1'],
		[' https://models.example/api ', 'https://models.example/api'],
		['localhost:1234/v1', 'http://localhost:1234/v1'],
	])('%s is %s', (typed, address) => {
		expect(parseAddress(typed)).toBe(address);
	});

	test.each(['', '  ', 'ftp://models.example', 'file:///etc/passwd', 'http://', 'http://a b'])('%j is none', (typed) => {
		expect(parseAddress(typed)).toBeUndefined();
	});
});

describe('a draft of a provider', () => {
	test('a server needs an address and no key; a paid service a key and no address', () => {
		expect(problemsOf(emptyDraft('openai-compatible'), false)).toEqual({ address: 'provider.addressNeeded' });
		expect(problemsOf({ ...emptyDraft('openai-compatible'), address: 'nonsense://x' }, false)).toEqual({ address: 'provider.addressBad' });
		expect(problemsOf(emptyDraft('anthropic'), false)).toEqual({ key: 'provider.keyNeeded' });
		expect(problemsOf(emptyDraft('anthropic'), true)).toEqual({});
	});

	test('one price alone, or a word for a number, is a problem', () => {
		const draft = { ...emptyDraft('openai'), key: 'k' };
		expect(problemsOf({ ...draft, priceIn: '3' }, false)).toEqual({ price: 'provider.priceBad' });
		expect(problemsOf({ ...draft, priceIn: '3', priceOut: 'much' }, false)).toEqual({ price: 'provider.priceBad' });
		expect(problemsOf({ ...draft, priceIn: '0,25', priceOut: '2' }, false)).toEqual({});
		expect(problemsOf({ ...draft, context: '12.5' }, false)).toEqual({ context: 'provider.contextBad' });
	});

	test('what is saved passes the contract and comes back as the same draft', () => {
		const draft = { ...emptyDraft('openai-compatible'), address: '127.0.0.1:8080/v1', context: '8192', priceIn: '0,5', priceOut: '1.5' };
		const id = newProviderId(draft, []);
		expect(id).toBe('127.0.0.1-8080');
		const saved = ProviderConfig.parse(configOf(draft, id));
		expect(saved).toMatchObject({ name: '127.0.0.1:8080', contextTokens: 8192, price: { input: 0.5, output: 1.5 } });
		expect(configOf(draftOf(saved), id)).toEqual(saved);
	});

	test('ids are unlike those in use, also for hosts that are not words', () => {
		expect(newProviderId(emptyDraft('openai'), ['openai', 'openai-2'])).toBe('openai-3');
		expect(newProviderId({ ...emptyDraft('openai-compatible'), address: 'http://[::1]:9000' }, [])).toMatch(/^[a-z0-9]/);
		expect(
			newProviderId({ ...emptyDraft('openai-compatible'), address: `http://${'a'.repeat(60)}.example` }, []).length,
		).toBeLessThanOrEqual(64);
	});

	test('no key is ever part of it (S3)', () => {
		const config = configOf({ ...emptyDraft('openai'), key: 'sk-secret' }, newProviderId(emptyDraft('openai'), []));
		expect(JSON.stringify(config)).not.toContain('sk-secret');
	});
});

test('a model survives being a value of a list, also with slashes in its name', () => {
	const value = 'openrouter/meta/llama-3:free';
	expect(modelValue(modelOfValue(value))).toBe(value);
	expect(modelOfValue(value)).toEqual({ providerId: 'openrouter', modelId: 'meta/llama-3:free' });
});
