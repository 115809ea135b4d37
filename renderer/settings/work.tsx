import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Settings } from '../../src/contract/methods/profile.ts';
import { Switch } from '../ui/controls.tsx';
import { useSay } from '../ui/strings.tsx';
import { Row } from './row.tsx';
import { SPENDING } from './spending/place.ts';

type Rules = Pick<Settings, 'activeHours'>;

const SUGGESTED = { from: '08:00', to: '22:00' };

/** What work that goes on by itself keeps to. */
export function WorkRules({ values, onSave }: { values: Rules; onSave: (change: Partial<Rules>) => void }) {
	const say = useSay();
	const { activeHours } = values;
	return (
		<>
			<h3>{say('background.rules')}</h3>
			<p className="meta">{say('background.rulesLead')}</p>
			<div className="tbl">
				<Row title={say('general.hours')} hint={say('general.hoursHint')}>
					<Switch
						label={say('general.hours')}
						checked={activeHours !== null}
						onChange={(on) => onSave({ activeHours: on ? SUGGESTED : null })}
					/>
				</Row>
				{activeHours ? <HoursRow hours={activeHours} onSave={(next) => onSave({ activeHours: next })} /> : null}
				<Row title={say('background.budgets')} hint={say('background.budgetsHint')}>
					<Link className="btn" href={SPENDING}>
						{say('background.budgetsShow')}
					</Link>
				</Row>
			</div>
		</>
	);
}

type Hours = NonNullable<Rules['activeHours']>;

/** What of it differs. */
function unlike(given: Partial<Hours>, from: Hours): Partial<Hours> {
	return Object.fromEntries(Object.entries(given).filter(([end, time]) => time !== from[end as keyof Hours]));
}

/** Saved when a field is left with a whole time in it, and the two differ. */
function HoursRow({ hours, onSave }: { hours: Hours; onSave: (hours: Hours) => void }) {
	const say = useSay();
	const [typed, setTyped] = useState<Partial<Hours>>({});
	const shown = { ...hours, ...typed };
	const { from, to } = hours;
	// What was typed holds until it is saved, also what is typed into the other field meanwhile.
	useEffect(() => setTyped((before) => unlike(before, { from, to })), [from, to]);
	const same = shown.from === shown.to;
	const leave = (): void => {
		if (same) return;
		// A field that was left half filled shows again what holds.
		if (shown.from === '' || shown.to === '') setTyped((before) => unlike(before, { from: '', to: '' }));
		else if (shown.from !== hours.from || shown.to !== hours.to) onSave(shown);
	};
	return (
		<Row title={same ? <span className="field-error">{say('general.hoursSame')}</span> : null}>
			{(['from', 'to'] as const).map((end) => (
				<label key={end} className="time-field">
					<span className="meta">{say(end === 'from' ? 'general.hoursFrom' : 'general.hoursTo')}</span>
					<input
						className="field"
						type="time"
						aria-invalid={same}
						value={shown[end]}
						onChange={(event) => setTyped((before) => ({ ...before, [end]: event.target.value }))}
						onBlur={leave}
						onKeyDown={(event) => (event.key === 'Enter' ? leave() : undefined)}
					/>
				</label>
			))}
		</Row>
	);
}
