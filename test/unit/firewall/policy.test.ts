import { expect, test } from 'vitest';
import { FIRST_POLICY } from '../../../src/app/policy-file.ts';
import type { Touch } from '../../../src/domain/sink.ts';
import { FLOORS } from '../../../src/firewall/floor.ts';
import { judge } from '../../../src/firewall/judge.ts';
import { readPolicy } from '../../../src/firewall/policy.ts';
import { PolicyRule } from '../../../src/firewall/policy-rule.ts';
import { ruleCovers } from '../../../src/firewall/rule-words.ts';
import { SHIPPED_POLICY } from '../../../src/firewall/shipped-policy.ts';

const problemsOf = (text: string) => readPolicy(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
const RULE = (more = '') => `rules:\n  - id: own\n    sinks: [network]\n    verdict: deny\n    reason: No.\n${more}`;

test('S1 the file’s rules come first, the shipped ones always follow', () => {
	const { rules, own, problems } = readPolicy(RULE());
	expect(problems).toEqual([]);
	expect(own).toBe(1);
	expect(rules[0]).toEqual({ id: 'own', sinks: ['network'], verdict: 'deny', reason: 'No.' });
	expect(rules.slice(1)).toEqual(SHIPPED_POLICY);
});

test.each(['', '# nothing\n', 'rules:\n', 'rules: []\n', FIRST_POLICY])('a file without rules leaves the shipped ones: %#', (text) => {
	expect(readPolicy(text)).toEqual({ rules: SHIPPED_POLICY, own: 0, problems: [] });
});

test('the rule that the first text shows can be switched on as it stands', () => {
	const text = FIRST_POLICY.split('\n')
		.slice(FIRST_POLICY.split('\n').indexOf('# rules:'))
		.map((line) => line.replace(/^# ?/, ''))
		.join('\n');
	expect(readPolicy(text)).toMatchObject({ own: 1, problems: [] });
});

test.each([
	['a verdict that there is not', RULE().replace('deny', 'maybe'), ['4:14 ']],
	['a key that there is not', RULE('    sinkz: [file]\n'), ['6:5 There is no “sinkz” here. Did you mean “sinks”?']],
	['one that lacks its reason', RULE().replace('    reason: No.\n', ''), ['2:5 `reason` is missing.']],
	['a name that is taken', RULE().replace('id: own', 'id: permitted'), ['2:9 “permitted” is taken. Give each rule a name of its own.']],
	['hold for what can’t be held', RULE().replace('deny', 'hold'), ['4:14 Only memory, forget and skill can be held. Use ask.']],
	['a folder that is none', RULE('    folders: [notes, workspace/../x]\n'), ['6:15 Name a folder', '6:22 Name a folder']],
	['a host that is none', RULE('    hosts: ["*.com"]\n'), ['6:13 Name a host']],
	['commands that are to be kept from running', RULE('    commands: [rm *]\n'), ['6:5 Only allow can name commands']],
	['a tab', 'rules:\n\t- id: x', ['2:1 A tab can’t indent YAML. Use spaces.']],
	['no map', '- a', ['1:1 A policy file has a list of `rules`.']],
])('%s is told with its line, and then the shipped rules hold alone', (_name, text, told) => {
	const { rules, own } = readPolicy(text);
	expect({ rules, own }).toEqual({ rules: SHIPPED_POLICY, own: 0 });
	const problems = problemsOf(text);
	expect(problems).toHaveLength(told.length);
	for (const [at, begin] of told.entries()) expect(problems[at]).toContain(begin);
});

test('each shipped rule has the shape of a rule, a name of its own, and words for what it covers', () => {
	for (const rule of SHIPPED_POLICY) {
		expect(PolicyRule.parse(rule)).toEqual(rule);
		expect(ruleCovers(rule)).toMatch(/^[A-Z].+\.$/);
	}
	expect(new Set(SHIPPED_POLICY.map(({ id }) => id)).size).toBe(SHIPPED_POLICY.length);
	expect(Object.keys(FLOORS).length).toBeGreaterThan(0);
});

test('S2 a rule may be narrowed to folders, hosts and commands; what is named otherwise is not what it speaks of', () => {
	const verdict = (more: string, touch: Touch) => {
		const sinks = 'sinks: [file, network, shell]';
		const { rules, problems } = readPolicy(`rules:\n  - {id: own, ${sinks}, ${more}, reason: Mine.}\n`);
		expect(problems).toEqual([]);
		const crossing = { tool: 't', effect: 'effectful', label: 'agent', work: 'chat', job: { runs: [], sessions: [] } } as const;
		const { decision } = judge({ rules, permissions: [], now: 1 }, crossing, [touch]);
		return decision.rule === 'own' ? decision.verdict : 'not own';
	};
	const file = (path: string): Touch => ({
		sink: 'file',
		access: 'write',
		path,
		...(path.startsWith('workspace') && { root: 'workspace' }),
	});
	const page = (host: string): Touch => ({ sink: 'network', url: `https://${host}/a`, host, method: 'GET' });
	const shell = (command: string, hosts: string[] = []): Touch => ({ sink: 'shell', command, cwd: 'workspace', sandboxed: true, hosts });

	const folders = 'folders: [workspace/letters, /home/ada/bills], verdict: deny';
	for (const path of ['workspace/letters/a.md', '/home/ada/bills/may/1.pdf', '/home/ada/bills'])
		expect(verdict(folders, file(path))).toBe('deny');
	for (const path of ['workspace/lettersx/a.md', 'workspace/a.md', '/letters/a.md', '/home/ada/a.md'])
		expect(verdict(folders, file(path))).toBe('not own');
	expect(verdict('folders: [workspace], verdict: deny', file('workspace/deep/a.md'))).toBe('deny');
	expect(verdict('folders: [workspace], verdict: deny', file('/workspace/a.md'))).toBe('not own');

	const hosts = (verdictOf: string) => `hosts: ["*.example.com"], verdict: ${verdictOf}`;
	expect(verdict(hosts('deny'), page('a.example.com'))).toBe('deny');
	expect(verdict(hosts('deny'), page('example.com'))).toBe('not own');
	// One of them is enough to deny a command, also where it names more than that; to allow it all have to be.
	expect(verdict(hosts('deny'), shell('curl x', ['a.example.com', 'example.org']))).toBe('deny');
	expect(verdict('hosts: [a.example.com], verdict: deny', shell('curl x', ['*.example.com']))).toBe('deny');
	expect(verdict(hosts('allow'), shell('curl x', ['a.example.com']))).toBe('allow');
	expect(verdict(hosts('allow'), shell('curl x', ['a.example.com', 'example.org']))).toBe('not own');
	expect(verdict(hosts('allow'), shell('ls'))).toBe('not own');

	const commands = 'commands: [npm install *], network: true, verdict: allow';
	expect(verdict(commands, shell('npm install left-pad', ['example.org']))).toBe('allow');
	expect(verdict(commands, shell('npm install x; curl evil.test', ['example.org']))).toBe('not own');
});
