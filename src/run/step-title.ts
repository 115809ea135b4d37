import type { Json } from '../domain/json.ts';
import type { InterruptDetail } from '../domain/run.ts';
import { cutCodePoints } from '../domain/text.ts';

/** Steps in one line for people: `Ask: which due date is right?`, `Write a file: bills/2026-02.csv`. Pure. */

const MOST_CHARACTERS = 120;

/** Arguments that say what a call is about, the most telling first. */
const TELLING = ['path', 'from', 'question', 'task', 'query', 'name', 'title', 'note', 'text', 'value'];

export function oneLineOf(text: string, most = MOST_CHARACTERS): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length <= most ? line : `${cutCodePoints(line, most - 1)}…`;
}

/** `title`: the tool's name for people. Without one, as for a tool that no longer exists, its own name in words. */
export function toolTitle(tool: string, title: string | undefined, args: Json): string {
	const name = title ?? inWords(tool);
	const about = aboutOf(args);
	if (about === undefined) return oneLineOf(name);
	// “Write a file” with its path makes “Write bills/2026-02.csv”.
	const verb = about.isPlace ? /^(\p{L}+) (?:a )?files?$/u.exec(name)?.[1] : undefined;
	return oneLineOf(verb === undefined ? `${name}: ${about.text}` : `${verb} ${about.text}`);
}

export function waitTitle(detail: InterruptDetail, toolsTitle: string): string {
	switch (detail.kind) {
		case 'question':
			return oneLineOf(`Ask: ${detail.question}`);
		case 'timer':
			return oneLineOf(detail.note === '' ? 'Wait for a time' : `Wait: ${detail.note}`);
		case 'event':
			return oneLineOf(`Wait for ${inWords(detail.name).toLowerCase()}${detail.note === '' ? '' : `: ${detail.note}`}`);
		case 'child':
			return oneLineOf(`Delegate: ${detail.task}`);
		default:
			return toolsTitle;
	}
}

/** A model call, by what came of it. `next`: the titles of the calls that it asked for. */
export function modelTitle(said: string, next: readonly string[]): string {
	if (said.trim() !== '') return oneLineOf(said);
	if (next.length > 0) return oneLineOf(`Decide: ${next.join(', ')}`);
	return 'Think about the next step';
}

export function inWords(name: string): string {
	const words = name.replace(/[_.-]+/g, ' ').trim();
	return words === '' ? 'A tool without a name' : words.charAt(0).toUpperCase() + words.slice(1);
}

function aboutOf(args: Json): { text: string; isPlace: boolean } | undefined {
	if (args === null || typeof args !== 'object' || Array.isArray(args)) return undefined;
	const { from, to } = args;
	if (typeof from === 'string' && typeof to === 'string') return { text: `${from} → ${to}`, isPlace: true };
	for (const key of TELLING) {
		const value = args[key];
		if (typeof value === 'string' && value.trim() !== '') return { text: value, isPlace: key === 'path' };
	}
	return undefined;
}
