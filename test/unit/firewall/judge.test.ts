import { describe, expect, test } from 'vitest';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import { LABELS, type Label } from '../../../src/domain/label.ts';
import type { Permission, PermissionId, PermissionTerms } from '../../../src/domain/permission.ts';
import type { Touch, TouchOf } from '../../../src/domain/sink.ts';
import { EffectClass } from '../../../src/domain/tool.ts';
import { type Crossing, judge } from '../../../src/firewall/judge.ts';
import { offersFor } from '../../../src/firewall/offers.ts';
import { SHIPPED_POLICY } from '../../../src/firewall/shipped-policy.ts';

const [runId, sessionId] = ['r' as RunId, 's' as SessionId];
const WORKSPACE: PermissionTerms = { scope: { kind: 'workspace' }, label: 'approved', job: { kind: 'any' } };
const permission = (terms: PermissionTerms): Permission => ({
	id: 'p' as PermissionId,
	terms,
	origin: 'owner',
	createdAt: 1,
	uses: 0,
});
const crossing = (label: Label, more: Partial<Crossing> = {}): Crossing => ({
	tool: 'tool',
	effect: 'effectful',
	label,
	work: 'chat',
	job: { runs: [runId], sessions: [sessionId] },
	...more,
});
const decide = (label: Label, touches: Touch[], terms: PermissionTerms[] = [WORKSPACE], more: Partial<Crossing> = {}) =>
	judge({ rules: SHIPPED_POLICY, permissions: terms.map(permission), now: 10 }, crossing(label, more), touches);

const MEMORY_LABELS: [Label, string, string][] = [
	['owner', 'allow', 'memory_by_agent'],
	['agent', 'allow', 'memory_by_agent'],
	['workspace', 'allow', 'memory_by_agent'],
	['approved', 'allow', 'memory_by_agent'],
	['external', 'hold', 'memory_from_outside'],
];
test.each(MEMORY_LABELS)('B2 B4 policy: a memory write of a step labelled %s: %s', (label, verdict, rule) => {
	expect(decide(label, [{ sink: 'memory' }]).decision).toMatchObject({ verdict, rule });
	expect(decide(label, [{ sink: 'forget' }]).decision.verdict).toBe('hold');
	expect(decide(label, [{ sink: 'skill', name: 'x' }]).decision.verdict).toBe('hold');
});

test.each(EffectClass.options.flatMap((effect) => LABELS.map((label) => [effect, label] as const)))(
	'policy: a call that touches nothing, %s, of a step labelled %s',
	(effect, label) => {
		const { verdict, rule, reason } = decide(label, [], [], { effect }).decision;
		expect(verdict).toBe(effect === 'effectful' ? 'ask' : 'allow');
		expect(rule).toBe(effect !== 'effectful' ? 'harmless' : label === 'external' ? 'effectful_from_outside' : 'effectful');
		expect(reason).not.toBe('');
	},
);

const file = (access: 'read' | 'write'): Touch => ({ sink: 'file', access, path: 'workspace/a.md', root: 'workspace' });
const shell = (more: Partial<TouchOf<'shell'>> = {}): Touch => ({
	sink: 'shell',
	command: 'ls',
	cwd: 'workspace',
	sandboxed: true,
	hosts: [],
	...more,
});
const page: Touch = { sink: 'network', url: 'https://example.com/a', host: 'example.com', method: 'GET' };

