import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scrubProviderText } from '../../../src/model/scrub.ts';

test.each([
	['Incorrect API key provided: sk-proj-abc*****xyz.', 'Incorrect API key provided: [removed]'],
	['bad header Authorization: Bearer abcdef', 'bad header Authorization: [removed]'],
	['token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9eyJzdWIiOiIxMjM0NTY3ODkwIn0 is bad', 'token [removed] is bad'],
	['line one\n\tline two', 'line one line two'],
])('S3 %j', (text, expected) => {
	expect(scrubProviderText(text, [])).toBe(expected);
});

test('S3 property: the key that was sent never comes back, in any of its usual forms', () => {
	const key = fc.stringMatching(/^[A-Za-z0-9_.-]{8,60}$/);
	fc.assert(
		fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
			const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
			for (const form of forms) {
				const scrubbed = scrubProviderText(`${before} ${form} ${after}`, [secret]);
				if (!`${before}${after}`.includes(secret)) expect(scrubbed).not.toContain(secret);
			}
		}),
	);
});

test('an error text stays short', () => {
	expect(scrubProviderText('word '.repeat(1000), []).length).toBeLessThanOrEqual(241);
});
