import { longDay } from './dates.ts';
import type { Passage } from './passages.ts';

/** An entry of memory as the memory tools tell of it. */
export interface Entry {
	file: string;
	from: number;
	to: number;
	/** `written by the owner`, … */
	author: string;
	/** `owner`, `external, approved by the owner on 2026-11-29 from example.org/a`, … */
	label: string;
	/** `2026-11-29` */
	day: string;
	/** `current`, `was true until 2026-11-20`, … */
	state: string;
	/** Of a search, and what made it up. */
	score: number;
	parts: Readonly<Record<string, number>>;
	/** Its name in a call. */
	ref: string;
	/** The headings above it; empty where there are none. */
	under: string;
	text: string;
	/** It only names what stands below it. */
	isHeading: boolean;
}

const HEAD =
	/^\d+\. (.+?):(\d+)-(\d+) · (.+?) · (.+?) · (\d{4}-\d{2}-\d{2}) · (.+?)(?: · score (-?[\d.]+)(?: \((.*?)\))?)? · (entry|heading) (\S+)(?: · under “(.*)”)?$/;

/** Reads what `memory_search` and `memory_get` give: a head line, then the text as a quotation. */
export function readEntries(text: string): Entry[] {
	const entries: Entry[] = [];
	let lines: string[] = [];
	const close = () => {
		const last = entries.at(-1);
		if (last) last.text = lines.join('\n');
		lines = [];
	};
	for (const line of text.split('\n')) {
		const head = line.startsWith('>') ? null : HEAD.exec(line);
		if (head) {
			close();
			const [, file = '', from, to, author = '', label = '', day = '', state = '', score, parts, kind, ref = '', under = ''] = head;
			entries.push({
				file,
				from: Number(from),
				to: Number(to),
				author,
				label,
				day,
				state,
				score: Number(score ?? 0),
				parts: readParts(parts),
				ref,
				under,
				text: '',
				isHeading: kind === 'heading',
			});
		} else if (entries.length > 0 && line.startsWith('>')) lines.push(line.replace(/^> ?/, ''));
	}
	close();
	return entries;
}

function readParts(parts = ''): Record<string, number> {
	return Object.fromEntries(
		parts.split(', ').flatMap((part) => {
			const at = part.lastIndexOf(' ');
			return at > 0 ? [[part.slice(0, at), Number(part.slice(at + 1))] as const] : [];
		}),
	);
}

export function isCurrent({ state }: Entry): boolean {
	return state.startsWith('current');
}

/** An entry as a quote, with its place, day, trust and, where it no longer holds, that. */
export function entryPassage(entry: Entry): Pick<Passage, 'text' | 'place'> {
	const { file, from, to, day, label, author } = entry;
	const lines = from === to ? `line ${from}` : `lines ${from}–${to}`;
	const trust = label === 'owner' ? author : label === 'agent' ? author.replace(/ \(.*\)$/, '') : label;
	const past = isCurrent(entry) ? [] : [`**${entry.state.replace(/, replaced by \S+$/, '')}**`];
	return { text: entry.text, place: [`${file}, ${lines}`, longDay(day), trust, ...past].join(', ') };
}