describe('S2 by default', () => {
	test('a clean step works in workspace/ without a question; one that read outside text asks for any effect', () => {
		for (const touch of [file('read'), file('write'), shell()]) expect(decide('approved', [touch]).decision.verdict).toBe('allow');
		expect(decide('external', [file('read')]).decision.verdict).toBe('allow');
		for (const touch of [file('write'), shell()])
			expect(decide('external', [touch]).decision).toMatchObject({ verdict: 'ask', rule: 'effect_from_outside' });
	});

	test('what lies elsewhere, the network, servers and messages are asked about', () => {
		const others: Touch[] = [
			{ sink: 'file', access: 'read', path: '/home/a/x' },
			{ sink: 'file', access: 'write', path: '/home/a/x' },
			shell({ hosts: ['example.com'] }),
			shell({ sandboxed: false }),
			page,
			{ sink: 'message', via: 'mail', to: ['ada@example.com'] },
			{ sink: 'server', server: 'git', tool: 'log', readOnly: true },
		];
		for (const touch of others) expect(decide('owner', [touch]).decision.verdict).toBe('ask');
	});

	test('an address in the owner’s own words may be fetched, but not by a step that read outside text', () => {
		const said = { addresses: new Set(['https://example.com/a']) };
		expect(decide('agent', [page], [], said).decision.verdict).toBe('allow');
		expect(decide('agent', [{ ...page, url: 'https://example.com/b' } as Touch], [], said).decision.verdict).toBe('ask');
		expect(decide('agent', [{ ...page, method: 'POST' } as Touch], [], said).decision.verdict).toBe('ask');
		expect(decide('external', [page], [], said).decision.verdict).toBe('ask');
	});

	test('the strictest of what a call touches decides, and each has its own decision', () => {
		const { decision, each } = decide('agent', [file('read'), page]);
		expect(decision).toMatchObject({ verdict: 'ask', rule: 'effect_not_named', touch: page });
		expect(each.map(({ verdict }) => verdict)).toEqual(['allow', 'ask']);
		expect(each[0]).toMatchObject({ permissionId: 'p' });
	});
});

describe('S2 what the owner grants with a yes', () => {
	const place = { runId, sessionId, workflow: undefined, task: undefined };

	test('for this run: the next write of the same outside step goes through, and nothing else', () => {
		const { each } = decide('external', [file('write')]);
		const [forRun, standing] = offersFor(each, { label: 'external', ...place });
		expect(forRun).toMatchObject({ reach: 'run', terms: { scope: { kind: 'workspace' }, label: 'external', job: { kind: 'run', runId } } });
		expect(standing).toMatchObject({ reach: 'standing', terms: { job: { kind: 'chat', sessionId } } });
		const terms = forRun ? [forRun.terms] : [];
		expect(decide('external', [file('write')], terms).decision).toMatchObject({ verdict: 'allow', permissionId: 'p' });
		expect(decide('external', [shell()], terms).decision.verdict).toBe('allow');
		for (const touch of [page, shell({ hosts: ['example.com'] }), { sink: 'file', access: 'write', path: '/home/a/x' } as const])
			expect(decide('external', [touch], terms).decision.verdict).toBe('ask');
		expect(decide('external', [{ sink: 'memory' }], terms).decision.verdict).toBe('hold');
		const other = { job: { runs: ['other' as RunId], sessions: ['other' as SessionId] } };
		expect(decide('external', [file('write')], terms, other).decision.verdict).toBe('ask');
	});

	test('in a workflow: for that workflow; of a clean step: for clean steps', () => {
		const { each } = decide('agent', [page]);
		const offers = offersFor(each, { label: 'agent', ...place, workflow: 'digest' });
		expect(offers.map(({ terms }) => terms)).toMatchObject([
			{ scope: { kind: 'host', host: 'example.com', posts: false }, label: 'external', job: { kind: 'run', runId } },
			{ label: 'approved', job: { kind: 'workflow', name: 'digest' } },
		]);
	});

	test('B2 of a task: for that task alone, whatever it starts, and for its pages also after the first of a run', () => {
		const [, standing] = offersFor(decide('agent', [page]).each, { label: 'agent', ...place, workflow: 'digest', task: 'k1' });
		expect(standing?.terms).toMatchObject({ label: 'external', job: { kind: 'task', taskId: 'k1' } });
		const terms = standing ? [standing.terms] : [];
		const job = (task?: string) => ({ job: { runs: ['other' as RunId], sessions: ['other' as SessionId], workflow: 'digest', task } });
		expect(decide('external', [page], terms, job('k1')).decision.verdict).toBe('allow');
		expect(decide('external', [page], terms, job('k2')).decision.verdict).toBe('ask');
		expect(decide('external', [page], terms, job()).decision.verdict).toBe('ask');
	});

	test('a page that a clean step fetches: in this run the next one of the same host, too, though the first is text from outside', () => {
		const [forRun, standing] = offersFor(decide('agent', [page]).each, { label: 'agent', ...place });
		const terms = forRun ? [forRun.terms] : [];
		const at = (url: string, host: string, method: 'GET' | 'POST' = 'GET') =>
			decide('external', [{ ...page, url, host, method } as Touch], terms).decision.verdict;
		expect(at('https://example.com/second', 'example.com')).toBe('allow');
		expect(at('https://example.com/second', 'example.com', 'POST')).toBe('ask');
		expect(at('https://evil.test/', 'evil.test')).toBe('ask');
		const other = { job: { runs: ['other' as RunId], sessions: [sessionId] } };
		expect(decide('external', [page], terms, other).decision.verdict).toBe('ask');
		expect(decide('external', [page], standing ? [standing.terms] : []).decision.verdict).toBe('ask');
		const post = { ...page, method: 'POST' } as Touch;
		expect(offersFor(decide('agent', [post]).each, { label: 'agent', ...place })[0]?.terms.label).toBe('approved');
	});

	test('nothing is offered where a permission can’t help, or where no one scope names all of it', () => {
		const none = (touches: Touch[], more: Partial<Crossing> = {}) =>
			expect(offersFor(decide('external', touches, [], more).each, { label: 'external', ...place })).toEqual([]);
		none([{ sink: 'message', via: 'mail', to: ['ada@example.com'] }]);
		none([shell({ sandboxed: false })]);
		none([shell({ command: 'a; b', hosts: ['example.com'] })]);
		none([shell({ command: 'rm *', hosts: ['example.com'] })]);
		none([file('write'), page]);
		none([page], { inspection: { risk: 'high', flags: [] } });
		none([]);
	});

	test('an offer covers a command exactly, with the hosts that it named', () => {
		const touch = shell({ command: 'npm ci', hosts: ['registry.npmjs.org'] });
		const [offer] = offersFor(decide('agent', [touch]).each, { label: 'agent', ...place });
		expect(offer?.terms.scope).toEqual({ kind: 'command', pattern: 'npm ci', hosts: ['registry.npmjs.org'] });
		const terms = offer ? [offer.terms] : [];
		expect(decide('agent', [touch], terms).decision.verdict).toBe('allow');
		expect(decide('agent', [shell({ command: 'npm ci', hosts: ['evil.test'] })], terms).decision.verdict).toBe('ask');
		expect(decide('agent', [shell({ command: 'npm ci --x', hosts: ['registry.npmjs.org'] })], terms).decision.verdict).toBe('ask');
	});
});

