import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import { runPlace } from '../../timeline/place.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';
import type { NeedProps } from './needs-you.tsx';
import { StopButton } from './stop-button.tsx';

/** A reply that sleeps until a time comes, something happens or delegated work ends. Nobody has to do anything; the owner may end the wait. */
export function Waiting({ interrupt, busy, onAnswer }: NeedProps<'timer' | 'event' | 'child'>) {
	const say = useSay();
	const intl = useIntl();
	const { detail } = interrupt;
	const when = (at: number): string => intl.formatDate(at, { dateStyle: 'full', timeStyle: 'short' });
	return (
		<>
			<header>
				<Icon name="waiting" size="m" />
				<h2>
					{detail.kind === 'timer'
						? say('needs.untilTime', { when: when(detail.dueAt) })
						: detail.kind === 'event'
							? say('needs.untilEvent', { name: detail.name })
							: say('needs.untilChild')}
				</h2>
			</header>
			<p className="wait-note" dir="auto">
				{detail.kind === 'child' ? detail.task : detail.note}
			</p>
			{detail.kind === 'event' && detail.until !== undefined ? (
				<p className="meta">{say('needs.giveUp', { when: when(detail.until) })}</p>
			) : null}
			{detail.kind === 'child' ? (
				<p>
					<Link className="lnk" href={runPlace(detail.childRunId)}>
						{say('needs.openChild')}
					</Link>
				</p>
			) : null}
			<footer>
				<StopButton interrupt={interrupt} busy={busy} onStop={() => onAnswer({ type: 'stop' })} />
				<span className="grow" />
				<Button onClick={() => onAnswer({ type: 'skip' })} busy={busy}>
					{say('needs.goOnNow')}
				</Button>
			</footer>
		</>
	);
}
