import { isMap } from 'yaml';
import { z } from 'zod';
import { wordsOfIssue } from '../base/yaml/issue-words.ts';
import type { Path } from '../base/yaml/locator.ts';
import { inOrder, readAs, readPlainYaml } from '../base/yaml/read.ts';
import type { TextProblem } from '../domain/text-problem.ts';
import { FLOOR_PREFIX } from './floor.ts';
import { PolicyRule } from './policy-rule.ts';
import { SHIPPED_POLICY } from './shipped-policy.ts';

/** The owner's `policy.yaml` as text → rules, or every problem with its line. Pure. Its rules come before the shipped ones, which always follow. */

const MOST_BYTES = 100_000;

const PolicyFile = z.strictObject({ rules: z.array(z.unknown()).max(200).nullish() });

export interface ReadPolicy {
	/** What holds: the file's rules and the shipped ones; with any problem, the shipped ones alone. */
	readonly rules: readonly PolicyRule[];
	/** How many of them are the file's: the first ones. */
	readonly own: number;
	readonly problems: readonly TextProblem[];
}

/** An empty text says nothing. */
export function readPolicy(text: string): ReadPolicy {
	const refuse = (problems: readonly TextProblem[]): ReadPolicy => ({ rules: SHIPPED_POLICY, own: 0, problems });
	const read = readPlainYaml(text, { file: 'policy file', large: 'keep the rules that you need', mostBytes: MOST_BYTES });
	if (!read.ok) return refuse(read.problems);
	const { document, locator } = read;
	const value: unknown = document.toJS();
	if (value === null || value === undefined) return { rules: SHIPPED_POLICY, own: 0, problems: [] };
	if (!isMap(document.contents)) return refuse([{ line: 1, column: 1, message: 'A policy file has a list of `rules`.' }]);
	const problems: TextProblem[] = [];
	const tell = (issues: readonly z.core.$ZodIssue[], below: Path, of: unknown): void => {
		for (const issue of issues)
			for (const { path, message, onKey } of wordsOfIssue(issue, below, of, keysAt)) problems.push(locator.problem(path, message, onKey));
	};
	const file = readAs(PolicyFile, value, (issues) => tell(issues, [], value));
	const given = file?.rules ?? [];
	const own = given.flatMap((rule, at) => readAs(PolicyRule, rule, (issues) => tell(issues, ['rules', at], rule)) ?? []);
	const ids = new Set(SHIPPED_POLICY.map(({ id }) => id));
	for (const [at, rule] of given.entries()) {
		const id = (rule as { id?: unknown } | null)?.id;
		if (typeof id !== 'string') continue;
		if (ids.has(id) || id.startsWith(FLOOR_PREFIX))
			problems.push(locator.problem(['rules', at, 'id'], `“${id}” is taken. Give each rule a name of its own.`));
		ids.add(id);
	}
	if (problems.length > 0 || !file) return refuse(inOrder(problems));
	return { rules: [...own, ...SHIPPED_POLICY], own: own.length, problems: [] };
}

function keysAt(path: Path): readonly string[] {
	return path.length === 0 ? ['rules'] : Object.keys(PolicyRule.shape);
}