test('S2 detectors turn an allow into a question, and a standing permission does not count then', () => {
	const high = { inspection: { risk: 'high', flags: [{ kind: 'secret', start: 0, end: 1 }] } } as Partial<Crossing>;
	const host: PermissionTerms = { scope: { kind: 'host', host: 'example.com', posts: true }, label: 'approved', job: { kind: 'any' } };
	expect(decide('agent', [page], [host]).decision.verdict).toBe('allow');
	expect(decide('agent', [page], [host], high).decision).toMatchObject({ verdict: 'ask', rule: 'floor_flagged' });
	expect(decide('agent', [{ sink: 'memory' }], [], high).decision.verdict).toBe('hold');
	// Writing down a thing that looks like a key in a file of the agent's own leaves nothing.
	expect(decide('agent', [file('write')], [WORKSPACE], high).decision.verdict).toBe('allow');
	const hidden = { inspection: { risk: 'high', flags: [{ kind: 'hidden_text', start: 0, end: 1 }] } } as Partial<Crossing>;
	expect(decide('agent', [file('write')], [WORKSPACE], hidden).decision.verdict).toBe('ask');
});

test('a permission that ended, or was taken back, names nothing from then on', () => {
	const at = (more: Partial<Permission>) =>
		judge({ rules: SHIPPED_POLICY, permissions: [{ ...permission(WORKSPACE), ...more }], now: 10 }, crossing('agent'), [file('write')])
			.decision.verdict;
	expect(at({})).toBe('allow');
	expect(at({ revokedAt: 9 })).toBe('ask');
	expect(at({ terms: { ...WORKSPACE, until: 10 } })).toBe('ask');
	expect(at({ terms: { ...WORKSPACE, until: 11 } })).toBe('allow');
});
