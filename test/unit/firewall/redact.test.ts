import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RedactingStream } from '../../../src/firewall/ports.ts';
import { createRedactor } from '../../../src/firewall/redact.ts';
import { secretSpans } from '../../../src/firewall/secret-shapes.ts';

const salt = Buffer.from('a profile has thirty-two of these');
const SECRET = 'q7#Vd"9\'x/w+ü\\Z2k';

function redactor(...values: string[]) {
	const made = createRedactor(salt);
	for (const value of values) made.learn(value);
	return made;
}

/** Signs that only a random key has, so that no file of the project looks as if one was left in it. */
function signs(length: number, of = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'): string {
	return [...Array(length).keys()].map((index) => of[(index * 37 + 11) % of.length]).join('');
}

describe('known values', () => {
	test('S3 a known secret is removed in each form that programs write it in', () => {
		const { redact } = redactor(SECRET);
		const forms = {
			plain: SECRET,
			json: JSON.stringify({ key: SECRET }),
			address: `https://a.example/?k=${encodeURIComponent(SECRET)}`,
			form: new URLSearchParams({ k: SECRET }).toString(),
			shell: `curl -H 'X: ${SECRET.replaceAll("'", "'\\''")}'`,
			hex: Buffer.from(SECRET).toString('hex'),
			base64: Buffer.from(SECRET).toString('base64'),
			base64url: Buffer.from(SECRET).toString('base64url'),
			basic: Buffer.from(`me:${SECRET}`).toString('base64'),
			within: Buffer.from(`xy${SECRET}, and more of it`).toString('base64'),
		};
		for (const [name, text] of Object.entries(forms)) {
			const { text: safe, found } = redact(`before ${text} after`);
			expect(found, name).toBeGreaterThan(0);
			expect(safe, name).toMatch(/\[secret removed: [0-9a-f]{4}\]/);
			const rest = safe.replace(/\[secret removed: [0-9a-f]{4}\]/g, '');
			expect(rest.includes(SECRET), name).toBe(false);
			expect(/^before .* after$/s.test(safe), name).toBe(true);
		}
	});

	test('S3 the same secret has the same mask in every form, another one has another, and another profile has its own', () => {
		const { redact } = redactor(SECRET, 'another-secret-4711');
		const mask = (text: string) => /\[secret removed: ([0-9a-f]{4})\]/.exec(text)?.[1];
		const [a, b, c] = [SECRET, encodeURIComponent(SECRET), 'another-secret-4711'].map((text) => mask(redact(text).text));
		expect(a).toBe(b);
		expect(a).not.toBe(c);
		const elsewhere = createRedactor(randomBytes(32));
		elsewhere.learn(SECRET);
		const many = [...Array(40).keys()].map(() => {
			const other = createRedactor(randomBytes(32));
			other.learn(SECRET);
			return mask(other.redact(SECRET).text);
		});
		expect(new Set(many).size).toBeGreaterThan(20);
	});

	test('S3 removing twice changes nothing, and a mask is known as one', () => {
		const { redact, hasMask } = redactor(SECRET);
		const once = redact(`password="${SECRET}" and token = ${signs(30)}`).text;
		expect(redact(once)).toEqual({ text: once, found: 0 });
		expect(hasMask(once)).toBe(true);
		expect(hasMask('the secret was removed: 12ab')).toBe(false);
	});

	test('S3 a secret within base64 that a program broke into lines takes the whole block along', () => {
		const { redact } = redactor('plain-secret-123456');
		const block = Buffer.from(`${'x'.repeat(50)} plain-secret-123456 ${'y'.repeat(60)}`)
			.toString('base64')
			.replace(/.{76}/g, '$&\n');
		expect(redact(`before\n${block}\nafter`).text).toMatch(/^before\n\[secret removed: [0-9a-f]{4}\]\nafter$/);
	});

	test('short and common words are left alone', () => {
		const { redact } = redactor('abc', 'password', 'true');
		expect(redact('abc, password and true').found).toBe(0);
	});

	test('S3 the lines of a key in several lines are removed, wherever one of them turns up', () => {
		const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${signs(70)}\n${signs(64, 'zyxwvutsrqponmlkjihgfedcba9876543210')}\n-----END OPENSSH PRIVATE KEY-----`;
		const { redact } = redactor(key);
		expect(redact(`grep found: ${signs(70)}`).text).toMatch(/^grep found: \[secret removed: [0-9a-f]{4}\]$/);
		expect(redact(JSON.stringify({ key })).text).toMatch(/^\{"key":"\[secret removed: [0-9a-f]{4}\]"\}$/);
	});
});

describe('text in pieces', () => {
	const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 });
	/** All that comes out of a text that goes in cut to these lengths, over and over. */
	const throughPieces = (stream: RedactingStream, text: string, lengths: readonly number[]): string => {
		let shown = '';
		let at = 0;
		for (let turn = 0; at < text.length; turn += 1) {
			const length = lengths[turn % lengths.length] ?? 1;
			shown += stream.push(text.slice(at, at + length));
			at += length;
		}
		return shown + stream.end();
	};

	test('S3 a known secret that is cut anywhere never comes out, and nothing else is lost', () => {
		const made = redactor(SECRET, 'plain-secret-123456');
		fc.assert(
			fc.property(
				fc.array(fc.oneof(fc.constant(SECRET), fc.constant('plain-secret-123456'), fc.string({ maxLength: 12 })), { maxLength: 8 }),
				pieces,
				(words, lengths) => {
					const text = words.join('');
					expect(throughPieces(made.streamKnown(), text, lengths)).toBe(made.redactKnown(text).text);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('S3 a key of a known shape that is cut anywhere never comes out', () => {
		const made = redactor();
		const token = `ghp_${signs(36)}`;
		const block = `-----BEGIN RSA PRIVATE KEY-----\n${signs(64)}\n${signs(64)}\n-----END RSA PRIVATE KEY-----`;
		const text = `$ cat notes\nuse ${token} for it\npassword = ${signs(20)}\n${block}\ndone, and on we go with the work`;
		fc.assert(
			fc.property(pieces, (lengths) => {
				expect(throughPieces(made.stream(), text, lengths)).toBe(made.redact(text).text);
			}),
			{ numRuns: 100 },
		);
	});

	test('a line without a secret is shown as soon as it is whole', () => {
		const stream = redactor(SECRET).stream();
		expect(stream.push('compiling a.ts\ncompiling b')).toBe('compiling a.ts\n');
		expect(stream.push('.ts\n')).toBe('compiling b.ts\n');
		expect(stream.end()).toBe('');
	});
});

describe('shapes of keys', () => {
	const hex = '0123456789abcdef';
	test.each([
		['Amazon', `AKIA${signs(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`],
		['GitHub', `ghp_${signs(36)}`],
		['GitHub, fine-grained', `github_pat_${signs(22)}_${signs(59)}`],
		['GitLab', `glpat-${signs(20)}`],
		['Slack', `xoxb-${signs(12, '0123456789')}-${signs(24)}`],
		['Slack hook', `https://hooks.slack.com/services/T${signs(8)}/B${signs(8)}/${signs(24)}`],
		['Stripe', `sk_live_${signs(24)}`],
		['OpenAI', `sk-proj-${signs(48)}`],
		['OpenAI, old', `sk-${signs(48)}`],
		['Anthropic', `sk-ant-api03-${signs(80)}`],
		['Google', `AIza${signs(35)}`],
		['npm', `npm_${signs(36)}`],
		['Hugging Face', `hf_${signs(34)}`],
		['JWT', `eyJ${signs(30)}.eyJ${signs(60)}.${signs(43)}`],
		['a private key', `-----BEGIN PRIVATE KEY-----\n${signs(64)}\n-----END PRIVATE KEY-----`],
		['a private key that is cut off', `-----BEGIN EC PRIVATE KEY-----\n${signs(64)}`],
		['a password that is set', `password = "${signs(4)}!${signs(6)}"`],
		['a variable', `AWS_SECRET_ACCESS_KEY=${signs(40)}`],
		['YAML', `api_key: ${signs(32)}`],
		['JSON', `{"client_secret":"${signs(32)}"}`],
		['a header', `Authorization: Bearer ${signs(40)}`],
		['a name and password', `Authorization: Basic ${Buffer.from('me:my pass 1').toString('base64')}`],
		['an address', `postgres://me:${signs(12)}@db.example/x`],
		['a key within base64', Buffer.from(`token: ghp_${signs(36)} in a file`).toString('base64')],
		['a key within hexadecimal', Buffer.from(`token: ghp_${signs(36)} in a file`).toString('hex')],
		['hexadecimal under its name', `signing_key=${signs(64, hex)}`],
	])('S3 %s is found', (_name, text) => {
		expect(secretSpans(text).length).toBeGreaterThan(0);
		expect(redactor().redact(`see ${text} there`).found).toBeGreaterThan(0);
	});

	test.each([
		['a commit', `commit ${signs(40, hex)}`],
		['a hash of a package', `"integrity": "sha512-${Buffer.from(signs(64)).toString('base64')}"`],
		['a uuid', 'id: 0f8fad5b-d9cb-469f-a165-70867728950e'],
		['a uuid as a token', 'token: 0f8fad5b-d9cb-469f-a165-70867728950e'],
		['a picture', `<img src="data:image/png;base64,${Buffer.from(signs(300)).toString('base64')}">`],
		['a variable that is named', 'password = process.env.DB_PASSWORD'],
		['a variable of a shell', 'curl -H "Authorization: Bearer $TOKEN" https://api.example'],
		['a template', 'apiKey: {{ secrets.API_KEY1 }}'],
		['a manual', 'export API_KEY=your-api-key-here'],
		['stars', 'password: ************'],
		['a call', 'const token = getTokenFor(user2, session1)'],
		['a type', 'function login(password: string, token: AccessToken2): void'],
		['a number', 'max_tokens: 1000000000'],
		['a sentence', 'The secret: always be kind to people, and to yourself.'],
		['a path', 'private_key=/home/me/.ssh/id_ed25519'],
		['a field of an object', 'token: config.auth.tokens.access2'],
		['a placeholder of the format', `use ghp_${'x'.repeat(36)} here`],
		['an address without a password', 'https://example.com:8080/a@b'],
		['prose about it', 'Basic authentication-with-passwords is old; a bearer is a person who carries.'],
		['a design token', 'color-token: primary-button-background'],
		['a word for a word', 'sk-learn and sk-SK are no keys'],
	])('%s is no secret', (_name, text) => {
		expect(redactor().redact(text)).toEqual({ text, found: 0 });
	});
});
