import { useState } from 'react';
import type { Schedule, Timing } from '../../src/domain/schedule.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { MonthDayFields, WeekdayChips, YearDayFields } from './date-fields.tsx';
import { FormRow, Hint, NumberField } from './form-row.tsx';
import { type Pattern, type PatternKind, patternOf, patternOfKind, timingOf, UNITS, writtenPattern } from './pattern.ts';
import { WrittenField } from './written-field.tsx';
import { ZONES } from './zones.ts';

const KINDS = ['once', 'days', 'weeks', 'months', 'years', 'interval', 'cron', 'rule'] as const satisfies readonly PatternKind[];
/** Instead of a schedule: something that happens. */
const EVENT = 'event';

interface WhenFieldsProps {
	schedule: Schedule;
	/** The zone that its times are in now. */
	zone: string;
	problem: (path: string) => string | undefined;
	/** What the runtime says of it. */
	refused: string | undefined;
	onChange: (schedule: Schedule) => void;
	onEvent: () => void;
}

/** When it runs: how often, at what time, in which zone. */
export function WhenFields({ schedule, zone, problem, refused, onChange, onEvent }: WhenFieldsProps) {
	const say = useSay();
	const { timing } = schedule;
	// An expression that is being written stays one, also in the moment in which the form could say the same.
	const [written, setWritten] = useState(() => isWritten(patternOf(timing).kind));
	const pattern = written ? writtenPattern(timing) : patternOf(timing);
	const today = dayIn(zone);
	const set = (next: Pattern): void => onChange({ ...schedule, timing: timingOf(next, timing, { today, now: Date.now() }) });
	const choose = (kind: PatternKind): void => {
		setWritten(isWritten(kind));
		set(patternOfKind(kind, timing, today));
	};
	const kinds: PatternKind[] = pattern.kind === 'moment' ? [...KINDS, 'moment'] : [...KINDS];
	const path = 'when.schedule.timing';
	return (
		<>
			<FormRow
				name={say('tasks.when')}
				problems={[problem(`${path}.seconds`), problem(`${path}.expression`), problem(`${path}.rule`), problem(`${path}.local`), refused]}
			>
				<Select
					label={say('tasks.howOften')}
					value={pattern.kind}
					options={[
						...kinds.map((kind) => ({ value: kind, label: say(`tasks.pattern.${kind}`) })),
						{ value: EVENT, label: say('tasks.pattern.event') },
					]}
					onChange={(kind) => (kind === EVENT ? onEvent() : choose(kind as PatternKind))}
				/>
				<PatternFields pattern={pattern} bad={refused !== undefined} onChange={set} />
			</FormRow>
			<Zone timing={timing} zone={zone} onChange={(next) => onChange({ ...schedule, timing: next })} />
		</>
	);
}

const isWritten = (kind: PatternKind): boolean => kind === 'cron' || kind === 'rule';

/** Such as 2026-12-03: the day that it is in that zone. */
function dayIn(zone: string): string {
	try {
		return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.now());
	} catch {
		return new Intl.DateTimeFormat('en-CA').format(Date.now());
	}
}

