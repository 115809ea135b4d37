import { LONG_TERM_FILE, type MemoryEntry, MemoryPath } from '../domain/memory.ts';
import { fold, stemOf, tokensOf } from '../memory/search/tokens.ts';
import { STOP_WORDS } from '../memory/search/word-lists.ts';
import { cosine } from './dedupe.ts';

/** Where in MEMORY.md a finding would go: under the heading that speaks of the same, else under one of its own. */

export const FINDINGS_HEADING = 'Findings';
export const FINDINGS_FILE = MemoryPath.parse(LONG_TERM_FILE);
/** Of a heading with what stands below it. */
const ALIKE = 0.42;
const SHARED_WORDS = 0.3;
const MOST_HEADINGS = 60;
const LONGEST_TOPIC = 400;

export interface Topic {
	readonly headingPath: readonly string[];
	/** The headings, and the beginning of what stands below the last of them. */
	readonly text: string;
	readonly vector?: Float32Array | undefined;
}

/** Sections of MEMORY.md that hold something. */
export function topicsOf(entries: readonly MemoryEntry[]): Topic[] {
	const sections = new Map<string, { headingPath: readonly string[]; text: string }>();
	for (const { headingPath, kind, text } of entries) {
		if (kind === 'heading' || headingPath.length === 0) continue;
		const key = JSON.stringify(headingPath);
		const section = sections.get(key) ?? { headingPath, text: headingPath.join(': ') };
		sections.set(key, { ...section, text: `${section.text}. ${text}`.slice(0, LONGEST_TOPIC) });
	}
	return [...sections.values()].slice(0, MOST_HEADINGS);
}

/** The best of the sections by words and, where there are vectors, by meaning. */
export function headingFor(text: string, vector: Float32Array | undefined, topics: readonly Topic[]): readonly string[] {
	let best: { headingPath: readonly string[]; score: number } | undefined;
	const words = wordsOf(text);
	for (const topic of topics) {
		const shared = sharedWords(words, wordsOf(topic.headingPath.join(' ')), wordsOf(topic.text));
		const meaning = vector && topic.vector ? cosine(vector, topic.vector) : 0;
		const fits = meaning >= ALIKE || shared >= SHARED_WORDS;
		if (fits && meaning + shared > (best?.score ?? 0)) best = { headingPath: topic.headingPath, score: meaning + shared };
	}
	return best?.headingPath ?? [FINDINGS_HEADING];
}

/** A word of the heading itself counts for much: “Postgres” is what a section of that name is about. */
function sharedWords(words: ReadonlySet<string>, heading: ReadonlySet<string>, section: ReadonlySet<string>): number {
	if (words.size === 0) return 0;
	const inHeading = [...heading].filter((word) => words.has(word)).length / Math.max(1, heading.size);
	const inSection = [...words].filter((word) => section.has(word)).length / words.size;
	return Math.max(inHeading * 0.6, inSection);
}

function wordsOf(text: string): Set<string> {
	return new Set(
		tokensOf(fold(text))
			.filter((token) => !STOP_WORDS.has(token))
			.map(stemOf),
	);
}
