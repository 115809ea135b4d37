import { type Trigger, TriggerName } from '../../domain/task.ts';
import type { Said } from './parts.ts';

/** What a task can wait for other than a time, as people say it: `when a PDF lands in ~/Scans`. */

export interface KnownSource {
	readonly id: string;
	readonly title: string;
}

export interface TriggerRead {
	readonly said: Said;
	readonly start: number;
	readonly end: number;
	/** What it says, without its `when`. */
	readonly clause: string;
}

const WHEN = /(?<![\p{L}\p{N}])(?:and\s+)?(?:when(?:ever)?|each\s+time|every\s+time|any\s?time|as\s+soon\s+as|once|if)\s+/giu;
const AT_START =
	/(?<![\p{L}\p{N}])(?:at|on|upon)\s+(?:(?:every|each|the)\s+)?(?:start(?:[\s-]?up)?\s+of\s+Hearth|Hearth['’]s\s+start(?:[\s-]?up)?|start[\s-]?up)(?![\p{L}])/iu;
const ON_SIGNAL = /(?<![\p{L}\p{N}])(?:on|upon)\s+(?:the\s+)?(?:signal|trigger)\s+["“`']?(?<name>[\w.-]*\w)["”`']?/iu;
/** Words that end a clause. */
const END = String.raw`(?=\s*(?:[,;:]|[.!]?\s*$|\s+(?:then|please|remind|notify|tell|file|sort|run|start|read|write|summari[sz]e|show|move|list|check|send|make|look|ask|give|put|translate|describe)(?!\p{L})))`;

/** Of clauses whose last word is sure: what follows is to be done, unless it says more of them. */
const SURE_END = String.raw`(?![\p{L}\p{N}])(?!\s+(?:from|in|on|at|by|with|that|which|and|or|for|after|before|until|of|unless|if|when|while|to|between|during|again|twice|but)(?!\p{L}))`;

const KINDS: readonly [string, string | undefined][] = [
	['pdfs?(?:\\s+files?)?', '*.pdf'],
	['(?:images?|photos?|pictures?|screenshots?)(?:\\s+files?)?', '*.{jpg,jpeg,png,gif,webp,heic}'],
	['(?:csv|xlsx?|docx?|txt|md|json|xml|zip|epub|eml|ics|mp3|mp4|wav)(?:\\s+files?)?', undefined],
	['\\.?(?:[a-z][a-z0-9]{1,4})\\s+files?', undefined],
	['\\*\\.[a-z0-9]{1,6}(?:\\s+files?)?', undefined],
	['(?:files?|documents?|something|anything)', ''],
];
const KIND = KINDS.map(([pattern]) => pattern).join('|');
const FOLDERS = 'downloads|desktop|documents|pictures|music|videos';
const PLACE = String.raw`(?:the\s+(?:folder|directory)\s+|folder\s+)?(?:["“](?<quoted>[^"”]+)["”]|(?<path>(?:~\/|\/|[A-Za-z]:\\)[^\s,;]*[^\s,;.:!?](?=[\s,;.:!?]|$)|~(?![\w/]))|(?:my\s+|the\s+)?(?<folder>${FOLDERS})(?:\s+folder)?)(?:\s+folder)?`;
const COMES =
	'(?:lands?|appears?|arrives?|shows?\\s+up|turns?\\s+up|comes?(?:\\s+in)?|gets?\\s+(?:added|saved|dropped|put|copied)|(?:is|are)\\s+(?:added|saved|dropped|put|copied|moved|created|uploaded|placed|stored|downloaded|there)|changes?|(?:is|are)\\s+(?:changed|modified|edited)|has\\s+(?:arrived|landed|appeared|been\\s+(?:added|saved|dropped|put)))';
const MACHINE = '(?:the|my|this)\\s+(?:machine|computer|laptop|mac|macbook|pc|notebook)';

const CLAUSES: readonly [
	RegExp,
	(groups: Readonly<Record<string, string | undefined>>, sources: readonly KnownSource[]) => Said | undefined,
][] = [
	[
		clause(
			`(?:there(?:['’]s|\\s+is|\\s+are)\\s+)?(?:an?|any|some|another|the|new)?\\s*(?:new\\s+|more\\s+)?(?<kind>${KIND})\\s+(?:${COMES}\\s+)?(?:in(?:to|side)?|to|on|at)\\s+${PLACE}`,
		),
		(groups) => files(groups, namesOf(groups.kind ?? '')),
	],
	[
		clause(`${PLACE}\\s+(?:changes|is\\s+(?:changed|modified|edited|saved|written)|gets?\\s+(?:a\\s+new\\s+file|new\\s+files|changed))`),
		(groups) => files(groups, undefined),
	],
	[clause(`(?:something|anything)\\s+(?:new\\s+)?(?:changes|happens)\\s+in\\s+${PLACE}`), (groups) => files(groups, undefined)],
	[
		clause(
			`${MACHINE}\\s+(?:wakes?(?:\\s+up)?|is\\s+woken(?:\\s+up)?|resumes|comes\\s+back)(?:\\s+from\\s+(?:sleep|standby|hibernation))?`,
		),
		() => trigger({ kind: 'wake' }),
	],
	[
		clause('(?:Hearth|the\\s+app)\\s+(?:starts?|opens?|launches|is\\s+(?:started|opened|launched))(?:\\s+up)?'),
		() => trigger({ kind: 'app_start' }),
	],
	[
		looseClause(
			"I(?:['’]m|\\s+am)\\s+back|I\\s+(?:come|get|am|return|unlock)(?:\\s+back)?(?:\\s+(?:to|at)?\\s*(?:my|the)\\s+(?:desk|computer|machine|keyboard|screen|laptop|pc))?",
			'(?:\\s+(?:to|at)\\s+(?:my|the)\\s+(?:desk|computer|machine|keyboard|laptop|pc))?(?:\\s+after\\s+(?:at\\s+least\\s+|more\\s+than\\s+|over\\s+)?(?<number>\\d{1,4}|an?|half\\s+an|two|three|four)\\s+(?<unit>minutes?|mins?|hours?|hrs?)(?:\\s+(?:away|of\\s+absence|or\\s+more|off))?)?',
		),
		({ number, unit }) => trigger({ kind: 'unlock', idleMinutes: idleOf(number, unit) }),
	],
	[
		looseClause(
			"(?:there(?:['’]s|\\s+is)\\s+a\\s+new\\s+finding|there\\s+are\\s+new\\s+findings|a\\s+new\\s+finding\\s+(?:comes(?:\\s+in)?|arrives|appears|is\\s+there|waits)|new\\s+findings\\s+(?:come(?:\\s+in)?|arrive|appear|wait)|a\\s+source\\s+has\\s+(?:a\\s+new\\s+finding|something\\s+new)|the\\s+inbox\\s+gets\\s+a\\s+new\\s+finding)",
			'(?:\\s+(?:from|of|in|at)\\s+(?:the\\s+)?(?:source\\s+|feed\\s+)?(?:["“](?<quotedSource>[^"”]+)["”]|(?<source>[^,;:]+?)))?',
		),
		({ quotedSource, source }, sources) => finding(quotedSource ?? source, sources),
	],
	[
		clause(
			'(?:(?:the\\s+)?workflow\\s+["“]?(?<workflow>[\\w.-]+)["”]?|(?:the\\s+)["“]?(?<workflow2>[\\w.-]+)["”]?\\s+workflow)\\s+(?:reaches|enters|gets\\s+to|is\\s+in|comes\\s+to|arrives\\s+at|goes\\s+to|is\\s+at)\\s+(?:the\\s+)?(?:state\\s+)?["“]?(?<state>[\\w.-]*\\w)["”]?(?:\\s+state)?',
		),
		({ workflow, workflow2, state = '' }) => trigger({ kind: 'workflow', workflow: workflow ?? workflow2 ?? '', state }),
	],
	[
		clause(
			'(?:(?:the\\s+)?(?:signal|trigger)\\s+["“`]?(?<name>[\\w.-]*\\w)["”`]?\\s+(?:comes|fires|is\\s+(?:called|sent|triggered|fired|given)|arrives)|(?:a\\s+script\\s+(?:calls|runs)\\s+|I\\s+(?:call|run)\\s+)["“`]?hearth\\s+trigger\\s+(?<called>[\\w.-]*\\w)["”`]?)',
		),
		({ name, called }) => signal(name ?? called ?? ''),
	],
];

/** The first clause of a text that says when. Undefined: there is none that is known; `unknown` where one stands at its start. */
export function readTrigger(text: string, sources: readonly KnownSource[]): TriggerRead | undefined {
	for (const found of text.matchAll(WHEN)) {
		const from = found.index + found[0].length;
		for (const [expression, read] of CLAUSES) {
			expression.lastIndex = from;
			const clauseFound = expression.exec(text);
			const said = clauseFound && read(clauseFound.groups ?? {}, sources);
			if (clauseFound && said) return { said, start: found.index, end: from + clauseFound[0].length, clause: clauseFound[0] };
		}
	}
	const starts = AT_START.exec(text);
	if (starts)
		return { said: trigger({ kind: 'app_start' }), start: starts.index, end: starts.index + starts[0].length, clause: 'Hearth starts' };
	const signalled = ON_SIGNAL.exec(text);
	if (!signalled) return undefined;
	return {
		said: signal(signalled.groups?.name ?? ''),
		start: signalled.index,
		end: signalled.index + signalled[0].length,
		clause: signalled[0],
	};
}

function clause(pattern: string): RegExp {
	return new RegExp(`(?:${pattern})${SURE_END}`, 'iuy');
}

function looseClause(pattern: string, tail: string): RegExp {
	return new RegExp(`(?:${pattern})${tail}${END}`, 'iuy');
}

function trigger(read: Trigger): Said {
	return { kind: 'trigger', trigger: read };
}

function files({ quoted, path, folder }: Readonly<Record<string, string | undefined>>, names: string | undefined): Said | undefined {
	const place =
		quoted ?? path ?? (folder === undefined ? undefined : `~/${folder.slice(0, 1).toUpperCase()}${folder.slice(1).toLowerCase()}`);
	if (place === undefined) return undefined;
	const whole = place.length > 1 ? place.replace(/[/\\]+$/, '') || place : place;
	return trigger({ kind: 'files', path: whole, ...(names !== undefined && { names }), mine: false });
}

function namesOf(kind: string): string | undefined {
	const word = kind.toLowerCase().replace(/\s+files?$/, '');
	const known = KINDS.find(([pattern, names]) => names !== undefined && new RegExp(`^(?:${pattern})$`, 'i').test(word))?.[1];
	if (known !== undefined) return known === '' ? undefined : known;
	return `*.${word.replace(/^\*?\./, '')}`;
}

/** Where nothing is said, ten minutes away are away. */
const AWAY_MINUTES = 10;

function idleOf(number: string | undefined, unit = ''): number {
	if (number === undefined) return AWAY_MINUTES;
	const counts: Readonly<Record<string, number>> = { a: 1, an: 1, two: 2, three: 3, four: 4 };
	const word = number.toLowerCase();
	const count = /^half/.test(word) ? 0.5 : (counts[word] ?? Number(word));
	return Math.min(1_440, Math.max(1, Math.round(count * (/^h/i.test(unit) ? 60 : 1))));
}

function finding(name: string | undefined, sources: readonly KnownSource[]): Said {
	if (name === undefined) return trigger({ kind: 'finding' });
	const wanted = name.trim().toLowerCase();
	const fitting = sources.filter(({ title }) => title.toLowerCase() === wanted);
	const near = fitting.length > 0 ? fitting : sources.filter(({ title }) => title.toLowerCase().includes(wanted));
	const [only] = near;
	if (only && near.length === 1)
		return trigger({ kind: 'finding', sourceId: only.id as Extract<Trigger, { kind: 'finding' }>['sourceId'] });
	if (near.length === 0)
		return { kind: 'never', message: `There is no source called “${name.trim()}”.`, action: 'Name one of Settings → Sources, in quotes.' };
	return {
		kind: 'doubt',
		doubt: {
			question: `Which source is “${name.trim()}”?`,
			choices: near.map(({ title }) => ({ text: title, phrase: `when there is a new finding from "${title}",` })),
		},
	};
}

function signal(name: string): Said {
	const read = TriggerName.safeParse(name);
	return read.success
		? trigger({ kind: 'signal', name: read.data })
		: {
				kind: 'never',
				message: `A signal can’t be called “${name}”.`,
				action: 'Use small letters, digits, _ . and -, starting with a letter.',
			};
}
