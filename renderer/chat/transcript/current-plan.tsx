import { useId, useState } from 'react';
import type { RunId } from '../../../src/domain/ids.ts';
import type { Message } from '../../../src/domain/message.ts';
import type { Plan } from '../../../src/domain/plan.ts';
import { PlanList } from '../../timeline/plan-list.tsx';
import { useRunDetail } from '../../timeline/queries.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';

/** Steps of a plan that are shown without being asked for. */
const FEW = 8;

/** What a reply that is not over means to do, and how far it is. The run has the plan; its tool calls only say that it was changed. */
export function CurrentPlan({ message: { runId, parts } }: { message: Message }) {
	const planned = parts.some((part) => part.type === 'tool' && part.tool === 'plan' && part.status === 'done');
	return runId && planned ? <PlanOf runId={runId} /> : null;
}

function PlanOf({ runId }: { runId: RunId }) {
	const plan = useRunDetail(runId).data?.plan;
	return plan && plan.steps.length > 0 ? <PlanBox plan={plan} /> : null;
}

function PlanBox({ plan: { steps } }: { plan: Plan }) {
	const say = useSay();
	const id = useId();
	const [open, setOpen] = useState(steps.length <= FEW);
	const done = steps.filter(({ state }) => state === 'done' || state === 'skipped').length;
	const now = steps.find(({ state }) => state === 'doing');
	return (
		<section className="calls plan-box" aria-label={say('timeline.planTitle')}>
			<button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
				<Icon name="list" />
				<b>{say('chat.planAt', { done, count: steps.length })}</b>
				<span className="cut grow dim" dir="auto">
					{open ? null : now?.text}
				</span>
				<Icon name={open ? 'down' : 'right'} size="s" />
			</button>
			<div id={id} className="call-detail" hidden={!open}>
				{open ? <PlanList plan={{ steps }} /> : null}
			</div>
		</section>
	);
}
