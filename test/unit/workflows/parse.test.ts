import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagramOf } from '../../../src/workflows/diagram.ts';
import { parseWorkflow } from '../../../src/workflows/parse.ts';

const KNOWN = {
	tools: ['write_file', 'read_file', 'list_files'],
	checkTool: (name: string, args: unknown) =>
		name === 'write_file' && !Object.hasOwn(args as object, 'path') ? 'path: it is missing' : undefined,
};

const GOOD = `title: Expenses
inputs:
  amount:
    title: How much
start: ASK
states:
  ASK:
    ask:
      question: Pay {{amount}}?
      choices: [Pay, Drop]
    transitions:
      - to: WRITE
        on: Pay
        when:
          amount:
            under: 500
      - to: LOOK
        on: Pay
      - to: DROPPED
        on: Drop
  LOOK:
    agent:
      prompt: Look at {{amount}}.
      tools: [read_file]
    save:
      verdict: yes or no
    transitions:
      - to: WRITE
        on: it is right
      - to: DROPPED
        on: it is not
  WRITE:
    tool:
      name: write_file
      args: {path: 'a.md', content: '{{verdict}}'}
    transitions:
      - to: SLEEP
    timeout: {after: 1h 30m, to: DROPPED}
    retries: {times: 2, wait: 10 minutes}
  SLEEP:
    wait: 2 days
    transitions: [{to: HEARD}]
  HEARD:
    event: paid
    save: {paid_on: payload.date}
    transitions: [{to: PAID}]
  PAID: {final: true}
  DROPPED: {final: true}
`;

const problemsOf = (text: string) => parseWorkflow(text, KNOWN).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

test('a workflow without problems is read into its states, ways, times and guards', () => {
	const { problems, definition } = parseWorkflow(GOOD, KNOWN);
	expect(problems).toEqual([]);
	expect(definition?.states.get('WRITE')).toMatchObject({
		timeout: { afterMs: 5_400_000, to: 'DROPPED' },
		retries: { times: 2, waitMs: 600_000 },
	});
	expect(definition?.inputs).toEqual([{ name: 'amount', title: 'How much', required: true, default: undefined }]);
	const diagram = definition && diagramOf(definition);
	expect(diagram?.transitions).toContainEqual({ from: 'ASK', to: 'WRITE', when: 'Pay, if amount is under 500' });
	expect(diagram?.transitions).toContainEqual({ from: 'WRITE', to: 'DROPPED', when: 'after 1h 30m' });
	expect(diagram?.states.map(({ name, action, final }) => [name, action, final])).toContainEqual(['PAID', 'none', true]);
});

test.each(readdirSync('assets/workflows'))('the workflow %s that comes with Hearth has no problems', (name) => {
	expect(problemsOf(readFileSync(join('assets/workflows', name), 'utf8'))).toEqual([]);
});

test('the workflow that docs/workflows.md shows has no problems', () => {
	const shown = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/workflows.md', 'utf8'))?.[1] ?? '';
	expect(problemsOf(shown)).toEqual([]);
});

