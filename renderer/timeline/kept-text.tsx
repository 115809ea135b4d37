import { useState } from 'react';
import type { RunId } from '../../src/domain/ids.ts';
import { LongText } from '../chat/transcript/long-text.tsx';
import { shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { useContent } from './queries.ts';

/** Characters of a whole that are shown at once: it was asked for, and takes a moment. */
const ASKED_FOR = 100_000;

interface KeptTextProps {
	runId: RunId;
	/** What is here already; only its beginning where there is more. */
	text: string;
	/** The hash of the whole, where that is kept elsewhere. */
	rest: string | undefined;
	/** Said where there is no text at all. */
	empty: string;
	/** What asking for the whole is called. */
	ask?: string;
	/** It is asked for already. */
	now?: boolean;
}

/** A text of a step; a large one is fetched when it is asked for. Never markup: nothing in it is a link or a picture. */
export function KeptText({ runId, text, rest, empty, ask, now = false }: KeptTextProps) {
	const say = useSay();
	const [wanted, setWanted] = useState(now);
	const whole = useContent(runId, wanted ? rest : undefined);
	const shown = whole.data?.text ?? text;
	const failure = whole.error ? shapeOf(whole.error) : undefined;
	if (shown === '' && (rest === undefined || whole.data)) return <p className="meta">{empty}</p>;
	return (
		<>
			{shown === '' ? null : (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
				<div className="well kept" tabIndex={0}>
					<LongText className="io" text={shown} {...(whole.data && { most: ASKED_FOR })} />
				</div>
			)}
			{failure?.code === 'not_found' ? <p className="meta">{say('timeline.textGone')}</p> : failure ? <ErrorNote error={failure} /> : null}
			{rest !== undefined && !whole.data && failure?.code !== 'not_found' ? (
				<Button size="sm" className="kept-all" busy={whole.isFetching} onClick={() => (wanted ? void whole.refetch() : setWanted(true))}>
					{ask ?? say('timeline.showAll')}
				</Button>
			) : null}
		</>
	);
}
