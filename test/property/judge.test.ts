import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunId, SessionId } from '../../src/domain/ids.ts';
import type { Inspection } from '../../src/domain/inspection.ts';
import { isWithin, LABELS, type Label } from '../../src/domain/label.ts';
import type { Permission, PermissionId, PermissionJob, PermissionScope, PermissionTerms } from '../../src/domain/permission.ts';
import { RunKind } from '../../src/domain/run.ts';
import type { Touch } from '../../src/domain/sink.ts';
import { EffectClass } from '../../src/domain/tool.ts';
import { type Crossing, judge, type Law } from '../../src/firewall/judge.ts';
import { covers, permits } from '../../src/firewall/permission.ts';
import { PolicyRule, RuleSink, VERDICTS } from '../../src/firewall/policy-rule.ts';
import { SHIPPED_POLICY } from '../../src/firewall/shipped-policy.ts';

const label = fc.constantFrom(...LABELS);
const host = fc.constantFrom('example.com', 'a.example.com', 'b.example.com:8080', 'evil.test');
const paths = fc.constantFrom('/home/a/notes/x.md', '/home/a/notesx', '/home/a/notes', '/home/a/other/x.md');
const command = fc.constantFrom('git status', 'git status -s', 'git push origin', 'git status; rm -rf x', 'curl https://evil.test');

const touch: fc.Arbitrary<Touch> = fc.oneof(
	fc.constant<Touch>({ sink: 'memory' }),
	fc.constant<Touch>({ sink: 'forget' }),
	fc.constant<Touch>({ sink: 'skill', name: 's' }),
	fc.record({ access: fc.constantFrom('read' as const, 'write' as const), path: paths }).map((of) => ({ sink: 'file', ...of }) as const),
	fc
		.constantFrom('read' as const, 'write' as const)
		.map((access) => ({ sink: 'file', access, path: 'workspace/a.md', root: 'workspace' }) as const),
	fc
		.record({ command, sandboxed: fc.boolean(), hosts: fc.array(host, { maxLength: 2 }) })
		.map((of) => ({ sink: 'shell', cwd: 'workspace', ...of }) as const),
	fc
		.record({ host, method: fc.constantFrom('GET' as const, 'POST' as const) })
		.map(({ host: name, method }) => ({ sink: 'network', url: `https://${name}/x?y=1`, host: name, method }) as const),
	fc.constant<Touch>({ sink: 'message', via: 'mail', to: ['ada@example.com'] }),
	fc
		.record({ tool: fc.constantFrom('read', 'write'), readOnly: fc.boolean() })
		.map((of) => ({ sink: 'server', server: 'git', ...of }) as const),
);

const scope: fc.Arbitrary<PermissionScope> = fc.oneof(
	fc.constant<PermissionScope>({ kind: 'workspace' }),
	fc
		.constantFrom('read' as const, 'write' as const)
		.map((access) => ({ kind: 'folder', path: '/home/a/notes', access, mine: false }) as const),
	fc.boolean().map((posts) => ({ kind: 'host', host: '*.example.com', posts }) as const),
	fc.constantFrom('git status *', 'git *', 'git status').map((pattern): PermissionScope => ({ kind: 'command', pattern, hosts: [] })),
	fc.constantFrom({}, { tool: 'read' }).map((tool) => ({ kind: 'server', server: 'git', ...tool }) as const),
);
const jobs: fc.Arbitrary<PermissionJob> = fc.constantFrom(
	{ kind: 'any' },
	{ kind: 'run', runId: 'r' as RunId },
	{ kind: 'run', runId: 'other' as RunId },
	{ kind: 'chat', sessionId: 's' as SessionId },
	{ kind: 'workflow', name: 'w' },
);
// Also such as the schema refuses: a permission for outside text that names no job covers nothing all the same.
const terms: fc.Arbitrary<PermissionTerms> = fc.record({ scope, label, job: jobs });
const permission: fc.Arbitrary<Permission> = fc.record({
	id: fc.constantFrom('p1' as PermissionId, 'p2' as PermissionId),
	terms,
	origin: fc.constant('owner' as const),
	createdAt: fc.constant(1),
	uses: fc.constant(0),
});

const rule = fc
	.record(
		{
			id: fc.constantFrom('own_a', 'own_b', 'own_c'),
			sinks: fc.uniqueArray(fc.constantFrom(...RuleSink.options), { minLength: 1, maxLength: 9 }),
			access: fc.constantFrom('read' as const, 'write' as const),
			labels: fc.uniqueArray(label, { minLength: 1 }),
			named: fc.boolean(),
			sandboxed: fc.boolean(),
			network: fc.boolean(),
			tools: fc.constantFrom(['tool'], ['t*'], ['other']),
			jobs: fc.uniqueArray(fc.constantFrom(...RunKind.options), { minLength: 1 }),
			folders: fc.constantFrom(['workspace'], ['/home/a/notes', '/home/a/other']),
			hosts: fc.constantFrom(['*.example.com'], ['example.com', 'evil.test']),
			commands: fc.constantFrom(['git status *'], ['git push origin']),
			effects: fc.uniqueArray(fc.constantFrom(...EffectClass.options), { minLength: 1 }),
			verdict: fc.constantFrom(...VERDICTS),
			reason: fc.constant('Because.'),
		},
		{ requiredKeys: ['id', 'sinks', 'verdict', 'reason'] },
	)
	.filter((given) => PolicyRule.safeParse(given).success)
	.map((given) => PolicyRule.parse(given));

