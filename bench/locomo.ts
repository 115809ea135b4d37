import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Conversations with questions in the format of LoCoMo (Maharana and others, 2024): the data set itself is not part of the project. */

const Turn = z.object({ speaker: z.string(), dia_id: z.string(), text: z.string(), blip_caption: z.string().nullish() });
const Question = z.object({ question: z.string(), category: z.number().int(), evidence: z.array(z.string()).default([]) });
const File = z.array(z.object({ conversation: z.record(z.string(), z.unknown()), qa: z.array(Question) }));

export interface Conversation {
	/** Markdown by file: one a day. */
	readonly files: ReadonlyMap<string, string>;
	/** Names of the turns of each file, in the order of its lines. */
	readonly turns: ReadonlyMap<string, readonly string[]>;
	readonly questions: readonly { readonly question: string; readonly category: number; readonly evidence: readonly string[] }[];
}

export function readConversations(path: string): Conversation[] {
	return File.parse(JSON.parse(readFileSync(path, 'utf8'))).map(({ conversation, qa }) => {
		const lines = new Map<string, string[]>();
		const turns = new Map<string, string[]>();
		for (const [name, value] of Object.entries(conversation)) {
			const number = /^session_(\d+)$/.exec(name)?.[1];
			if (number === undefined || !Array.isArray(value)) continue;
			const file = `memory/${dayOf(String(conversation[`session_${number}_date_time`]))}.md`;
			for (const turn of z.array(Turn).parse(value)) {
				add(lines, file, `- ${turn.speaker}: ${oneLine(turn.text)}${turn.blip_caption ? ` [shares ${oneLine(turn.blip_caption)}]` : ''}`);
				add(turns, file, turn.dia_id);
			}
		}
		const files = new Map([...lines].map(([file, list]) => [file, `${list.join('\n')}\n`]));
		// Some questions name their turns in one string: "D8:6; D9:17".
		const questions = qa.map(({ evidence, ...rest }) => ({ ...rest, evidence: evidence.flatMap((turn) => turn.split(/[\s;,]+/)) }));
		return { files, turns, questions };
	});
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** "1:56 pm on 8 May, 2023" as 2023-05-08. */
function dayOf(time: string): string {
	const [, day = '', month = '', year = ''] = /(\d{1,2}) (\p{L}+),? (\d{4})/u.exec(time) ?? [];
	const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
	if (number === 0) throw new Error(`No date of a session: ${time}`);
	return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
	const list = lists.get(key) ?? [];
	list.push(value);
	lists.set(key, list);
}
