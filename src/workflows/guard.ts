import { z } from 'zod';
import { didYouMean } from '../base/did-you-mean.ts';
import type { Json } from '../domain/json.ts';

/** Guards are data, not code: conditions on the instance's data, all of which must hold. Pure. */

type Scalar = string | number | boolean;
export type Condition =
	| { readonly field: string; readonly operator: 'is' | 'not'; readonly operand: Scalar }
	| { readonly field: string; readonly operator: 'over' | 'under'; readonly operand: number | string }
	| { readonly field: string; readonly operator: 'one_of'; readonly operand: readonly Scalar[] }
	| { readonly field: string; readonly operator: 'set'; readonly operand: boolean };
export type Guard = readonly Condition[];

const Scalar = z.union([z.string(), z.number(), z.boolean()]);
const OPERANDS = {
	is: { schema: Scalar, takes: 'a text, a number, true or false' },
	not: { schema: Scalar, takes: 'a text, a number, true or false' },
	over: { schema: z.union([z.number(), z.iso.date(), z.iso.datetime({ offset: true })]), takes: 'a number or a date' },
	under: { schema: z.union([z.number(), z.iso.date(), z.iso.datetime({ offset: true })]), takes: 'a number or a date' },
	one_of: { schema: z.array(Scalar).min(1), takes: 'a list of texts or numbers' },
	set: { schema: z.boolean(), takes: 'true or false' },
} as const;
const OPERATORS = Object.keys(OPERANDS) as (keyof typeof OPERANDS)[];

type Path = readonly (string | number)[];
interface Found {
	readonly guard: Condition[];
	readonly problems: { readonly path: Path; readonly message: string; readonly onKey?: boolean }[];
}

/** `when:` of a file: `{amount: {over: 500}, country: DE}`, or a list of such. Problems carry the path below `when`. */
export function readGuard(value: unknown): Found {
	const found: Found = { guard: [], problems: [] };
	if (Array.isArray(value)) for (const [at, each] of value.entries()) readConditions(each, [at], found);
	else readConditions(value, [], found);
	if (found.guard.length === 0 && found.problems.length === 0)
		found.problems.push({ path: [], message: '`when` has no condition. Leave it out, or write one such as {amount: {over: 500}}.' });
	return found;
}

function readConditions(value: unknown, path: Path, { guard, problems }: Found): void {
	if (!isMap(value)) {
		problems.push({ path, message: 'A guard names a field and what must hold of it, such as {amount: {over: 500}}.' });
		return;
	}
	for (const [field, condition] of Object.entries(value)) {
		const scalar = Scalar.safeParse(condition);
		if (scalar.success) {
			guard.push({ field, operator: 'is', operand: scalar.data });
			continue;
		}
		if (!isMap(condition) || Object.keys(condition).length === 0) {
			problems.push({ path: [...path, field], message: `What must hold of ${field}? Use one of: ${OPERATORS.join(', ')}.` });
			continue;
		}
		for (const [operator, operand] of Object.entries(condition)) {
			const at = [...path, field, operator];
			if (!isOperator(operator)) {
				const message = `There is no guard operator “${operator}”.${didYouMean(operator, OPERATORS)} They are: ${OPERATORS.join(', ')}.`;
				problems.push({ path: at, message, onKey: true });
				continue;
			}
			const checked = OPERANDS[operator].schema.safeParse(operand);
			if (checked.success) guard.push({ field, operator, operand: checked.data } as Condition);
			else problems.push({ path: at, message: `\`${operator}\` takes ${OPERANDS[operator].takes}.` });
		}
	}
}

/** Whether all of it holds. What compares with something that is not there, or is of another kind, does not hold. */
export function holds(guard: Guard, read: (field: string) => Json | undefined): boolean {
	return guard.every((condition) => conditionHolds(condition, read(condition.field)));
}

function conditionHolds(condition: Condition, value: Json | undefined): boolean {
	const isSet = value !== undefined && value !== null && value !== '';
	switch (condition.operator) {
		case 'set':
			return isSet === condition.operand;
		case 'is':
			return same(value, condition.operand);
		case 'not':
			return !same(value, condition.operand);
		case 'one_of':
			return condition.operand.some((each) => same(value, each));
		case 'over':
		case 'under': {
			const difference = compare(value, condition.operand);
			return difference !== undefined && (condition.operator === 'over' ? difference > 0 : difference < 0);
		}
	}
}

/** Values come from models and tools too, so that the number 5 and the text `5` are the same here. */
function same(value: Json | undefined, operand: Scalar): boolean {
	if (value === undefined || value === null || typeof value === 'object') return false;
	return typeof value === typeof operand ? value === operand : String(value).trim() === String(operand);
}

function compare(value: Json | undefined, operand: number | string): number | undefined {
	const [left, right] = typeof operand === 'number' ? [numberOf(value), operand] : [dateOf(value), dateOf(operand)];
	return left === undefined || right === undefined ? undefined : left - right;
}

function numberOf(value: Json | undefined): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const number = Number(value);
	return Number.isFinite(number) ? number : undefined;
}

function dateOf(value: Json | undefined): number | undefined {
	if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
	const time = Date.parse(value);
	return Number.isNaN(time) ? undefined : time;
}

const WORDS = { is: 'is', not: 'is not', over: 'is over', under: 'is under', one_of: 'is one of', set: '' } as const;

/** `amount is over 500 and country is DE`. */
export function guardInWords(guard: Guard): string {
	return guard
		.map(({ field, operator, operand }) => {
			if (operator === 'set') return operand ? `${field} is set` : `${field} is not set`;
			return `${field} ${WORDS[operator]} ${Array.isArray(operand) ? operand.join(', ') : String(operand)}`;
		})
		.join(' and ');
}

function isOperator(word: string): word is keyof typeof OPERANDS {
	return Object.hasOwn(OPERANDS, word);
}

function isMap(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