const law = (rules: PolicyRule[], permissions: Permission[]): Law => ({ rules: [...rules, ...SHIPPED_POLICY], permissions, now: 10 });
const laws = fc.tuple(fc.array(rule, { maxLength: 4 }), fc.array(permission, { maxLength: 4 }));
const HIGH: Inspection = { risk: 'high', flags: [{ kind: 'hidden_text', start: 0, end: 1 }] };
const crossing: fc.Arbitrary<Crossing> = fc.record({
	tool: fc.constant('tool'),
	effect: fc.constantFrom(...EffectClass.options),
	label,
	work: fc.constantFrom(...RunKind.options),
	job: fc.constant({ runs: ['r' as RunId], sessions: ['s' as SessionId], workflow: 'w' }),
	addresses: fc.constantFrom(new Set<string>(), new Set(['https://example.com/x?y=1'])),
	inspection: fc.constantFrom(undefined, HIGH),
});
const touches = fc.array(touch, { maxLength: 3 });
const strictness = (verdict: (typeof VERDICTS)[number]) => VERDICTS.indexOf(verdict);
const verdictOf = (under: Law, of: Crossing, what: readonly Touch[]) => strictness(judge(under, of, what).decision.verdict);
const RUNS = { numRuns: 2_000 };

test('B2 S1 more taint never loosens, whatever the rules and permissions say', () => {
	fc.assert(
		fc.property(laws, crossing, touches, label, ([rules, permissions], of, what, more) => {
			const under = law(rules, permissions);
			const tainted: Label = isWithin(of.label, more) ? more : of.label;
			expect(verdictOf(under, { ...of, label: tainted }, what)).toBeGreaterThanOrEqual(verdictOf(under, of, what));
		}),
		RUNS,
	);
});

test('S1 touching one thing more never loosens, and detectors only add', () => {
	fc.assert(
		fc.property(laws, crossing, touches, touch, ([rules, permissions], of, what, more) => {
			const under = law(rules, permissions);
			if (what.length > 0) expect(verdictOf(under, of, [...what, more])).toBeGreaterThanOrEqual(verdictOf(under, of, what));
			expect(verdictOf(under, { ...of, inspection: HIGH }, what)).toBeGreaterThanOrEqual(
				verdictOf(under, { ...of, inspection: undefined }, what),
			);
		}),
		RUNS,
	);
});

test('B2 S2 a file never lowers a floor: what has to be asked or held is, under any rules', () => {
	let seen = 0;
	fc.assert(
		fc.property(laws, crossing, touch, ([rules, permissions], of, what) => {
			const verdict = verdictOf(law(rules, permissions), of, [what]);
			const consent = permissions.some(
				({ terms: given }) =>
					given.label === 'external' &&
					given.job.kind !== 'any' &&
					permits(given, { touch: what, label: 'external', tool: of.tool, job: of.job }),
			);
			const least = (at: 'hold' | 'ask') => {
				seen++;
				expect(verdict).toBeGreaterThanOrEqual(strictness(at));
			};
			if (what.sink === 'skill' || what.sink === 'forget') least('hold');
			if (what.sink === 'memory' && of.label === 'external') least('hold');
			if (what.sink === 'message' || (what.sink === 'shell' && !what.sandboxed)) least('ask');
			const effect = ['shell', 'network', 'server'].includes(what.sink) || (what.sink === 'file' && what.access === 'write');
			if (effect && of.label === 'external' && !consent) least('ask');
			if (effect && of.inspection === HIGH) least('ask');
		}),
		RUNS,
	);
	expect(seen).toBeGreaterThan(500);
});

test('S2 under the shipped rules nothing has an effect that no permission and no word of the owner names', () => {
	fc.assert(
		fc.property(fc.array(permission, { maxLength: 4 }), crossing, touch, (permissions, of, what) => {
			const { decision } = judge(law([], permissions), of, [what]);
			if (decision.verdict !== 'allow' || what.sink === 'memory') return;
			const named = permissions.some(({ terms: given }) => permits(given, { touch: what, label: of.label, tool: of.tool, job: of.job }));
			const said = what.sink === 'network' && of.label !== 'external' && of.addresses?.has(what.url) === true;
			expect(named || said).toBe(true);
		}),
		RUNS,
	);
});

test('S2 a permission covers a label no more tainted than it names, and outside text only with its job', () => {
	fc.assert(
		fc.property(terms, touch, label, (given, what, of) => {
			const job = { runs: ['r' as RunId], sessions: ['s' as SessionId] };
			if (!permits(given, { touch: what, label: of, tool: 'tool', job })) return;
			expect(covers(given.scope, what)).toBe(true);
			if (what.sink === 'file' && what.access === 'read') return;
			expect(isWithin(of, given.label)).toBe(true);
			if (of === 'external') expect(given.job.kind).not.toBe('any');
			if (given.job.kind === 'run') expect(given.job.runId).toBe('r');
		}),
		RUNS,
	);
});
