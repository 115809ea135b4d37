import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { parseMended } from '../base/mend-json.ts';
import { terminal } from '../domain/errors.ts';
import type { FindingQuote, WatchedItem } from '../domain/heartbeat.ts';
import type { Inspection } from '../domain/inspection.ts';
import type { Inspector, Redactor } from '../firewall/ports.ts';
import { FindingDraft, MOST_DRAFTS } from '../model/triage/answer.ts';

/** What of an answer may be held at all. Nothing here trusts the model, or the items that it read. Pure. */

/** Why a finding is not held; told as numbers, and by name in the log. */
export type DropReason = 'malformed' | 'too_many' | 'wrong_item' | 'no_quote' | 'empty' | 'too_long' | 'secret' | 'hidden' | 'instruction';

export interface CheckedFinding {
	/** Its place in the answer, from 0: it stays the same when the answer is read again. */
	readonly index: number;
	readonly kind: FindingDraft['kind'];
	readonly text: string;
	readonly why: string;
	readonly urgency: FindingDraft['urgency'];
	readonly item: WatchedItem;
	/** Exactly what stands there, at least one. */
	readonly quotes: readonly FindingQuote[];
	/** Only of a task, and only where it lies ahead. */
	readonly dueAt: number | null;
}

export interface CheckDeps {
	readonly redactor: Pick<Redactor, 'hasMask' | 'redact'>;
	readonly inspector: Pick<Inspector, 'inspect'>;
	readonly now: number;
}

const LONGEST_TEXT = 1_000;
const LONGEST_ANSWER = 200_000;
/** A task for later is no task of these days. */
const FURTHEST_DUE_MS = 2 * 366 * 86_400_000;
/** What draws a text as something else than it is. */
const HIDING: ReadonlySet<string> = new Set(['hidden_text', 'bidi_control', 'homoglyph', 'encoded']);
/** What speaks to an agent rather than to the owner. */
const ORDERING: ReadonlySet<string> = new Set(['instruction', 'exfiltration']);

const Answer = z.object({ findings: z.array(z.unknown()) });

/** The findings of an answer, each still to be checked. Throws `findings_unreadable`; then it is no answer at all. */
export function draftsOf(answer: string): unknown[] {
	const text = answer.trim();
	if (text === '') throw unreadable('The model answered nothing.');
	if (text.length > LONGEST_ANSWER) throw unreadable('The model answered with far more than findings.');
	const parsed = Answer.safeParse(jsonWithin(text));
	if (!parsed.success) throw unreadable('The answer is not a JSON object with a list “findings”.');
	return parsed.data.findings;
}

