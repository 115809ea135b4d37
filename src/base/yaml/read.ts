import { type Document, isAlias, isMap, isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import type { z } from 'zod';
import type { TextProblem } from '../../domain/text-problem.ts';
import { Locator } from './locator.ts';

/** YAML that the owner writes, as plain data, or every problem with its line and column. Pure. */

const MOST_PROBLEMS = 50;
/** Keys, values, lists and maps together; the largest file that anybody follows has some hundreds. What is checked takes their square. */
const MOST_NODES = 10_000;
const SAME_NAME = 'This name is there twice. Names must differ.';
/** Deeper than any such file; YAML that is nested thousands deep exhausts the stack of whoever reads it. */
const MOST_DEPTH = 50;

export type PlainYaml =
	| { readonly ok: true; readonly document: Document.Parsed; readonly locator: Locator }
	| { readonly ok: false; readonly problems: readonly TextProblem[] };

/** `file`: what it is, in words: `workflow file`. `large`: what to do with one that has too much in it. */
export function readPlainYaml(text: string, { file, large, mostBytes }: { file: string; large: string; mostBytes: number }): PlainYaml {
	const refuse = (message: string, place = { line: 1, column: 1 }): PlainYaml => ({ ok: false, problems: [{ ...place, message }] });
	if (Buffer.byteLength(text) > mostBytes) return refuse(`The file is larger than ${mostBytes / 1_000_000} MB.`);
	const deep = tooDeep(text);
	if (deep) return refuse(`Nested deeper than ${MOST_DEPTH} levels.`, deep);
	const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, strict: true });
	const locator = new Locator(document, text);
	// One tab makes many errors behind it. Tags are told below, in other words.
	const errors = [...document.errors, ...document.warnings.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')];
	const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
	const syntax = (tabs.length > 0 ? tabs : errors).slice(0, MOST_PROBLEMS).map(({ pos, message, code }) => ({
		...locator.at(pos[0]),
		message: syntaxWords(code, message, file),
	}));
	const problems = [...syntax, ...notPlain(document, locator, file)];
	if (problems.length > 0) return { ok: false, problems: inOrder(problems) };
	if (isLarge(document)) return refuse(`There are more than ${MOST_NODES} names and values in it: ${large}.`);
	return { ok: true, document, locator };
}

export function inOrder(problems: readonly TextProblem[]): TextProblem[] {
	const seen = new Set<string>();
	return [...problems]
		.sort((left, right) => left.line - right.line || left.column - right.column)
		.filter(({ line, column, message }) => {
			const key = `${line}:${column}:${message}`;
			return !seen.has(key) && seen.add(key) !== undefined;
		})
		.slice(0, MOST_PROBLEMS);
}

/** The value as its shape has it. A key too many is told, and then left out, so that it does not hide what else is wrong. */
export function readAs<Shape extends z.ZodType>(
	shape: Shape,
	value: unknown,
	tell: (issues: readonly z.core.$ZodIssue[]) => void,
): z.infer<Shape> | undefined {
	const first = shape.safeParse(value);
	if (first.success) return first.data;
	tell(first.error.issues);
	const extra = first.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
	if (extra.length < first.error.issues.length) return undefined;
	const copy = structuredClone(value);
	for (const { path, keys } of extra) {
		const holder = path.reduce<unknown>((held, key) => (held as Record<PropertyKey, unknown> | undefined)?.[key], copy);
		for (const key of keys) if (typeof holder === 'object' && holder !== null) delete (holder as Record<string, unknown>)[key];
	}
	return shape.safeParse(copy).data;
}

function isLarge(document: Document.Parsed): boolean {
	let nodes = 0;
	visit(document, () => {
		nodes += 1;
		return nodes > MOST_NODES ? visit.BREAK : undefined;
	});
	return nodes > MOST_NODES;
}

/** Aliases make a small text large, and tags make other things of it: neither has a use here. */
function notPlain(document: Document.Parsed, locator: Locator, file: string): TextProblem[] {
	const problems: TextProblem[] = [];
	visit(document, {
		Node: (_key, node) => {
			if (isAlias(node)) problems.push({ ...locator.at(node.range?.[0] ?? 0), message: `Aliases (*name) are not used in ${file}s.` });
			else if (node.anchor !== undefined)
				problems.push({ ...locator.at(node.range?.[0] ?? 0), message: `Anchors (&name) are not used in ${file}s.` });
			else if (node.tag?.startsWith('!') || (node.tag && !/^tag:yaml\.org,2002:(str|int|float|bool|null|seq|map)$/.test(node.tag)))
				problems.push({ ...locator.at(node.range?.[0] ?? 0), message: `Tags (${node.tag}) are not used in ${file}s.` });
			if (isMap(node)) problems.push(...ofKeys(node, locator));
			return problems.length >= MOST_PROBLEMS ? visit.BREAK : undefined;
		},
	});
	return problems;
}

/** The library compares each key of a map with each other one, which takes minutes for a large one. */
function ofKeys(map: YAMLMap, locator: Locator): TextProblem[] {
	const problems: TextProblem[] = [];
	const names = new Set<string>();
	for (const { key } of map.items) {
		if (!isScalar(key)) problems.push({ ...locator.at(0), message: 'A key must be a plain word.' });
		else if (names.has(String(key.value))) problems.push({ ...locator.at(key.range?.[0] ?? 0), message: SAME_NAME });
		else names.add(String(key.value));
		if (problems.length >= MOST_PROBLEMS) break;
	}
	return problems;
}

function syntaxWords(code: string, message: string, file: string): string {
	switch (code) {
		case 'TAB_AS_INDENT':
			return 'A tab can’t indent YAML. Use spaces.';
		case 'MULTIPLE_DOCS':
			return `A ${file} holds one document: remove the line ---.`;
		default:
			return message.split('\n', 1)[0] ?? message;
	}
}

/** Where brackets or indentation go deeper than any reader should follow. */
function tooDeep(text: string): { line: number; column: number } | undefined {
	let brackets = 0;
	for (const [at, line] of text.split('\n').entries()) {
		const indent = /^[ ]*(?:- )*/.exec(line)?.[0].length ?? 0;
		if (indent > MOST_DEPTH * 8 || (line.match(/- /g)?.length ?? 0) > MOST_DEPTH * 8) return { line: at + 1, column: 1 };
		for (const character of line) {
			if (character === '[' || character === '{') brackets += 1;
			else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
			if (brackets > MOST_DEPTH) return { line: at + 1, column: 1 };
		}
	}
	return undefined;
}
