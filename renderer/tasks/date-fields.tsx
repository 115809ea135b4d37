import { useIntl } from 'react-intl';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { type MonthDay, NTHS, WEEKDAYS, type Weekday } from './pattern.ts';

/** A Monday: the days after it have the names of the week. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

function useWeekdayNames(width: 'short' | 'long'): (day: Weekday) => string {
	const intl = useIntl();
	return (day) => intl.formatDate(MONDAY + WEEKDAYS.indexOf(day) * DAY, { weekday: width, timeZone: 'UTC' });
}

/** One day at least stays chosen. */
export function WeekdayChips({ days, onChange }: { days: readonly Weekday[]; onChange: (days: Weekday[]) => void }) {
	const say = useSay();
	const short = useWeekdayNames('short');
	const long = useWeekdayNames('long');
	const toggle = (day: Weekday): void => {
		const next = WEEKDAYS.filter((each) => (each === day ? !days.includes(day) : days.includes(each)));
		if (next.length > 0) onChange(next);
	};
	return (
		<fieldset className="weekdays">
			<legend className="vh">{say('tasks.weekdays')}</legend>
			{WEEKDAYS.map((day) => (
				<button key={day} type="button" className="chip" aria-pressed={days.includes(day)} title={long(day)} onClick={() => toggle(day)}>
					{short(day)}
				</button>
			))}
		</fieldset>
	);
}

const BY_DAY = 'day';
const DAYS = Array.from({ length: 31 }, (_, index) => index + 1);

/** A day of the month by its number, or by its weekday: the last Friday. */
export function MonthDayFields({ on, onChange }: { on: MonthDay; onChange: (on: MonthDay) => void }) {
	const say = useSay();
	const long = useWeekdayNames('long');
	const nth = 'nth' in on ? on : undefined;
	return (
		<>
			<Select
				label={say('tasks.whichDay')}
				value={nth ? String(nth.nth) : BY_DAY}
				options={[
					{ value: BY_DAY, label: say('tasks.onDay') },
					...NTHS.map((each) => ({ value: String(each), label: say('tasks.onNth', { nth: each }) })),
				]}
				onChange={(next) => {
					const chosen = NTHS.find((each) => String(each) === next);
					onChange(chosen === undefined ? { day: 1 } : { nth: chosen, weekday: nth?.weekday ?? 'MO' });
				}}
				className="short"
			/>
			{nth ? (
				<Select
					label={say('tasks.weekday')}
					value={nth.weekday}
					options={WEEKDAYS.map((day) => ({ value: day, label: long(day) }))}
					onChange={(next) => onChange({ nth: nth.nth, weekday: WEEKDAYS.find((day) => day === next) ?? nth.weekday })}
					className="short"
				/>
			) : (
				<Select
					label={say('tasks.dayOfMonth')}
					value={String('day' in on ? on.day : 1)}
					options={[...DAYS.map((day) => ({ value: String(day), label: String(day) })), { value: '-1', label: say('tasks.lastDay') }]}
					onChange={(day) => onChange({ day: Number(day) })}
					className="short"
				/>
			)}
		</>
	);
}

interface YearDayProps {
	month: number;
	day: number;
	onChange: (of: { month: number; day: number }) => void;
}

export function YearDayFields({ month, day, onChange }: YearDayProps) {
	const say = useSay();
	const intl = useIntl();
	const months = Array.from({ length: 12 }, (_, index) => ({
		value: String(index + 1),
		label: intl.formatDate(Date.UTC(2024, index, 1), { month: 'long', timeZone: 'UTC' }),
	}));
	return (
		<>
			<Select
				label={say('tasks.dayOfMonth')}
				value={String(day)}
				options={DAYS.map((each) => ({ value: String(each), label: String(each) }))}
				onChange={(next) => onChange({ month, day: Number(next) })}
				className="short"
			/>
			<Select
				label={say('tasks.month')}
				value={String(month)}
				options={months}
				onChange={(next) => onChange({ month: Number(next), day })}
				className="short"
			/>
		</>
	);
}