/** A change to the good file, and the problem that it makes, with its place. */
const CASES: [what: string, from: string, to: string, problem: string][] = [
	['an unknown key', 'start: ASK', 'start: ASK\ntitel: x', '6:1 There is no “titel” here. Did you mean “title”?'],
	['an unknown key of a state', '    wait: 2 days', '    wiat: 2 days', '41:5 There is no “wiat” here. Did you mean “wait”?'],
	['a start that is no state', 'start: ASK', 'start: ASC', '5:8 There is no state ASC. Did you mean “ASK”?'],
	['no start', 'start: ASK\n', '', '1:1 `start` is missing.'],
	['no title', 'title: Expenses\n', '', '1:1 `title` is missing.'],
	['a state that is not there', '[{to: HEARD}]', '[{to: HERD}]', '42:24 There is no state HERD. Did you mean “HEARD”?'],
	['a time-out to nowhere', 'to: DROPPED}\n    retries', 'to: GONE}\n    retries', '38:34 There is no state GONE.'],
	['a state that nothing leads to', '  PAID: {final', '  ALONE: {final: true}\n  PAID: {final', '47:3 ALONE can’t be reached from ASK.'],
	[
		'a state without a way out',
		'    save: {paid_on: payload.date}\n    transitions: [{to: PAID}]\n',
		'',
		'43:3 HEARD has no way out. Give it `transitions`, or make it `final: true`.',
	],
	['an end that is none', '[{to: PAID}]', '[{to: SLEEP}]', '40:3 From SLEEP no final state can be reached.'],
	[
		'a name that is there twice',
		'  DROPPED: {final: true}',
		'  DROPPED: {final: true}\n  DROPPED: {final: true}',
		'49:3 This name is there twice. Names must differ.',
	],
	[
		'an unknown tool',
		'name: write_file',
		'name: wirte_file',
		'34:13 There is no tool “wirte_file”. Did you mean “write_file”? The tools are: write_file, read_file, list_files.',
	],
	[
		'an unknown tool of an agent',
		'[read_file]',
		'[raed_file]',
		'24:15 There is no tool “raed_file”. Did you mean “read_file”? The tools are: write_file, read_file, list_files.',
	],
	[
		'arguments that a tool does not take',
		"{path: 'a.md', content: '{{verdict}}'}",
		"{content: 'x'}",
		'35:7 write_file does not take this: path: it is missing',
	],
	[
		'a bad duration',
		'wait: 2 days',
		'wait: 2 fortnights',
		'41:11 “2 fortnights” is not a duration. Write a number and a unit (s, minutes, hours, days, weeks), such as 90 s, 3 days, 1h 30m.',
	],
	['a duration without a unit', 'after: 1h 30m', 'after: 90', '38:22 Write a number and a unit, such as 3 days.'],
	[
		'an unknown guard operator',
		'            under: 500',
		'            udner: 500',
		'16:13 There is no guard operator “udner”. Did you mean “under”? They are: is, not, over, under, one_of, set.',
	],
	['an operand of the wrong kind', 'under: 500', 'under: much', '16:20 `under` takes a number or a date.'],
	['a field that nothing saves', 'Pay {{amount}}?', 'Pay {{amuont}}?', '9:17 Nothing puts “amuont” into the data. Did you mean “amount”?'],
	[
		'a guard on a field that nothing saves',
		'          amount:\n            under',
		'          sum:\n            under',
		'15:11 Nothing puts “sum” into the data.',
	],
	[
		'an outcome that is none',
		'        on: Drop',
		'        on: Drops',
		'20:13 “Drops” is no outcome of this state. Did you mean “Drop”? They are: Pay, Drop, error, skipped.',
	],
	['a choice that leads nowhere', '[Pay, Drop]', '[Pay, Drop, Later]', '11:5 The choice “Later” leads nowhere.'],
	[
		'two ways of an agent to one state',
		'      - to: DROPPED\n        on: it is not',
		'      - to: WRITE\n        on: it is not',
		'30:13 Ambiguous: the agent chooses by the state’s name, and WRITE is named twice.',
	],
	[
		'a way that is never taken',
		'      - to: SLEEP',
		'      - to: SLEEP\n      - to: DROPPED',
		'38:13 Ambiguous: the way to DROPPED is never taken, a transition before it always fits.',
	],
	['two actions', '    wait: 2 days', '    wait: 2 days\n    event: x', '40:3 SLEEP: a state has one action, and this has wait and event.'],
	['no action', '    wait: 2 days\n', '', '40:3 SLEEP: nothing happens here. Give it one of: agent, tool, wait, event, ask, final.'],
	[
		'something to save that is not given',
		'payload.date',
		'payment.date',
		'45:21 “payment.date” is not what this action gives. It gives: payload.',
	],
	[
		'a state’s name in small letters',
		'  PAID: {final: true}',
		'  paid: {final: true}',
		'47:3 “paid” can’t be a state’s name. Use capital letters, digits and _, starting with a letter.',
	],
	[
		'ways out of a final state',
		'  PAID: {final: true}',
		'  PAID: {final: true, transitions: [{to: ASK}]}',
		'47:23 PAID is final: nothing comes after it.',
	],
	[
		'a field named as one of Hearth’s own',
		'{paid_on: payload.date}',
		'{today: payload.date}',
		'45:12 “today”: This name is Hearth’s own. Choose another.',
	],
	['a tab', '    wait: 2 days', '\twait: 2 days', '41:1 A tab can’t indent YAML. Use spaces.'],
	['an alias', '  DROPPED: {final: true}', '  DROPPED: *x', '48:12 Aliases (*name) are not used in workflow files.'],
	['an anchor', '  DROPPED: {final: true}', '  DROPPED: &x {final: true}', '48:15 Anchors (&name) are not used in workflow files.'],
	[
		'a tag',
		'  DROPPED: {final: true}',
		'  DROPPED: !!js/function {final: true}',
		'48:26 Tags (tag:yaml.org,2002:js/function) are not used in workflow files.',
	],
	['a value that is not closed', "'{{verdict}}'}", "'{{verdict}}", "49:1 Missing closing 'quote"],
	[
		'a date that is none',
		'wait: 2 days',
		'wait: {until: soon}',
		'41:19 “soon” is no date. Write 2026-12-24, 2026-12-24T09:00, or {{a_field}} of the data.',
	],
	[
		'two ways to say how long',
		'wait: 2 days',
		'wait: {for: 2 days, until: 2026-12-24}',
		'41:5 Say either how long (`for`) or until when (`until`).',
	],
	['a number that is too small', 'times: 2', 'times: 0', '39:22 `times` has at least 1.'],
	['a list that is none', '[{to: HEARD}]', 'HEARD', '42:18 Transitions are a list: one `- to: STATE` a line.'],
];

