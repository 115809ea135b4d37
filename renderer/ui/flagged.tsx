import type { ReactNode } from 'react';
import type { Flag, Inspection } from '../../src/domain/inspection.ts';
import { onlyPrivate, piecesOf } from './flag-pieces.ts';
import { StateMark } from './marks.tsx';
import { useSay } from './strings.tsx';

const INVISIBLE = /^[\p{Cf}\p{Mn}\p{Zs}\u115F\u1160\u3164\uFFA0]*$/u;

export function isInvisible(piece: string): boolean {
	return INVISIBLE.test(piece);
}

/** What can't be seen, said: how many characters stand there, and which. */
export function HiddenText({ text }: { text: string }) {
	const say = useSay();
	const characters = [...text];
	const codes = [...new Set(characters)].map(
		(character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
	);
	return (
		<span className="hidden-text" title={codes.slice(0, 12).join(' ')}>
			{say('flagged.hidden', { count: characters.length })}
		</span>
	);
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
				{isInvisible(piece) ? <HiddenText text={piece} /> : write(piece)}
			</mark>
		);
	});
}

/** What the marks mean: which kinds there are, in words. */
export function FlaggedLegend({ flags }: { flags: readonly Flag[] }) {
	const say = useSay();
	if (flags.length === 0) return null;
	const legend = onlyPrivate(flags) ? 'flagged.legendPrivate' : 'flagged.legend';
	const kinds = [...new Set(flags.map(({ kind }) => kind))].map((kind) => say(`flag.${kind}`));
	return (
		<p className="legend meta">
			<mark className="flag">{say('flagged.mark')}</mark> {say(legend, { kinds: kinds.join(', ') })}
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
