import { expect, test } from 'vitest';
import { FIRST_POLICY } from '../../../src/app/policy-file.ts';
import { FLOORS } from '../../../src/firewall/floor.ts';
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
