import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Interrupt } from '../../src/domain/run.ts';
import { Need } from '../chat/needs/needs-you.tsx';
import { touchLine } from '../chat/needs/touch-words.ts';
import { useSessions } from '../connection/index.ts';
import { runPlace } from '../timeline/place.ts';
import { type Say, Text, useSay } from '../ui/strings.tsx';
import { focusList } from './focus.ts';
import { useInboxUi } from './inbox-ui-store.ts';
import { Choose } from './proposal-pane.tsx';
import { actionTitle } from './rows.tsx';
import { useActionPlace } from './use-action-place.ts';

/** What a run waits for, as its chat shows it, with the way there. */
export function ActionDetail({ interrupt, waiting }: { interrupt: Interrupt | undefined; waiting: number | undefined }) {
	const say = useSay();
	const session = useSessions((state) => (interrupt ? state.byId[interrupt.sessionId] : undefined));
	const place = useActionPlace(interrupt);
	const wasShown = useRef(false);
	useEffect(() => {
		const isGone = !interrupt && wasShown.current;
		wasShown.current = interrupt !== undefined;
		if (interrupt) return;
		// It was answered, here or in its chat.
		useInboxUi.setState({ actionId: null });
		// Its row, which may have had the focus, went with it.
		if (isGone && document.activeElement === document.body) focusList(null);
	}, [interrupt]);
	if (!interrupt) return <Choose which="pending" waiting={waiting} />;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
		<div className="pane-body" tabIndex={0}>
			<article className="detail-in" aria-labelledby="inbox-title">
				<header>
					<h2 className="d-title act-title" id="inbox-title" data-of={interrupt.id} tabIndex={-1}>
						{titleOf(say, interrupt)}
					</h2>
					<p className="d-sub meta">
						<span>
							<Text
								id="inbox.actionIn"
								values={{
									chat: (
										<Link className="lnk" href={session ? `/chat/${session.id}` : runPlace(interrupt.runId)}>
											<bdi>{place}</bdi>
										</Link>
									),
								}}
							/>
						</span>
					</p>
				</header>
				<Need key={`${interrupt.id}:${interrupt.shownHash}`} interrupt={interrupt} onAnswered={() => focusList(null)} />
			</article>
		</div>
	);
}

/** The question itself stands in its card: above it, what this is about. */
function titleOf(say: Say, interrupt: Interrupt): string {
	const { detail } = interrupt;
	return (detail.kind === 'approval' && touchLine(say, detail.touches, detail.tool)) || actionTitle(say, interrupt);
}
