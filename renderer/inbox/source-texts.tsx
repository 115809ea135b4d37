import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import type { SourceText } from '../../src/contract/methods/heartbeat.ts';
import type { WatchedItem } from '../../src/domain/heartbeat.ts';
import type { FlagKind } from '../../src/domain/inspection.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { askToOpen } from '../chat/open-link.tsx';
import { call, shapeOf } from '../connection/index.ts';
import { useDay } from '../memory/provenance.tsx';
import { shortHash } from '../memory/versions.tsx';
import { markedFlags, piecesOf } from '../ui/flag-pieces.ts';
import { FlaggedLegend, HiddenText, isInvisible } from '../ui/flagged.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { kindIcon, useKindOf } from './listed.ts';

/** Pixels of what stands before the first quote that stay in view. */
const ABOVE = 48;

type Read = z.infer<typeof SourceText>;

/** The quarantined texts that a finding rests on, for the owner's eyes. */
export function useSourceTexts({ id, shownHash }: Pick<Proposal, 'id' | 'shownHash'>, enabled: boolean) {
	return useQuery({
		queryKey: ['source-texts', id, shownHash],
		queryFn: () => call((client) => client.inbox.sourceTexts({ proposalId: id }), { repeatable: true }),
		enabled,
	});
}

/** Where a finding stands in what was read: whole, as plain text, with what the proposal quotes and what the detectors flagged (B6). */
export function SourceTexts({ proposal, asked }: { proposal: Proposal; asked: ReturnType<typeof useSourceTexts> }) {
	const say = useSay();
	return (
		<section className="sec" aria-busy={asked.isPending}>
			<div className="sec-h">
				<h3>{say('inbox.from')}</h3>
				<span className="meta">{say('inbox.plain')}</span>
			</div>
			{asked.error ? <ErrorNote error={shapeOf(asked.error)} /> : null}
			{asked.data?.map((read) => (
				<OneText key={read.item?.id ?? read.text} proposal={proposal} read={read} />
			))}
		</section>
	);
}

function OneText({ proposal, read }: { proposal: Proposal; read: Read }) {
	const say = useSay();
	const { item, text, quotes, inspection } = read;
	const box = useRef<HTMLElement>(null);
	useEffect(() => {
		const scroller = box.current;
		const first = scroller?.querySelector<HTMLElement>('mark.quote');
		// In a long text what is quoted is what one looks for; the page itself stays where it is.
		if (scroller && first) scroller.scrollTop = Math.max(0, first.offsetTop - scroller.offsetTop - ABOVE);
	}, []);
	const flags = markedFlags(inspection);
	const name = item?.title || say('memory.src.untitled');
	return (
		<div className="well source">
			{item ? <Head proposal={proposal} item={item} /> : <p className="source-h">{say('inbox.textGone')}</p>}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<section className="source-t long" dir="auto" ref={box} tabIndex={0} aria-label={name}>
				<MarkedText text={text} spans={[...quotes.map((quote) => ({ ...quote, kind: 'quote' as const })), ...flags]} />
			</section>
			{item?.cut ? <p className="source-cut meta">{say('inbox.textCut')}</p> : null}
			<div className="legends">
				{quotes.length > 0 ? (
					<p className="legend meta">
						<mark className="quote">{say('inbox.quoted')}</mark> {say('inbox.quotedLegend')}
					</p>
				) : null}
				<FlaggedLegend flags={flags} />
			</div>
		</div>
	);
}

/** What it is called, who wrote it, when; the link is asked about before it is opened. */
function Head({ proposal, item }: { proposal: Proposal; item: WatchedItem }) {
	const say = useSay();
	const day = useDay();
	const kind = useKindOf(proposal.finding?.sourceId);
	const { url, author } = item;
	const name = item.title || say('memory.src.untitled');
	return (
		<div className="source-h">
			<Icon name={kindIcon(kind)} size="s" />
			<span className="grow">
				{url && /^https?:/.test(url) ? (
					<button type="button" className="lnk source-n" onClick={() => askToOpen(url)}>
						<bdi>{name}</bdi>
					</button>
				) : (
					<bdi className="source-n">{name}</bdi>
				)}{' '}
				<span className="dim">
					{author ? <bdi>{author}, </bdi> : null}
					{day(item.publishedAt ?? item.fetchedAt, true)}
				</span>
			</span>
			<code className="dim" title={say('inbox.fetchedHash')}>
				{shortHash(item.fetchedHash)}
			</code>
		</div>
	);
}

interface MarkedTextProps {
	text: string;
	spans: readonly { readonly kind: FlagKind | 'quote'; readonly start: number; readonly end: number }[];
}

function MarkedText({ text, spans }: MarkedTextProps) {
	return piecesOf(text, spans).map(({ start, piece, kinds }) => <Piece key={start} piece={piece} kinds={kinds} />);
}

function Piece({ piece, kinds }: { piece: string; kinds: readonly (FlagKind | 'quote')[] }) {
	const say = useSay();
	const flags = kinds.filter((kind) => kind !== 'quote');
	const flagged =
		flags.length === 0 ? (
			piece
		) : (
			<mark className="flag" title={flags.map((kind) => say(`flag.${kind}`)).join(', ')}>
				{isInvisible(piece) ? <HiddenText text={piece} /> : piece}
			</mark>
		);
	return kinds.includes('quote') ? <mark className="quote">{flagged}</mark> : <span>{flagged}</span>;
}