/** Some models think aloud before the object, or put a fence around it; and a list alone is taken as the findings. */
function jsonWithin(text: string): unknown {
	const start = text.search(/[{[]/);
	if (start < 0) return undefined;
	const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
	const named = text.lastIndexOf('{', text.search(/["“']?findings["”']?\s*:/));
	for (const piece of new Set([text, text.slice(start, end + 1), ...(named >= 0 ? [text.slice(named, end + 1), text.slice(named)] : [])])) {
		const value = parseMended(piece)?.value;
		if (Array.isArray(value) && value.every((one) => typeof one === 'object')) return { findings: value };
		if (Answer.safeParse(value).success) return value;
	}
	return undefined;
}

function unreadable(message: string): Error {
	return terminal('findings_unreadable', message, { safe: 'Nothing of it was kept; the items wait.' });
}

export async function checkDrafts(
	drafts: readonly unknown[],
	items: readonly WatchedItem[],
	deps: CheckDeps,
): Promise<{ findings: CheckedFinding[]; dropped: DropReason[] }> {
	const findings: CheckedFinding[] = [];
	const dropped: DropReason[] = drafts.slice(MOST_DRAFTS).map(() => 'too_many');
	for (const [index, draft] of drafts.slice(0, MOST_DRAFTS).entries()) {
		// Each takes milliseconds: whoever waits for an answer gets it in between.
		await turn();
		const checked = checkDraft(draft, index, items, deps);
		if (typeof checked === 'string') dropped.push(checked);
		else findings.push(checked);
	}
	return { findings, dropped };
}

function checkDraft(given: unknown, index: number, items: readonly WatchedItem[], deps: CheckDeps): CheckedFinding | DropReason {
	const parsed = FindingDraft.safeParse(given);
	if (!parsed.success) return 'malformed';
	const { kind, urgency, quotes, dueAt, ...draft } = parsed.data;
	const item = items[draft.item - 1];
	if (!item) return 'wrong_item';
	const text = plainText(draft.text);
	const why = plainText(draft.why);
	if (text === '' || why === '' || !/[\p{L}\p{N}]/u.test(text)) return 'empty';
	if (text.length > LONGEST_TEXT) return 'too_long';
	const isSecret = (said: string): boolean => deps.redactor.hasMask(said) || deps.redactor.redact(said).found > 0;
	if (isSecret(text) || isSecret(why)) return 'secret';
	const problem = problemOf(deps.inspector.inspect(text)) ?? problemOf(deps.inspector.inspect(why));
	if (problem) return problem;
	const located = quotes.flatMap((quote) => locateQuote(item, quote) ?? []);
	if (located.length === 0) return 'no_quote';
	const harmless = located.filter(({ quote }) => !isSecret(quote));
	if (harmless.length === 0) return 'secret';
	return {
		index,
		kind,
		text,
		why,
		urgency,
		item,
		quotes: withoutRepeats(harmless),
		dueAt: kind === 'task' ? dueTime(dueAt, deps.now) : null,
	};
}

function problemOf({ risk, flags }: Inspection): DropReason | undefined {
	if (flags.some(({ kind }) => HIDING.has(kind))) return 'hidden';
	return risk === 'high' && flags.some(({ kind }) => ORDERING.has(kind)) ? 'instruction' : undefined;
}

/** One line without marks of Markdown at its beginning: as an entry it can't be a heading, a fence, or several entries. */
function plainText(text: string): string {
	return text
		.replace(/\s+/gu, ' ')
		.replace(/^(?:\s|[-*+•>#]+\s|\d{1,3}[.)]\s|[`~]{3,}|\[[ xX]\]\s)+/u, '')
		.trim();
}

const MARKS_AROUND = /^[“”„"'‘’«»]+|[“”„"'‘’«»]+$/gu;
const CUT_OFF = /^(?:…|\.{3})\s*|\s*(?:…|\.{3})$/gu;

/** The words as they stand in the item's text; white space may differ, and marks that a model puts around a quote. */
export function locateQuote(item: WatchedItem, quote: string): FindingQuote | undefined {
	const bare = quote.trim().replace(MARKS_AROUND, '').trim();
	for (const words of new Set([quote.trim(), bare, bare.replace(CUT_OFF, '').trim()])) {
		const found = spanOf(item.text, words);
		if (found) return { itemId: item.id, ...found, quote: item.text.slice(found.start, found.end) };
	}
	return undefined;
}

function spanOf(text: string, words: string): { start: number; end: number } | undefined {
	if (!/[\p{L}\p{N}]/u.test(words)) return undefined;
	const start = text.indexOf(words);
	if (start >= 0) return { start, end: start + words.length };
	const [within, wanted] = [flattened(text), flattened(words).flat];
	const at = within.flat.indexOf(wanted);
	return at < 0 ? undefined : { start: within.from(at), end: within.from(at + wanted.length - 1) + 1 };
}

/** With one space for each run of white space, and where a place in it lies in the text. */
function flattened(text: string): { flat: string; from: (index: number) => number } {
	const runs: { readonly at: number; readonly more: number }[] = [];
	let lost = 0;
	const flat = text.replace(/\s+/gu, (space, offset: number) => {
		runs.push({ at: offset - lost, more: space.length - 1 });
		lost += space.length - 1;
		return ' ';
	});
	return { flat, from: (index) => runs.reduce((sum, { at, more }) => (at < index ? sum + more : sum), index) };
}

function withoutRepeats(quotes: readonly FindingQuote[]): FindingQuote[] {
	return quotes.filter(({ start, end }, index) => quotes.findIndex((one) => one.start === start && one.end === end) === index);
}

function dueTime(dueAt: string | null | undefined, now: number): number | null {
	const time = dueAt == null ? Number.NaN : Date.parse(dueAt);
	return time > now && time <= now + FURTHEST_DUE_MS ? time : null;
}
