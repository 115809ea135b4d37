import type { TaskCard } from '../../src/domain/task.ts';
import { useSay } from '../ui/strings.tsx';
import { CardTerms } from './card-terms.tsx';
import { FormRow } from './form-row.tsx';
import { Restated } from './restated.tsx';
import { Slots } from './slots.tsx';

/** A task that the agent proposes, whole, where the owner is asked for their yes to exactly this. */
export function ConfirmCard({ card }: { card: TaskCard }) {
	const say = useSay();
	const { draft, restated, strong, zone, next, notes } = card;
	const { work, when } = draft;
	return (
		<section className="task-plan-small" aria-label={say('tasks.card')}>
			<Restated restated={restated} strong={strong} />
			{notes.map((note) => (
				<p key={note} className="meta task-plan-note">
					{note}
				</p>
			))}
			<dl className="form">
				<FormRow name={say('tasks.name')}>
					<span dir="auto">{draft.title}</span>
				</FormRow>
				{work.kind === 'workflow' ? (
					<FormRow name={say('tasks.work')}>{say('tasks.startsWorkflow', { name: work.name })}</FormRow>
				) : (
					<FormRow name={say('tasks.work')}>
						<span className="task-text-shown" dir="auto">
							{work.text}
						</span>
					</FormRow>
				)}
				{when.kind === 'schedule' ? (
					<>
						<FormRow name={say('tasks.zone')}>{zone}</FormRow>
						<FormRow name={say('tasks.nextFive')}>
							<Slots slots={next} label={say('tasks.nextFive')} />
						</FormRow>
					</>
				) : null}
				<CardTerms draft={draft} />
			</dl>
		</section>
	);
}
