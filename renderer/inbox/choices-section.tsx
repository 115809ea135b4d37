import { useState } from 'react';
import type { ApproveChoices } from '../../src/contract/methods/memory.ts';
import { localDay } from '../../src/domain/local-day.ts';
import { LONG_TERM_FILE, type MemoryPath } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { useNow } from '../chat/use-now.ts';
import { startOfDay } from '../memory/filter.ts';
import { chosenHeading, type PlaceChoice, PlaceFields } from '../memory/place-fields.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { useSay } from '../ui/strings.tsx';
import { canChoose, dueAtFor } from './choices.ts';
import { choose, useInboxUi } from './inbox-ui-store.ts';
import { fieldTime, timeOf } from './snooze-times.ts';

/** What the owner can choose with their yes: where it goes, how long it holds, when they are reminded. */
export function Choices({ proposal }: { proposal: Proposal }) {
	const say = useSay();
	const can = canChoose(proposal);
	const chosen = useInboxUi((state) => state.choices[proposal.id]);
	if (proposal.status !== 'pending' || proposal.stale || !Object.values(can).some(Boolean)) return null;
	return (
		<section className="sec with-yes">
			<h3 className="vh">{say(can.dueAt ? 'inbox.choose.when' : 'inbox.choose.where')}</h3>
			{can.dueAt ? <DueAt proposal={proposal} chosen={chosen} /> : null}
			{can.place ? <Place proposal={proposal} chosen={chosen} /> : null}
			{can.validity ? <Validity proposal={proposal} chosen={chosen} /> : null}
		</section>
	);
}

interface ChoiceProps {
	proposal: Proposal;
	chosen: ApproveChoices | undefined;
}

function Place({ proposal, chosen }: ChoiceProps) {
	const say = useSay();
	const [changing, setChanging] = useState(false);
	const [place, setPlace] = useState<PlaceChoice>();
	const { operation, id } = proposal;
	if (operation.kind !== 'append') return null;
	if (chosen?.replaces) return <p className="chosen">{say('inbox.choose.replaces')}</p>;
	const { file, headingPath } = chosen?.target ?? operation;
	const words = headingPath.length > 0 ? say('inbox.target', { file, heading: headingPath.join(' › ') }) : file;
	if (!changing) {
		return (
			<p className="chosen">
				<span dir="auto">{words}</span>
				<Button size="sm" onClick={() => setChanging(true)}>
					{say('inbox.choose.other')}
				</Button>
				{chosen?.target ? (
					<Button kind="ghost" size="sm" onClick={() => choose(id, { target: undefined })}>
						{say('inbox.choose.asProposed')}
					</Button>
				) : null}
			</p>
		);
	}
	const value: PlaceChoice = place ?? { file, headingPath, newHeading: undefined };
	const change = (next: PlaceChoice): void => {
		setPlace(next);
		const heading = chosenHeading(next);
		// A heading without a name yet: what was chosen before still holds.
		if (heading) choose(id, { target: { file: next.file ?? (LONG_TERM_FILE as MemoryPath), headingPath: [...heading] } });
	};
	return <PlaceFields value={value} onChange={change} />;
}

/** The days between which it holds. */
function Validity({ proposal, chosen }: ChoiceProps) {
	const say = useSay();
	const { id } = proposal;
	const given = chosen?.validFrom != null || chosen?.validUntil != null;
	const [shown, setShown] = useState(given);
	if (!shown) {
		return (
			<p className="chosen">
				<span>{say('inbox.choose.always')}</span>
				<Button size="sm" onClick={() => setShown(true)}>
					{say('inbox.choose.validity')}
				</Button>
			</p>
		);
	}
	const from = chosen?.validFrom == null ? '' : localDay(chosen.validFrom);
	// The first instant at which it no longer holds: its last day is the one before.
	const until = chosen?.validUntil == null ? '' : localDay(chosen.validUntil - 1);
	const wrong = from !== '' && until !== '' && until < from;
	return (
		<div className="two-fields">
			<Field
				label={say('memory.validFrom')}
				type="date"
				value={from}
				onChange={(day) => choose(id, { validFrom: startOfDay(day) ?? null })}
			/>
			<Field
				label={say('memory.validUntil')}
				type="date"
				value={until}
				onChange={(day) => choose(id, { validUntil: startOfDay(day, 1) ?? null })}
				error={wrong ? say('memory.validityOrder') : undefined}
			/>
		</div>
	);
}

function DueAt({ proposal, chosen }: ChoiceProps) {
	const say = useSay();
	const now = useNow();
	const { operation, id } = proposal;
	const at = chosen?.dueAt ?? dueAtFor(proposal, now);
	const [typed, setTyped] = useState(at === undefined ? '' : fieldTime(at));
	const time = timeOf(typed);
	const passed = operation.kind === 'task' && operation.dueAt !== null && operation.dueAt <= now;
	return (
		<Field
			label={say('inbox.choose.dueAt')}
			type="datetime-local"
			value={typed}
			min={fieldTime(now)}
			onChange={(next) => {
				setTyped(next);
				const due = timeOf(next);
				if (due !== undefined) choose(id, { dueAt: due });
			}}
			hint={passed ? say('inbox.choose.passed') : undefined}
			error={time === undefined || time <= now ? say('inbox.choose.past') : undefined}
		/>
	);
}
