import type { Flag, FlagKind, Inspection } from '../../src/domain/inspection.ts';

/** Every text from outside holds names and numbers of people: not worth a mark where it is read. */
const UNMARKED: readonly FlagKind[] = ['personal_data', 'secret'];

export function markedFlags(inspection: Pick<Inspection, 'flags'> | undefined): Flag[] {
	return (inspection?.flags ?? []).filter(({ kind }) => !UNMARKED.includes(kind));
}

/** Nothing in it but what is private: it weighs where it leaves, and orders nobody about. */
export function onlyPrivate(flags: readonly Flag[]): boolean {
	return flags.every(({ kind }) => UNMARKED.includes(kind));
}

interface Span<Kind extends string> {
	readonly kind: Kind;
	readonly start: number;
	readonly end: number;
}

interface Piece<Kind extends string> {
	readonly start: number;
	readonly piece: string;
	readonly kinds: readonly Kind[];
}

/** Overlapping spans become neighbours, each with all of its kinds. */
export function piecesOf<Kind extends string>(text: string, flags: readonly Span<Kind>[]): Piece<Kind>[] {
	const inside = flags.filter(({ start, end }) => start < end && start < text.length);
	const edges = [...new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, Math.min(end, text.length)])])].sort(
		(a, b) => a - b,
	);
	const pieces: Piece<Kind>[] = [];
	edges.slice(0, -1).forEach((start, index) => {
		const end = edges[index + 1] ?? text.length;
		const kinds = [...new Set(inside.filter((flag) => flag.start < end && flag.end > start).map(({ kind }) => kind))];
		pieces.push({ start, piece: text.slice(start, end), kinds });
	});
	return pieces;
}