function PatternFields({ pattern, bad, onChange }: { pattern: Pattern; bad: boolean; onChange: (pattern: Pattern) => void }) {
	const say = useSay();
	switch (pattern.kind) {
		case 'once':
			return (
				<>
					<DateField date={pattern.date} onChange={(date) => onChange({ ...pattern, date })} />
					<TimeField time={pattern.time} onChange={(time) => onChange({ ...pattern, time })} />
				</>
			);
		case 'days':
			return (
				<>
					<Every pattern={pattern} onChange={(every) => onChange({ ...pattern, every })} />
					<TimeField time={pattern.time} onChange={(time) => onChange({ ...pattern, time })} />
				</>
			);
		case 'weeks':
			return (
				<>
					<Every pattern={pattern} onChange={(every) => onChange({ ...pattern, every })} />
					<WeekdayChips days={pattern.days} onChange={(days) => onChange({ ...pattern, days })} />
					<TimeField time={pattern.time} onChange={(time) => onChange({ ...pattern, time })} />
				</>
			);
		case 'months':
			return (
				<>
					<Every pattern={pattern} onChange={(every) => onChange({ ...pattern, every })} />
					<MonthDayFields on={pattern.on} onChange={(on) => onChange({ ...pattern, on })} />
					<TimeField time={pattern.time} onChange={(time) => onChange({ ...pattern, time })} />
				</>
			);
		case 'years':
			return (
				<>
					<YearDayFields month={pattern.month} day={pattern.day} onChange={(day) => onChange({ ...pattern, ...day })} />
					<TimeField time={pattern.time} onChange={(time) => onChange({ ...pattern, time })} />
				</>
			);
		case 'interval':
			return (
				<>
					<NumberField
						label={say('tasks.intervalCount')}
						value={pattern.count}
						onChange={(count) => onChange({ ...pattern, count: count ?? Number.NaN })}
						bad={!(pattern.count >= 1)}
					/>
					<Select
						label={say('tasks.intervalUnit')}
						value={pattern.unit}
						options={UNITS.map((unit) => ({ value: unit, label: say(`tasks.unit.${unit}`) }))}
						onChange={(unit) => onChange({ ...pattern, unit: UNITS.find((each) => each === unit) ?? 'minutes' })}
						className="short"
					/>
				</>
			);
		case 'moment':
			return <Hint id="tasks.momentHint" />;
		case 'cron':
			return (
				<>
					<WrittenField
						dir="ltr"
						label={say('tasks.cronLabel')}
						value={pattern.expression}
						bad={bad}
						onChange={(expression) => onChange({ ...pattern, expression })}
					/>
					<Hint id="tasks.cronHint" />
				</>
			);
		case 'rule':
			return (
				<>
					<WrittenField
						dir="ltr"
						label={say('tasks.ruleLabel')}
						value={pattern.rule}
						bad={bad}
						onChange={(rule) => onChange({ ...pattern, rule })}
					/>
					<span className="meta">{say('tasks.ruleFrom')}</span>
					<DateField date={pattern.date} onChange={(date) => onChange({ ...pattern, date })} />
					<TimeField time={pattern.time} onChange={(time) => onChange({ ...pattern, time })} />
				</>
			);
	}
}

/** A field that is cleared keeps what it said: there is no run without a time. */
function TimeField({ time, onChange }: { time: string; onChange: (time: string) => void }) {
	const say = useSay();
	return (
		<input
			className="field time"
			type="time"
			aria-label={say('tasks.time')}
			value={time}
			onChange={({ target }) => (target.value === '' ? undefined : onChange(target.value.slice(0, 5)))}
		/>
	);
}

function DateField({ date, onChange }: { date: string; onChange: (date: string) => void }) {
	const say = useSay();
	return (
		<input
			className="field date"
			type="date"
			aria-label={say('tasks.date')}
			value={date}
			onChange={({ target }) => (/^\d{4}-/.test(target.value) ? onChange(target.value) : undefined)}
		/>
	);
}

/** Each, each second, each third. */
function Every({ pattern, onChange }: { pattern: Extract<Pattern, { every: number }>; onChange: (every: number) => void }) {
	const say = useSay();
	const offered = [...new Set([1, 2, 3, 4, 6, pattern.every])].sort((one, other) => one - other);
	return (
		<Select
			label={say('tasks.every')}
			value={String(pattern.every)}
			options={offered.map((every) => ({ value: String(every), label: say(`tasks.every.${pattern.kind}`, { every }) }))}
			onChange={(every) => onChange(Number(every))}
			className="short"
		/>
	);
}

/** The owner's own zone, wherever they are then. */
const MINE = '';

function Zone({ timing, zone, onChange }: { timing: Timing; zone: string; onChange: (timing: Timing) => void }) {
	const say = useSay();
	if (timing.kind === 'moment' || timing.kind === 'every') {
		return (
			<FormRow name={say('tasks.zone')}>
				<Hint id={timing.kind === 'every' ? 'tasks.zoneEvery' : 'tasks.zoneMoment'} />
			</FormRow>
		);
	}
	const { zone: named, ...rest } = timing;
	const others = named !== undefined && !ZONES.includes(named) ? [named, ...ZONES] : ZONES;
	const pattern = patternOf(timing);
	const time = 'time' in pattern ? pattern.time : undefined;
	return (
		<FormRow name={say('tasks.zone')}>
			<Combobox
				label={say('tasks.zone')}
				value={named ?? MINE}
				options={[
					{ value: MINE, label: named === undefined ? say('tasks.zoneMineNow', { zone }) : say('tasks.zoneMine') },
					...others.map((each) => ({ value: each, label: each })),
				]}
				none={say('tasks.zoneNone')}
				onChange={(next) => onChange(next === MINE ? rest : { ...rest, zone: next })}
			/>
			<span className="meta">
				{named === undefined ? say('tasks.zoneMineHint') : time ? say('tasks.zoneStays', { time }) : say('tasks.zoneNamed')}
			</span>
		</FormRow>
	);
}
