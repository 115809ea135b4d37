import { useId, useState } from 'react';
import { useIntl } from 'react-intl';
import { ConfirmCard } from '../../tasks/confirm-card.tsx';
import { Button } from '../../ui/button.tsx';
import { ContextSources } from '../../ui/context-sources.tsx';
import { markedFlags } from '../../ui/flag-pieces.ts';
import { Icon } from '../../ui/icon.tsx';
import { StateMark, TrustLabel } from '../../ui/marks.tsx';
import { limitWords, scopeWords } from '../../ui/permission-words.ts';
import { useSay } from '../../ui/strings.tsx';
import { Always } from './always.tsx';
import { useApprovalKeys } from './approval-keys.ts';
import { ExactArguments } from './exact-arguments.tsx';
import { givenOf } from './given.ts';
import type { NeedProps } from './needs-you.tsx';
import { Rejecting } from './rejecting.tsx';
import { StopButton } from './stop-button.tsx';
import { Touches } from './touches.tsx';

const NOTHING_FLAGGED = new Map<string, never[]>();

/** May this tool run, with exactly this? The owner's yes is bound to a hash of all that stands here (B3): so all of it is shown. */
export function Approval({ interrupt, busy, onAnswer }: NeedProps<'approval'>) {
	const say = useSay();
	const intl = useIntl();
	const [more, setMore] = useState<'always' | 'reject'>();
	const { tool, title, args, effect, label, reason, rule, touches, sources, flags, risk, offers, card } = interrupt.detail;
	const meansId = useId();
	const forRun = offers.findIndex(({ reach }) => reach === 'run');
	const runTerms = offers[forRun]?.terms;
	// Every mail has an address in it: a mark on each would soon be overlooked where it matters.
	const weighs = risk === 'medium' || risk === 'high';
	const marks = weighs ? flags : markedFlags({ flags });
	const given = givenOf(args, marks, touches);
	const close = (): void => setMore(undefined);
	useApprovalKeys(interrupt.id, {
		approve: () => (busy ? undefined : onAnswer({ type: 'approve' })),
		reject: () => setMore('reject'),
	});
	return (
		<>
			<header>
				<Icon name="alert" size="m" />
				<h2 className="grow">{card ? say('tasks.confirm') : say('needs.approval', { tool: title ?? tool.replaceAll('_', ' ') })}</h2>
				<TrustLabel label={label} />
			</header>
			<p>{reason}</p>
			{card ? <ConfirmCard card={card} /> : <Touches tool={tool} touches={touches} flagged={given?.touched ?? NOTHING_FLAGGED} />}
			<ExactArguments args={args} flags={marks} given={given} isMessage={touches.some(({ sink }) => sink === 'message')}>
				<p className="meta">{say('needs.approvalRule', { tool, effect: say(`needs.effect.${effect}`), rule })}</p>
			</ExactArguments>
			{weighs ? (
				<StateMark state="alert" icon="flag">
					{say('needs.flagged', { risk })}
				</StateMark>
			) : null}
			<section aria-label={say('needs.sources')}>
				<p className="part-name">{say('needs.sources')}</p>
				{sources.length > 0 ? <ContextSources sources={sources} /> : <p className="meta">{say('needs.noSources')}</p>}
			</section>
			<p className="meta">{say('needs.approvalPlain')}</p>
			{runTerms ? (
				<p className="meta" id={meansId}>
					{say('needs.runMeans', {
						button: say('needs.approveRun'),
						terms: [scopeWords(say, runTerms.scope), ...limitWords(say, intl, runTerms)].join(', '),
					})}
				</p>
			) : null}
			{more === 'always' ? <Always offers={offers} busy={busy} onAnswer={onAnswer} onCancel={close} /> : null}
			{more === 'reject' ? (
				<Rejecting
					busy={busy}
					onCancel={close}
					onReject={(why) => onAnswer({ type: 'reject', ...(why !== undefined && { reason: why }) })}
				/>
			) : null}
			{more ? null : (
				<footer>
					<StopButton interrupt={interrupt} busy={busy} onStop={() => onAnswer({ type: 'stop' })} />
					<span className="grow" />
					<Button onClick={() => setMore('reject')} disabled={busy}>
						{say('needs.reject')}
					</Button>
					{offers.some(({ reach }) => reach === 'standing') ? (
						<Button onClick={() => setMore('always')} disabled={busy}>
							{say('needs.always')}
						</Button>
					) : null}
					{runTerms ? (
						<Button onClick={() => onAnswer({ type: 'approve', offer: forRun })} disabled={busy} aria-describedby={meansId}>
							{say('needs.approveRun')}
						</Button>
					) : null}
					<Button kind="primary" onClick={() => onAnswer({ type: 'approve' })} busy={busy}>
						{say(card ? 'tasks.turnOn' : 'needs.approveOnce')}
					</Button>
				</footer>
			)}
		</>
	);
}
