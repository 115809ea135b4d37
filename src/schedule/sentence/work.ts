import type { TaskResult, TaskWork } from '../../domain/task.ts';

/** What is to be done, of what of a sentence speaks of no time. */

const POLITE =
	/^(?:[\s,.:;!–—-]|(?:hey|hi|hello|ok|okay|so|please|hearth|now|just|kindly)(?![\p{L}])|(?:can|could|would|will)\s+you(?![\p{L}])|(?:i\s+want\s+you\s+to|i(?:['’]d|\s+would)\s+like\s+you\s+to|you\s+(?:should|shall|must)|make\s+sure\s+(?:to|that\s+you)|schedule(?:\s+(?:a|the)\s+task)?\s*(?:to|:)|(?:make|create|add|set\s+up)\s+a\s+task\s*(?:to|that|:)))+/iu;
const REMIND =
	/^(?:remind\s+(?:me|us)|(?:set|create|make|add|give\s+me|send\s+me)\s+(?:up\s+)?(?:me\s+)?(?:a\s+)?reminder(?:\s+for(?=\s*$|[\s,]+(?:to|that|of|about)(?![\p{L}])))?|(?:tell|ping|nudge|alert|notify|warn)\s+me(?=\s+(?:to|that|of|about)(?![\p{L}])))(?![\p{L}])/iu;
const REMIND_TAIL = /^[\s,]*(?:please\s+)?(?:(?:to|that|of|about|because\s+of)(?![\p{L}])|:)?\s*/iu;
/** For the scanner: what comes right behind it says when. */
export const REMINDS =
	/(?<![\p{L}\p{N}])(?:remind\s+(?:me|us)|(?:set|create|make|add|give\s+me|send\s+me)\s+(?:up\s+)?(?:me\s+)?(?:a\s+)?reminder(?:\s+for)?|(?:tell|ping|nudge|alert|notify|warn)\s+me)(?![\p{L}])[\s,]*/iu;
/** A polite question asks for no answer. */
const ASKED = /(?:^|[\s,])(?:can|could|would|will)\s+you(?![\p{L}])/iu;
const WORKFLOW =
	/^(?:run|start|begin|launch|execute|kick\s+off)\s+(?:(?:the\s+|my\s+)?workflow\s+(?:called\s+|named\s+)?["“]?(?<after>[\w.-]*\w)["”]?|(?:the\s+|my\s+)?["“]?(?<before>[\w.-]*\w)["”]?\s+workflow)\s*$/iu;

const SIMPLE_PATH = String.raw`(?<path>["“][^"”]{1,200}["”]|[\w{}][\w{}./-]*\.(?:md|txt|csv|json|html|log))`;
const IT = '(?:it|this|that|them|the\\s+(?:result|results|answer|summary|list|output|reply|text))';
const AND = '(?:\\s*,?\\s*(?:and|then|and\\s+then)\\s+)';
const RESULTS: readonly [RegExp, (groups: Readonly<Record<string, string | undefined>>) => TaskResult][] = [
	[
		new RegExp(
			`${AND}(?:write|save|put|store|keep)\\s+${IT}\\s+(?:in(?:to)?|to|as|under)\\s+(?:the\\s+|a\\s+)?(?:file\\s+)?${SIMPLE_PATH}(?![\\w/])`,
			'iu',
		),
		file,
	],
	[new RegExp(`\\s+(?:in)?to\\s+(?:the\\s+|a\\s+)?file\\s+(?:called\\s+|named\\s+)?${SIMPLE_PATH}(?![\\w/])`, 'iu'), file],
	[new RegExp(`\\s+into\\s+${SIMPLE_PATH}(?![\\w/])`, 'iu'), file],
	[
		new RegExp(
			`${AND}(?:put|send|drop|write|save|file)\\s+${IT}\\s+(?:in(?:to)?|to)\\s+(?:the|my)\\s+inbox(?!\\s*\\w*folder)(?![\\p{L}])`,
			'iu',
		),
		() => ({ kind: 'inbox' }),
	],
	[/\s+into\s+(?:the|my)\s+inbox(?!\s+folder)(?![\p{L}])/iu, () => ({ kind: 'inbox' })],
	[
		new RegExp(
			`${AND}(?:notify\\s+me(?:\\s+(?:of|about|with)\\s+(?:it|the\\s+result))?|send\\s+me\\s+a\\s+notification(?:\\s+(?:with|of)\\s+(?:it|the\\s+result))?|show\\s+(?:me\\s+)?${IT}\\s+(?:as|in)\\s+a\\s+notification)(?![\\p{L}])`,
			'iu',
		),
		() => ({ kind: 'notification' }),
	],
	[/\s+(?:as|in|by)\s+a\s+notification(?![\p{L}])/iu, () => ({ kind: 'notification' })],
];

export interface ResultRead {
	readonly result: TaskResult;
	readonly start: number;
	readonly end: number;
}

/** Where the result goes, said beside what is to be done. */
export function readResult(text: string): ResultRead | undefined {
	for (const [expression, read] of RESULTS) {
		const found = expression.exec(text);
		if (found) return { result: read(found.groups ?? {}), start: found.index, end: found.index + found[0].length };
	}
	return undefined;
}

function file({ path = '' }: Readonly<Record<string, string | undefined>>): TaskResult {
	return { kind: 'file', path: path.replace(/^["“]|["”]$/g, '').replace(/^workspace\//, '') };
}

export type WorkRead =
	| { readonly kind: 'work'; readonly work: TaskWork; readonly title: string }
	| { readonly kind: 'none'; readonly reminds: boolean };

const TITLE_CHARS = 60;

/** `text`: what is left of a sentence. `clause`: of what it waits for, told where a reminder has no words of its own. */
export function workOf(text: string, result: TaskResult | undefined, clause: string | undefined): WorkRead {
	const said = (ASKED.test(text) ? text.replace(/[\s?]+$/, '') : text)
		.replace(/\s+/g, ' ')
		.trim()
		.replace(POLITE, '')
		.replace(/^(?:then\s+|to\s+)/iu, '')
		.replace(/(?:[\s,;:–—-]|\s(?:please|thanks|thank you)[.!]?$)+$/iu, '')
		.replace(/\s+([,.;:!?])/g, '$1')
		.trim();
	const reminds = REMIND.exec(said);
	const notifies = /^notify me$|^(?:let me know|tell me|ping me|alert me|send me a notification)$/i.test(said);
	if (reminds || notifies) {
		const words = reminds ? unquoted(said.slice(reminds[0].length).replace(REMIND_TAIL, '')) : '';
		const told = words !== '' ? words : clause;
		if (told === undefined || told === '') return { kind: 'none', reminds: true };
		const cleaned = capital(told.replace(/[.\s]+$/, ''));
		return { kind: 'work', work: { kind: 'reminder', text: cleaned }, title: titleOf(cleaned) };
	}
	const body = unquoted(said).replace(/^[\s,.;:]+/, '');
	if (!/[\p{L}\p{N}]/u.test(body)) return { kind: 'none', reminds: false };
	const workflow = WORKFLOW.exec(body)?.groups;
	const name = workflow?.after ?? workflow?.before;
	if (name !== undefined) return { kind: 'work', work: { kind: 'workflow', name, input: {} }, title: titleOf(`Run ${name}`) };
	return {
		kind: 'work',
		work: { kind: 'prompt', text: body, session: 'each', result: result ?? { kind: 'chat' } },
		title: titleOf(capital(body)),
	};
}

function unquoted(text: string): string {
	const whole = /^["“]([^"“”]*)["”]$/u.exec(text.trim());
	return (whole?.[1] ?? text).trim();
}

function capital(text: string): string {
	return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function titleOf(text: string): string {
	const line = text.replace(/\s+/g, ' ').replace(/[.!?,;:\s]+$/, '');
	if (line.length <= TITLE_CHARS) return line;
	const cut = line.slice(0, TITLE_CHARS - 1);
	return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 30)).trimEnd()}…`;
}
