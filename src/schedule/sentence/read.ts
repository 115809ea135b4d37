import { HearthError } from '../../domain/errors.ts';
import type { Timestamp } from '../../domain/ids.ts';
import { TaskDraft, type TaskWhen, type TaskWork } from '../../domain/task.ts';
import { checkSchedule } from '../check.ts';
import { type Cluster, clustersOf, isOwned } from './clusters.ts';
import { wallAt } from './days.ts';
import { leftOver, turnedBy } from './left-over.ts';
import { isStatement, noTask } from './no-task.ts';
import type { Edit, Outcome } from './outcome.ts';
import { asks, asksOf, impossible, notUnderstood, unclear } from './outcome.ts';
import type { Span } from './parts.ts';
import { scan } from './scan.ts';
import { type KnownSource, readTrigger, type TriggerRead } from './triggers.ts';
import { whenOf } from './when.ts';
import { type ResultRead, readResult, workOf } from './work.ts';

/** A sentence of the owner's as a task, without a model. What may mean two things is asked, never guessed. Pure. */

export interface ReadOptions {
	readonly now: Timestamp;
	/** The owner's. */
	readonly zone: string;
	/** That a sentence may name. */
	readonly sources?: readonly KnownSource[];
}

export type Reading =
	| { readonly kind: 'draft'; readonly draft: TaskDraft }
	/** Each sentence reads to a draft. */
	| { readonly kind: 'asks'; readonly question: string; readonly choices: readonly Choice[] }
	/** `sure`: no card can come of it; else somebody who knows more English may make one. */
	| { readonly kind: 'unclear'; readonly message: string; readonly action?: string | undefined; readonly sure: boolean };

export interface Choice {
	readonly text: string;
	readonly sentence: string;
}

export const LONGEST_SENTENCE = 2_000;
const MOST_CHOICES = 12;
const MOST_QUESTIONS = 3;

export function readSentence(sentence: string, options: ReadOptions): Reading {
	const text = sentence.replaceAll('\u00A0', ' ').trim();
	if (text === '') return { kind: 'unclear', message: 'It is empty.', sure: true };
	if (text.length > LONGEST_SENTENCE) return { kind: 'unclear', message: `It is longer than ${LONGEST_SENTENCE} characters.`, sure: true };
	return readWith(text, options, MOST_QUESTIONS);
}

function readWith(text: string, options: ReadOptions, questions: number): Reading {
	const read = readOnce(text, options);
	if (read.kind !== 'asks') return read;
	const choices: Choice[] = [];
	const further: string[] = [];
	let lacks: Extract<Reading, { kind: 'unclear' }> | undefined;
	for (const { text: shown, edits } of read.choices) {
		const sentence = edited(text, edits);
		const then: Reading = questions > 0 ? readWith(sentence, options, questions - 1) : { kind: 'unclear', message: '', sure: false };
		if (then.kind === 'draft') choices.push({ text: shown, sentence });
		else if (then.kind === 'asks') {
			further.push(then.question);
			choices.push(...then.choices.map((each) => ({ text: `${shown}; ${each.text}`, sentence: each.sentence })));
		} else if (then.sure) lacks ??= then;
	}
	// Whatever the answer, something else is wrong with it: that is what to say.
	if (choices.length === 0 && lacks) return { ...lacks, message: `${lacks.message} And: ${read.question}`, sure: false };
	if (choices.length === 0) return { kind: 'unclear', message: read.question, action: 'Say it in other words.', sure: false };
	const question = [...new Set([read.question, ...further])].join(' ');
	return { kind: 'asks', question, choices: choices.slice(0, MOST_CHOICES) };
}

function edited(text: string, edits: readonly Edit[]): string {
	let result = text;
	for (const { start, end, text: put } of [...edits].sort((a, b) => b.start - a.start)) {
		const before = result.slice(0, start);
		const after = put === '' && /(?:^|\s)$/.test(before) ? result.slice(end).trimStart() : result.slice(end);
		const space = put !== '' && /[\p{L}\p{N}]$/u.test(put) && /^[\p{L}\p{N}]/u.test(after) ? ' ' : '';
		result = `${before}${put}${space}${after}`;
	}
	return result.trim();
}

type Once = Exclude<Outcome, { kind: 'schedule' }> | Extract<Reading, { kind: 'draft' }>;

