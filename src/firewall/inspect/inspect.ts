import { type Flag, type FlagKind, type Inspection, RISKS, type Risk } from '../../domain/inspection.ts';
import { secretSpans } from '../secret-shapes.ts';
import { charactersIn } from './characters.ts';
import { decodedIn } from './encoded.ts';
import type { Finding } from './finding.ts';
import { phrasesIn } from './phrases.ts';
import { exfiltrationIn, personalIn } from './shapes.ts';

export interface InspectOptions {
	/** `in`: a text from outside on its way to the model. `out`: arguments on their way to a sink, where what is private counts, too. */
	readonly direction?: 'in' | 'out';
}

/** UTF-16 units looked at, at most. Of a longer text: its beginning, its end, and pieces spread evenly over what is between. */
const MOST_UNITS = 131_072;
const PIECE = 4_096;
/** Of two neighbouring pieces, so that what lies across is seen by one. */
const DEEPEST = 3;
export const MOST_FLAGS = 200;

/**
 * What the detectors say of a text. Hints: no text is safe because nothing was found. Pure, synchronous, in linear time; it never throws.
 * Spans are UTF-16 offsets of `text`; where a decoded inside was found out they cover the outside.
 */
export function inspect(text: string, { direction = 'in' }: InspectOptions = {}): Inspection {
	return weighed(findingsOf(text, { direction }));
}

/** What is found in a text, in no order. `command`: it is for a shell, where orders are all there is; what speaks to an agent is not looked for. */
export function findingsOf(text: string, { direction, command = false }: { direction: 'in' | 'out'; command?: boolean }): Finding[] {
	return piecesOf(text).flatMap(({ from, to }) =>
		findingsIn(text.slice(from, to), direction, 0, command).map((finding) => ({
			...finding,
			start: finding.start + from,
			end: finding.end + from,
		})),
	);
}

export function weighed(findings: readonly Finding[]): Inspection {
	return { risk: riskOf(findings), flags: flagsOf(findings) };
}

function piecesOf(text: string): { from: number; to: number }[] {
	if (text.length <= MOST_UNITS) return [{ from: 0, to: text.length }];
	const head = MOST_UNITS / 2;
	const tail = MOST_UNITS / 4;
	const between = MOST_UNITS / 4 / PIECE;
	const step = Math.floor((text.length - head - tail) / between);
	return [
		{ from: 0, to: head },
		...Array.from({ length: between }, (_, index) => ({ from: head + index * step, to: head + index * step + Math.min(step, PIECE) })),
		{ from: text.length - tail, to: text.length },
	];
}

export function findingsIn(text: string, direction: 'in' | 'out', depth: number, command = false): Finding[] {
	const { findings, spelled } = charactersIn(text);
	const found = [...findings, ...(command ? [] : phrasesIn(text)), ...exfiltrationIn(text)];
	// What comes in may well name people; what leaves must not.
	const isLeaving = direction === 'out';
	if (isLeaving || depth === 0) {
		found.push(...personalIn(text).map((finding) => (isLeaving ? finding : { ...finding, weight: 0 })));
		found.push(...secretSpans(text).map(({ start, end }) => ({ kind: 'secret' as const, start, end, weight: isLeaving ? 3 : 1 })));
	}
	if (depth >= DEEPEST) return found;
	for (const { text: inside, start, end } of [...decodedIn(text), ...spelled]) {
		const within = findingsIn(inside, direction, depth + 1);
		const worst = Math.max(0, ...within.map(({ weight }) => weight));
		found.push({ kind: 'encoded', start, end, weight: worst >= 2 ? 3 : worst === 1 ? 2 : 1 });
		for (const kind of new Set(within.filter(({ weight }) => weight > 0).map((finding) => finding.kind)))
			found.push({ kind, start, end, weight: worst >= 2 ? 3 : 2 });
	}
	return found;
}

function riskOf(findings: readonly Finding[]): Risk {
	const worst = Math.max(0, ...findings.map(({ weight }) => weight));
	const kinds = new Set(findings.filter(({ kind, weight }) => weight >= 2 && kind !== 'personal_data').map(({ kind }) => kind)).size;
	const little = new Set(findings.filter(({ weight }) => weight >= 1).map(({ kind }) => kind)).size;
	// Two different things that say much, or three that say little, say more together.
	const together = worst === 2 && kinds >= 2 ? 3 : worst === 1 && little >= 3 ? 2 : worst;
	return RISKS[together] ?? 'high';
}

/** One flag for overlapping findings of a kind, those that say most first where there are too many, then in order. */
function flagsOf(findings: readonly Finding[]): Flag[] {
	const merged = new Map<FlagKind, Finding[]>();
	for (const finding of [...findings].sort((a, b) => a.start - b.start || b.end - a.end)) {
		const ofKind = merged.get(finding.kind) ?? [];
		const last = ofKind.at(-1);
		if (last && finding.start < last.end)
			ofKind[ofKind.length - 1] = {
				...last,
				end: Math.max(last.end, finding.end),
				weight: Math.max(last.weight, finding.weight),
			};
		else ofKind.push(finding);
		merged.set(finding.kind, ofKind);
	}
	return [...merged.values()]
		.flat()
		.sort((a, b) => b.weight - a.weight)
		.slice(0, MOST_FLAGS)
		.sort((a, b) => a.start - b.start || a.end - b.end)
		.map(({ kind, start, end }) => ({ kind, start, end }));
}
