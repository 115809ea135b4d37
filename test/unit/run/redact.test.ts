import { expect, test } from 'vitest';
import type { InterruptId } from '../../../src/domain/ids.ts';
import { createRedactor } from '../../../src/firewall/redact.ts';
import { secretsOfEnvironment, secretsOfSettings } from '../../../src/firewall/secret-settings.ts';
import type { ModelPort, ModelRequest } from '../../../src/model/port.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { redactEvent, redactorFor } from '../../../src/run/redact-event.ts';
import { withoutSecrets } from '../../../src/run/redact-request.ts';

const KNOWN = 'the known secret 4711';
const KEY = `ghp_${'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA3'}`;
const redactor = createRedactor(Buffer.alloc(32, 7));
redactor.learn(KNOWN);
const MASK = /\[secret removed: [0-9a-f]{4}\]/;

test('S3 each event of a run is written down without secrets, and one that has none stays as it was', () => {
	const at = { step: 1, callId: 'c', at: 1 };
	const args = { text: `${KNOWN} ${KEY}`, list: [KNOWN], [KNOWN]: 1 };
	const result = { text: `${KNOWN} and ${KEY}, password="kx7!pQ2m"`, isError: false, summary: KNOWN };
	const judged = { args, effect: 'pure' as const, label: 'agent' as const, repaired: false };
	const events: RunEvent[] = [
		{
			type: 'model_finished',
			step: 1,
			parts: [{ type: 'text', text: KNOWN }],
			calls: [{ callId: 'c', tool: 't', args: JSON.stringify(args) }],
			reason: 'tool_calls',
		},
		{ type: 'model_failed', step: 1, parts: [], error: { kind: 'terminal', code: 'internal', message: KNOWN, action: KEY } },
		{ type: 'tool_started', ...at, ...judged },
		{
			type: 'tool_finished',
			...at,
			result,
			label: 'external',
			sources: [{ kind: 'page', name: KNOWN, label: 'external', url: `https://a/?t=${encodeURIComponent(KNOWN)}` }],
		},
		{ type: 'tool_refused', step: 1, callId: 'c', args, why: 'denied', result },
		{ type: 'interrupt_opened', step: 1, callId: 'c', interruptId: 'i' as InterruptId, kind: 'approval', ...judged },
		{ type: 'interrupt_answered', interruptId: 'i' as InterruptId, answer: { type: 'reply', text: KNOWN }, at: 1 },
		{
			type: 'wait_ended',
			interruptId: 'i' as InterruptId,
			outcome: { type: 'event_came', payload: { note: KNOWN }, label: 'external' },
			at: 1,
		},
		{
			type: 'wait_ended',
			interruptId: 'i' as InterruptId,
			outcome: { type: 'child_ended', text: KNOWN, isError: false, label: 'agent' },
			at: 1,
		},
		{ type: 'effect_verified', ...at, verdict: { happened: 'yes', result, label: 'external' } },
		{ type: 'stopped', parts: [{ type: 'reasoning', text: KNOWN }], at: 1 },
	];
	for (const event of events) {
		const safe = redactEvent(event, redactor);
		expect(JSON.stringify(safe)).not.toContain(KNOWN);
		expect(JSON.stringify(safe)).not.toContain(encodeURIComponent(KNOWN));
		if (!('answer' in event) && event.type !== 'stopped') expect(JSON.stringify(safe)).not.toContain(KEY);
		expect(JSON.stringify(safe)).toMatch(MASK);
		expect(redactEvent(safe, redactor)).toEqual(safe);
	}
	const plain: RunEvent = { type: 'tool_finished', ...at, result: { text: 'nothing of it', isError: false }, label: 'external' };
	expect(redactEvent(plain, redactor)).toEqual(plain);
});

test('S3 what is only called a password goes from text of others, and stays in what the owner or the agent wrote', () => {
	const text = 'Wi-Fi password: sea-gull-4711';
	expect(redactorFor(redactor, 'external')(text)).toMatch(MASK);
	expect(redactorFor(redactor, 'approved')(text)).toMatch(MASK);
	expect(redactorFor(redactor, 'owner')(text)).toBe(text);
	expect(redactorFor(redactor, 'agent')(text)).toBe(text);
	expect(redactorFor(redactor, 'agent')(KEY)).toMatch(MASK);
});

test('S3 no request takes a key along; to a model on this machine the owner’s own words go as they wrote them, but for known values', async () => {
	const sent: ModelRequest[] = [];
	const port: ModelPort = {
		kind: 'ollama',
		listModels: async () => [],
		stream: async function* (request) {
			sent.push(request);
			yield { type: 'finish', reason: 'stop' };
		},
	};
	const request: ModelRequest = {
		modelId: 'm',
		system: `memory: ${KEY}`,
		messages: [
			{
				role: 'user',
				content: [
					{ type: 'text', text: `use ${KEY} and ${KNOWN}` },
					{ type: 'image', mime: 'image/png', base64: KEY },
				],
			},
			{ role: 'assistant', text: KEY, toolCalls: [{ callId: 'c', tool: 't', args: { key: KEY } }] },
			{ role: 'tool', callId: 'c', tool: 't', text: KEY, isError: false },
		],
		tools: [],
		windowTokens: 1,
		silenceMs: 1,
	};
	for (const isLocal of [true, false])
		for await (const _ of withoutSecrets(port, redactor, { isLocal }).stream(request, AbortSignal.timeout(1_000)));
	const [local, remote] = sent.map(({ system, messages }) => ({
		system,
		said: JSON.stringify(messages[0]),
		rest: JSON.stringify(messages.slice(1)),
	}));
	for (const each of [local, remote]) {
		expect(each?.system).not.toContain(KEY);
		expect(each?.rest).not.toContain(KEY);
		expect(each?.said).not.toContain(KNOWN);
		// A picture is no text.
		expect(each?.said).toContain(`"base64":"${KEY}"`);
	}
	expect(local?.said).toContain(`use ${KEY} and`);
	expect(remote?.said).not.toContain(`use ${KEY} and`);
});

test('S3 values are known by the name they stand under, in the environment and in settings', () => {
	const environment = {
		OPENAI_API_KEY: 'value-number-1',
		DB_PASSWORD: 'value-number-2',
		GITHUB_TOKEN: 'value-number-3',
		DATABASE_URL: 'postgres://me:value-number-4@db/x',
		PWD: '/work/some/where',
		SSH_AUTH_SOCK: '/tmp/ssh-abc/agent.1',
		TOKENIZERS_PARALLELISM: 'never-or-so-1',
		KEYBOARD_LAYOUT: 'dvorak-german-2',
		SECRET_STORE: 'passphrase-file',
		API_KEY: 'short',
		SESSION_TOKEN_LIMIT: '1000000000',
	};
	expect(secretsOfEnvironment(environment).filter((value, at, all) => all.indexOf(value) === at)).toEqual([
		'value-number-1',
		'value-number-2',
		'value-number-3',
		'value-number-4',
	]);
	const json = {
		a: { apiKey: 'value-number-5', list: [{ password: 'value-number-6' }], secretName: 'provider:openai' },
		credentials: { user: 'value-number-7' },
	};
	expect(secretsOfSettings(JSON.stringify(json))).toEqual(['value-number-5', 'value-number-6', 'value-number-7']);
	expect(secretsOfSettings('rules: []\n  - api_key: "value-number-8"\nbroken {')).toEqual(['value-number-8']);
});