function readOnce(text: string, options: ReadOptions): Once {
	const { now, zone, sources = [] } = options;
	const none = noTask(text);
	if (none) return impossible(none.message, none.action);
	const unquoted = masked(text, /["“][^"“”]*["”]/gu);
	const trigger = readTrigger(text, sources);
	const result = readResult(unquoted);
	const ignored: Span[] = [trigger, result].filter((span) => span !== undefined);
	const bare = masked(unquoted, /(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+|(?<![\p{L}\p{N}])(?:~|\.{0,2})\/[^\s,;]+/giu, ignored);
	const parts = scan(bare, wallAt(now, zone));
	const clusters = clustersOf(bare, parts, ignored);
	if (trigger) return triggered(text, trigger, result, clusters);
	return scheduled(text, bare, clusters, result, options);
}

function triggered(text: string, trigger: TriggerRead, result: ResultRead | undefined, clusters: readonly Cluster[]): Once {
	const { said } = trigger;
	if (said.kind === 'never') return impossible(said.message, said.action);
	if (said.kind === 'doubt') return asksOf(said.doubt, trigger);
	if (said.kind !== 'trigger') return notUnderstood();
	if (clusters.some(({ place }) => place !== 'inner'))
		return unclear('It names something to wait for, and a time beside it.', 'Say one of them, or put what is to be done in quotes.');
	const before = text.slice(0, trigger.start).trim();
	const rest = without(text, [trigger, ...(result ? [result] : [])]);
	if (before !== '' && !/[\s.,;:!?]*$/.test(text.slice(trigger.end))) return notUnderstood();
	return drafted(text, rest, { kind: 'trigger', trigger: said.trigger, quietSeconds: 5 }, result, trigger.clause);
}

function scheduled(
	text: string,
	bare: string,
	clusters: readonly Cluster[],
	result: ResultRead | undefined,
	{ now, zone }: ReadOptions,
): Once {
	const edges = clusters.filter(({ place }) => place !== 'inner');
	const turned = clusters.length > 0 ? turnedBy(bare) : undefined;
	if (turned !== undefined)
		return unclear(`I can’t tell what “${turned}” does to the time.`, 'Say the time itself, or put what is to be done in quotes.');
	if (edges.length === 0) return withinWork(text, bare, clusters);
	const parts = edges.flatMap((cluster) => cluster.parts);
	const spans = [...edges, ...(result ? [result] : [])];
	const beside = leftOver(bare, edges, result);
	if (beside !== undefined)
		return unclear(`I can’t tell what “${beside}” means beside the time.`, 'Say it in other words, or put what is to be done in quotes.');
	const split = splitWhen(text, bare, clusters, edges);
	if (split) return split;
	const main = edges.find((cluster) => cluster.parts.some(({ kind }) => kind !== 'zone')) ?? edges[0];
	const outcome = whenOf(parts, { text: bare, now, zone, end: main?.end ?? 0 });
	if (outcome.kind !== 'schedule') return outcome;
	try {
		checkSchedule(outcome.schedule, { now, zone });
	} catch (error) {
		if (error instanceof HearthError) return impossible(error.message, error.shape.action);
		throw error;
	}
	return drafted(text, without(text, spans), { kind: 'schedule', schedule: outcome.schedule }, result, undefined);
}

const DAYS: readonly string[] = ['day', 'weekdays', 'in', 'month_days', 'nth', 'every', 'per', 'both', 'either'];

/** Times at both ends of what is to be done, or within it: whether they are a part of it. */
function splitWhen(text: string, bare: string, clusters: readonly Cluster[], edges: readonly Cluster[]): Once | undefined {
	const has = (cluster: Cluster, kinds: readonly string[]): boolean => cluster.parts.some(({ kind }) => kinds.includes(kind));
	const starts = edges.filter(({ place }) => place === 'start');
	const ends = edges.filter(({ place }) => place === 'end');
	const reminds = /(?<![\p{L}])(?:remind|reminder|tell me (?:to|that)|notify|ping|nudge)(?![\p{L}])/iu.test(bare);
	const [end] = ends;
	const main = starts.length > 0 ? starts : ends;
	if (starts.length > 0 && end) {
		const isDayThere = starts.some((each) => has(each, DAYS));
		const isTimeThere = starts.some(
			(each) =>
				has(each, ['times', 'window']) ||
				each.parts.some((part) => part.kind === 'every' && (part.unit === 'minute' || part.unit === 'hour')),
		);
		const onlyAdds = !has(end, DAYS) || !isDayThere;
		const isMissing = (has(end, ['times', 'window']) && !isTimeThere) || (has(end, DAYS) && !isDayThere);
		const onlyZone = end.parts.every(({ kind }) => kind === 'zone');
		if (!(onlyZone || (!reminds && onlyAdds && isMissing && !(has(end, ['times', 'window']) && isTimeThere))))
			return whetherPart(text, starts, end, isMissing || has(end, ['except']));
	}
	const own = main[0] && timeOfWork(bare, main, ends);
	if (own) return whetherPart(text, own.mains, own.time, true);
	const inner = clusters.find(
		(cluster) =>
			cluster.place === 'inner' &&
			!isOwned(bare, cluster) &&
			has(cluster, ['times', 'every', 'weekdays', 'month_days', 'nth', 'day', 'doubt', 'in']),
	);
	return inner && main.length > 0 ? whetherPart(text, main, inner, false) : undefined;
}

/** “The trains that leave at 9”, “the meeting at 9”. */
const HAS_TIMES =
	/(?<![\p{L}])(?:(?:(?:that|which|who|whether|if|where|when|what)\s[^.;:!?]*)?(?:leav|depart|arriv|start|begin|open|clos|end|land|board|air|happen|scheduled|due|tak(?:e|es|ing)\s+place)\p{L}*|(?:trains?|bus(?:es)?|flights?|ferr(?:y|ies)|meetings?|appointments?|lessons?|concerts?|departures?|arrivals?|reservations?|bookings?))\s*$/iu;

/** A time of day that ends the sentence, right behind what may have it. */
function timeOfWork(
	bare: string,
	mains: readonly Cluster[],
	[end]: readonly Cluster[],
): { mains: readonly Span[]; time: Span } | undefined {
	const first = end?.parts[0];
	if (!end || first?.kind !== 'times' || !HAS_TIMES.test(bare.slice(0, end.start))) return undefined;
	if (mains[0] !== end) return { mains, time: end };
	if (isStatement(bare.slice(0, end.start), true)) return undefined;
	const others = end.parts.slice(1);
	const [next, last] = [others[0], others.at(-1)];
	return next && last && others.some(({ kind }) => DAYS.includes(kind))
		? { mains: [{ start: next.start, end: last.end }], time: first }
		: undefined;
}

/** A time in the midst of what is to be done may be meant for it. */
function withinWork(text: string, bare: string, clusters: readonly Cluster[]): Once {
	const [only, other] = clusters.filter((cluster) => !isOwned(bare, cluster));
	const isWhole =
		only?.parts.some(({ kind }) => kind === 'times' || kind === 'in' || kind === 'every') &&
		only.parts.some(({ kind }) => DAYS.includes(kind));
	if (!only || other || !isWhole) return notUnderstood();
	const when = text.slice(only.start, only.end);
	const rest = without(text, [only]).replace(/\s+/g, ' ').trim();
	return asks(`Is “${when}” when it is to be done?`, [[`Yes: “${rest}”`, { start: 0, end: text.length, text: `${when}, ${rest}` }]]);
}

/** `can`: it may also belong to the time. */
function whetherPart(text: string, mains: readonly Span[], other: Span, can: boolean): Once {
	const words = text.slice(other.start, other.end);
	const main = mains.map(({ start, end }) => text.slice(start, end)).join(' ');
	const rest = without(text, mains).replace(/^[\s,.:;]+|[\s,.:;]+$/g, '');
	if (rest.includes('"')) return notUnderstood();
	const reminder = /^(?:please\s+)?(?:remind\s+(?:me|us)|tell\s+me(?=\s+(?:to|that)\s))\s*,?\s*(?<tail>to|that|of|about)?\s*/iu.exec(rest);
	const quoted = reminder ? `${main} remind me ${reminder.groups?.tail ?? 'of'} "${rest.slice(reminder[0].length)}"` : `${main} "${rest}"`;
	const all = { start: 0, end: text.length };
	const moved = `${main} ${words} ${without(rest, [{ start: rest.indexOf(words), end: rest.indexOf(words) + words.length }])}`;
	return asks(`Is “${words}” a part of what is to be done?`, [
		[`Yes: “${rest}”`, { ...all, text: quoted }],
		...(can && rest.includes(words) ? [[`No, it says when`, { ...all, text: moved }] as const] : []),
	]);
}

function drafted(text: string, rest: string, when: TaskWhen, result: ResultRead | undefined, clause: string | undefined): Once {
	const read = workOf(rest, result?.result, clause);
	if (read.kind === 'none')
		return read.reminds
			? impossible('It does not say what to remind you of.', 'Say it as in “… remind me to water the plants”.')
			: impossible('It does not say what is to be done.', 'Say it as in “every weekday at 9:00 summarise my unread mail”.');
	const first = text.slice(0, 20).toLowerCase().startsWith(rest.trim().slice(0, 20).toLowerCase());
	if (read.work.kind === 'prompt' && isStatement(read.work.text, first))
		return unclear('It says something, and nothing that is to be done.', 'Say what I am to do, as in “every day at 9:00 check …”.');
	// A reminder is a notification already.
	const isSame = read.work.kind === 'reminder' && result?.result.kind === 'notification';
	if (result && read.work.kind !== 'prompt' && !isSame)
		return unclear('Only what a model writes can go into a file, the inbox or a notification.');
	const draft = TaskDraft.safeParse({ title: read.title, when, work: read.work satisfies TaskWork, sentence: text });
	if (draft.success) return { kind: 'draft', draft: draft.data };
	return impossible(draft.error.issues[0]?.message ?? 'It is too long.');
}

/** The same length, so that places in it are places in the text. */
function masked(text: string, pattern: RegExp, also: readonly Span[] = []): string {
	let result = text.replace(pattern, (found) => '\uE000'.repeat(found.length));
	for (const { start, end } of also) result = `${result.slice(0, start)}${'\uE000'.repeat(end - start)}${result.slice(end)}`;
	return result;
}

function without(text: string, spans: readonly Span[]): string {
	let result = text;
	for (const { start, end } of [...spans].sort((a, b) => b.start - a.start)) result = `${result.slice(0, start)} ${result.slice(end)}`;
	return result;
}
