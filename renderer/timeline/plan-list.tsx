import type { Plan, PlanStepState } from '../../src/domain/plan.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';

const PLAN_ICONS: Record<PlanStepState, IconName> = { pending: 'circle', doing: 'running', done: 'check', skipped: 'right', failed: 'x' };

/** What a run means to do, and how far it is. */
export function PlanSection({ plan }: { plan: Plan }) {
	const say = useSay();
	return (
		<section className="sec">
			<h3>{say('timeline.planTitle')}</h3>
			<PlanList plan={plan} />
		</section>
	);
}

export function PlanList({ plan }: { plan: Plan }) {
	const say = useSay();
	return (
		<ol className="plan">
			{plan.steps.map((step) => (
				<li key={step.id} className={step.state}>
					<Icon name={PLAN_ICONS[step.state]} size="s" />
					<span className="grow">
						<span dir="auto">{step.text}</span> <span className="meta">{say('timeline.planState', { state: step.state })}</span>
						{step.note ? (
							<span className="meta block" dir="auto">
								{step.note}
							</span>
						) : null}
					</span>
				</li>
			))}
		</ol>
	);
}
