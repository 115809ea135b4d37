import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import type { WorkflowInstanceId } from '../../../src/domain/ids.ts';
import { instancePlace } from '../../timeline/place.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';
import type { NeedProps } from './needs-you.tsx';
import { StopButton } from './stop-button.tsx';

/** A workflow's state that waits for an event. That it happened is said in the workflow; to go on without it leads on, so it is asked once. */
export function WorkflowWait({ interrupt, instanceId, busy, onAnswer }: NeedProps<'event'> & { instanceId: WorkflowInstanceId }) {
	const say = useSay();
	const intl = useIntl();
	const [sure, setSure] = useState(false);
	const { name, note, until } = interrupt.detail;
	return (
		<>
			<header>
				<Icon name="waiting" size="m" />
				<h2>{say('needs.untilEvent', { name })}</h2>
			</header>
			<p className="wait-note" dir="auto">
				{note}
			</p>
			{until === undefined ? null : (
				<p className="meta">{say('needs.giveUp', { when: intl.formatDate(until, { dateStyle: 'full', timeStyle: 'short' }) })}</p>
			)}
			<p>
				<Link className="lnk" href={instancePlace(instanceId)}>
					{say('workflow.sayInWorkflow')}
				</Link>
			</p>
			{sure ? <p role="status">{say('workflow.withoutBody')}</p> : null}
			<footer>
				<StopButton interrupt={interrupt} busy={busy} onStop={() => onAnswer({ type: 'stop' })} />
				<span className="grow" />
				{sure ? (
					<>
						<Button onClick={() => setSure(false)} disabled={busy}>
							{say('common.cancel')}
						</Button>
						<Button kind="danger" onClick={() => onAnswer({ type: 'skip' })} busy={busy}>
							{say('workflow.without')}
						</Button>
					</>
				) : (
					<Button onClick={() => setSure(true)} disabled={busy}>
						{say('workflow.withoutAsk')}
					</Button>
				)}
			</footer>
		</>
	);
}
