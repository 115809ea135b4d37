import type { ReactNode } from 'react';
import type { Flag, FlagKind, Inspection } from '../../src/domain/inspection.ts';
import { StateMark } from './marks.tsx';
import { useSay } from './strings.tsx';

/** Every text from outside holds names and numbers of people: not worth a mark where it is read. */
const UNMARKED: readonly FlagKind[] = ['personal_data', 'secret'];
const INVISIBLE = /^[\p{Cf}\p{Mn}\p{Zs}\u115F\u1160\u3164\uFFA0]*$/u;

export function markedFlags(inspection: Pick<Inspection, 'flags'> | undefined): Flag[] {
	return (inspection?.flags ?? []).filter(({ kind }) => !UNMARKED.includes(kind));
}

/** A text as plain text, with what detectors flagged in it marked. `write`: how a piece of it is written; as it is unless told. */
export function FlaggedText({
	text,
	flags,
	write = (piece) => piece,
}: {
	text: string;
	flags: readonly Flag[];
	write?: (piece: string) => ReactNode;
}) {
	const say = useSay();
	if (flags.length === 0) return write(text);
	return piecesOf(text, flags).map(({ start, piece, kinds }) => {
		if (kinds.length === 0) return <span key={start}>{write(piece)}</span>;
		const why = kinds.map((kind) => say(`flag.${kind}`)).join(', ');
		return (
			<mark key={start} className="flag" title={why}>
				{INVISIBLE.test(piece) ? <span className="hidden-text">{say('flagged.hidden')}</span> : write(piece)}
			</mark>
		);
	});
}

/** What the marks mean: which kinds there are, in words. */
export function FlaggedLegend({ flags }: { flags: readonly Flag[] }) {
	const say = useSay();
	if (flags.length === 0) return null;
	const kinds = [...new Set(flags.map(({ kind }) => kind))].map((kind) => say(`flag.${kind}`));
	return (
		<p className="legend meta">
			<mark className="flag">{say('flagged.mark')}</mark> {say('flagged.legend', { kinds: kinds.join(', ') })}
		</p>
	);
}

/** Beside the name of a text in which something weighs. */
export function FlaggedMark({ inspection }: { inspection: Inspection | undefined }) {
	const say = useSay();
	if (inspection?.risk !== 'medium' && inspection?.risk !== 'high') return null;
	return (
		<StateMark state="alert" icon="flag">
			{say('flagged.mark')}
		</StateMark>
	);
}

interface Piece {
	readonly start: number;
	readonly piece: string;
	readonly kinds: readonly FlagKind[];
}

/** Overlapping spans become neighbours, each with all of its kinds. */
function piecesOf(text: string, flags: readonly Flag[]): Piece[] {
	const inside = flags.filter(({ start, end }) => start < end && start < text.length);
	const edges = [...new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, Math.min(end, text.length)])])].sort(
		(a, b) => a - b,
	);
	const pieces: Piece[] = [];
	edges.slice(0, -1).forEach((start, index) => {
		const end = edges[index + 1] ?? text.length;
		const kinds = [...new Set(inside.filter((flag) => flag.start < end && flag.end > start).map(({ kind }) => kind))];
		pieces.push({ start, piece: text.slice(start, end), kinds });
	});
	return pieces;
}
