import { expect, test } from 'vitest';
import { safeFields, scrub } from '../../../src/base/log-fields.ts';
import { terminal } from '../../../src/domain/errors.ts';

test('S3 a secret is taken out wherever it stands in a string', () => {
	const secrets = [
		'sk-ant-api03-abcdefghijklmnop',
		'Authorization: Bearer abc.def-123456',
		'https://owner:hunter22@example.com/v1',
		'http://127.0.0.1:4000/?token=5f2a9c1e7b',
		'AIzaSyA1234567890abcdefghijklmnopqrstu',
		'0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
	];
	const bare = ['abcdefghijklmnop', 'abc.def-123456', 'hunter22', '5f2a9c1e7b', 'SyA1234567890', '0123456789abcdef0123456789abcdef0123'];
	secrets.forEach((secret, index) => {
		const kept = scrub(`before ${secret} after`);
		expect(kept).not.toContain(bare[index]);
		expect(kept).toContain('before');
		expect(kept).toContain('after');
	});
});

test('a long path stays readable', () => {
	const path = '/home/ada/.hearth/profiles/default/attachments/and/some/more/folders/below/it/file.js:9:14';
	expect(scrub(path)).toBe(path);
});

test('S3 fields named after secrets or written text are hidden at every depth, counts are not', () => {
	const kept = safeFields({
		apiKey: 'abc',
		provider: { key: 'abc', id: 'openai', options: [{ passphrase: 'abc', access_token: 'abc' }] },
		text: 'dear diary',
		message: { parts: ['dear diary'] },
		inputTokens: 12,
		output: 7,
	});
	expect(JSON.stringify(kept)).not.toMatch(/abc|dear diary/);
	expect(kept).toMatchObject({ inputTokens: 12, output: 7, provider: { id: 'openai' } });
});

test('S3 a foreign error is logged without its own words, which may quote anything', () => {
	let thrown: unknown;
	try {
		JSON.parse('{"diary": my secret thought}');
	} catch (error) {
		thrown = error;
	}
	const kept = JSON.stringify(safeFields({ error: thrown }));
	expect(kept).toContain('SyntaxError');
	expect(kept).not.toContain('my secret');
});

test('our own errors keep their words and their cause', () => {
	const kept = safeFields({ error: terminal('not_found', 'There is no such session.', { cause: new TypeError('quoting the owner') }) });
	expect(kept).toMatchObject({ error: { code: 'not_found', says: 'There is no such session.', cause: { name: 'TypeError' } } });
	expect(JSON.stringify(kept)).not.toContain('quoting');
});

test('long, deep and circular values stay bounded', () => {
	const circular: Record<string, unknown> = { list: Array.from({ length: 1000 }, (_, index) => index), long: 'word '.repeat(1000) };
	circular.self = circular;
	expect(JSON.stringify(safeFields(circular)).length).toBeLessThan(4000);
});