test.each(CASES)('%s is told with its line and column', (_what, from, to, problem) => {
	expect(GOOD).toContain(from);
	const problems = problemsOf(GOOD.replace(from, to));
	expect(
		problems.some((told) => told === problem),
		problems.join('\n'),
	).toBe(true);
});

test('one slip does not hide the others', () => {
	const text = GOOD.replace('start: ASK', 'start: ASC')
		.replace('wait: 2 days', 'wiat: 2 days')
		.replace('udner', 'under')
		.replace('[read_file]', '[x_file]');
	expect(problemsOf(text).map((problem) => problem.split(' ')[0])).toEqual(expect.arrayContaining(['5:8', '41:5', '24:15']));
});

test('what is no workflow at all is told, and nothing of it is run', () => {
	expect(problemsOf('')).toEqual(['1:1 A workflow file has `title`, `start` and `states`. See docs/workflows.md.']);
	expect(problemsOf('- a\n- b')).toHaveLength(1);
	expect(problemsOf('---js\nprocess.exit(1)\n---\n').length).toBeGreaterThan(0);
	expect(problemsOf('title: x\nstart: A\nstates: []').length).toBeGreaterThan(0);
	expect(problemsOf('title: x\nstart: A\nstates:\n  __proto__: {final: true}').length).toBeGreaterThan(0);
});

test('a file that would take minutes to read, as the time for it grows with its square, is refused', () => {
	const many = (of: (number: number) => string) => Array.from({ length: 60_000 }, (_, number) => of(number));
	const around = (state: string) =>
		`title: Large\nstart: ASK\nstates:\n  ASK: {${state}, transitions: [{to: END}]}\n  END: {final: true}\n`;
	const tooMany = ['1:1 There are more than 10000 names and values in it: split it into several workflows.'];
	expect(problemsOf(many((number) => `k${number}: 1`).join('\n'))).toEqual(tooMany);
	expect(problemsOf(around(`event: go, save: {${many((number) => `K${number}: x`).join(', ')}}`))).toEqual(tooMany);
	expect(problemsOf(many(() => 'title: Twice').join('\n'))).toHaveLength(50);
	expect(problemsOf(around(`wait: '${'1'.repeat(900_000)}'`))).toEqual([expect.stringContaining('is not a duration')]);
	expect(problemsOf(around(`agent: {prompt: '${'{{nothing}} '.repeat(70_000)}'}`))).toEqual(['4:25 Nothing puts “nothing” into the data.']);
	expect(problemsOf(around('wait: {until: 2026-02-31}'))).toEqual([expect.stringContaining('“2026-02-31” is no date')]);
});

test('a bomb of aliases, a text of more than 1 MB and one that is nested a thousand deep are refused at once', () => {
	const bomb = [
		'a: &a [x, x, x, x, x, x, x, x, x]',
		...'bcdefghi'.split('').map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]`),
	].join('\n');
	expect(problemsOf(bomb)[0]).toContain('are not used in workflow files');
	expect(problemsOf(`title: ${'x'.repeat(1_000_001)}`)).toEqual(['1:1 The file is larger than 1 MB.']);
	for (const deep of [
		'['.repeat(100_000),
		'{a: '.repeat(100_000),
		`${'- '.repeat(100_000)}x`,
		Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
	])
		expect(problemsOf(deep)[0]).toMatch(/^\d+:\d+ Nested deeper than 50 levels\.$/);
});
