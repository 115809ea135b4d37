import { terminal } from '../domain/errors.ts';
import type { ProviderConfig } from '../domain/model.ts';
import { BUILTIN_PROVIDER_ID } from '../domain/model.ts';
import { isPrivate } from '../net/destination.ts';

/** Most characters of a key; also what no key contains: spaces, control characters, anything a header can't carry. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

/** A provider as it will be saved. Throws `invalid_input` that says what to write instead. */
export function validateProvider(provider: ProviderConfig, hasKey: boolean): ProviderConfig {
	if (provider.kind === 'builtin' || provider.id === BUILTIN_PROVIDER_ID) throw refuse('The built-in responder needs no set-up.');
	const name = provider.name.trim();
	if (name === '') throw refuse('The provider needs a name.');
	const baseUrl = provider.baseUrl?.trim();
	if (baseUrl === undefined || baseUrl === '') {
		if (provider.kind === 'openai-compatible') throw refuse('The provider needs an address, such as http://127.0.0.1:1234/v1.');
		return { ...provider, name, baseUrl: undefined };
	}
	const url = new URL(baseUrl);
	if (url.username !== '' || url.password !== '')
		throw refuse('Write the address without a user name or password. A key goes into its own field.');
	if (url.search !== '' || url.hash !== '')
		throw refuse('Write the address without anything after “?” or “#”. A key goes into its own field.');
	if (url.protocol === 'http:' && !isPrivate(baseUrl)) {
		throw refuse(
			hasKey
				? `${url.host} is on the internet and the address starts with http: anyone on the way could read your chats and your key. Use https.`
				: `${url.host} is on the internet and the address starts with http: anyone on the way could read your chats. Use https.`,
		);
	}
	return { ...provider, name, baseUrl: baseUrl.replace(/\/+$/, '') };
}

/** The key without the white space that pasting brings; undefined where it is empty. Throws `invalid_input`, without the key (S3). */
export function cleanKey(key: string): string | undefined {
	const trimmed = key.trim().replace(/^Bearer\s+/i, '');
	if (trimmed === '') return undefined;
	if (!KEY.test(trimmed)) throw refuse('That does not look like a key: it holds spaces or special characters. Paste the key alone.');
	return trimmed;
}

function refuse(message: string) {
	return terminal('invalid_input', message, { safe: 'Nothing was changed.' });
}
