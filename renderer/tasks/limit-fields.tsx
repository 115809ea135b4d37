import type { Schedule } from '../../src/domain/schedule.ts';
import type { MissedPolicy, OverlapPolicy, TaskDraft } from '../../src/domain/task.ts';
import { fieldTime, timeOf } from '../inbox/snooze-times.ts';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { FormRow, NumberField, Seg } from './form-row.tsx';

interface LimitProps {
	draft: TaskDraft;
	problem: (path: string) => string | undefined;
	onChange: (change: Partial<TaskDraft>) => void;
}

const MISSED = ['skip', 'once', 'every', 'ask'] as const satisfies readonly MissedPolicy['kind'][];
const FIRST_MISSED: Record<MissedPolicy['kind'], MissedPolicy> = {
	skip: { kind: 'skip' },
	once: { kind: 'once', withinHours: 12 },
	every: { kind: 'every', most: 5 },
	ask: { kind: 'ask' },
};
const OVERLAPS = ['queue', 'skip', 'replace'] as const satisfies readonly OverlapPolicy[];

/** What becomes of runs that could not be, and of one that comes while another is at work. */
export function PolicyFields({ draft: { missed, overlap }, problem, onChange }: LimitProps) {
	const say = useSay();
	return (
		<>
			<FormRow name={say('tasks.ifMissed')} problems={[problem('missed.withinHours'), problem('missed.most')]}>
				<Seg
					label={say('tasks.ifMissed')}
					value={missed.kind}
					options={MISSED}
					words={(kind) => say(`tasks.missed.${kind}`)}
					onChange={(kind) => onChange({ missed: FIRST_MISSED[kind] })}
				/>
				{missed.kind === 'once' ? (
					<NumberField
						label={say('tasks.withinHours')}
						value={missed.withinHours}
						unit={say('tasks.hoursAfter')}
						bad={problem('missed.withinHours') !== undefined}
						onChange={(withinHours) => onChange({ missed: { kind: 'once', withinHours: withinHours ?? Number.NaN } })}
					/>
				) : null}
				{missed.kind === 'every' ? (
					<NumberField
						label={say('tasks.mostMissed')}
						value={missed.most}
						unit={say('tasks.mostUnit')}
						bad={problem('missed.most') !== undefined}
						onChange={(most) => onChange({ missed: { kind: 'every', most: most ?? Number.NaN } })}
					/>
				) : null}
			</FormRow>
			<FormRow name={say('tasks.overlap')}>
				<Select
					label={say('tasks.overlap')}
					value={overlap}
					options={OVERLAPS.map((each) => ({ value: each, label: say(`tasks.overlap.${each}`) }))}
					onChange={(next) => onChange({ overlap: OVERLAPS.find((each) => each === next) ?? 'queue' })}
				/>
			</FormRow>
		</>
	);
}

/** How much a run may use. */
export function BudgetRow({ draft: { budget }, problem, onChange }: LimitProps) {
	const say = useSay();
	const set = (part: keyof typeof budget, value: number | undefined): void => {
		const { [part]: _before, ...rest } = budget;
		onChange({ budget: value === undefined ? rest : { ...rest, [part]: value } });
	};
	const parts = ['tokens', 'costUsd', 'minutes'] as const;
	return (
		<FormRow name={say('tasks.budget')} problems={parts.map((part) => problem(`budget.${part}`))}>
			{parts.map((part) => (
				<NumberField
					key={part}
					label={say(`tasks.budget.${part}`)}
					value={budget[part]}
					optional
					placeholder={say('tasks.noLimit')}
					unit={say(`tasks.budgetUnit.${part}`)}
					bad={problem(`budget.${part}`) !== undefined}
					onChange={(value) => set(part, value)}
				/>
			))}
		</FormRow>
	);
}

/** How often a run that failed is tried again, and when the task stops by itself. */
export function FailureRow({ draft: { failure }, problem, onChange }: LimitProps) {
	const say = useSay();
	const parts = ['tries', 'pauseSeconds', 'stopAfter'] as const;
	return (
		<FormRow name={say('tasks.ifFailed')} problems={parts.map((part) => problem(`failure.${part}`))}>
			{parts.map((part) => (
				<NumberField
					key={part}
					label={say(`tasks.failure.${part}`)}
					value={failure[part]}
					unit={say(`tasks.failureUnit.${part}`)}
					bad={problem(`failure.${part}`) !== undefined}
					onChange={(value) => onChange({ failure: { ...failure, [part]: value ?? Number.NaN } })}
				/>
			))}
		</FormRow>
	);
}

interface MoreWhenProps {
	schedule: Schedule;
	problem: (path: string) => string | undefined;
	onChange: (schedule: Schedule) => void;
}

const HOURS = { from: '08:00', to: '22:00' };

/** Limits of a schedule: hours of the day, a first and a last moment, and not all tasks at the very same one. */
export function MoreWhen({ schedule, problem, onChange }: MoreWhenProps) {
	const say = useSay();
	const { hours, jitterSeconds } = schedule;
	const { hours: _hours, ...without } = schedule;
	const at = 'when.schedule';
	const setMoment = (part: 'from' | 'until', typed: string): void => {
		const { [part]: _before, ...rest } = schedule;
		const moment = timeOf(typed);
		onChange(moment === undefined ? (rest as Schedule) : { ...rest, [part]: moment });
	};
	const setHours = (change: Partial<typeof HOURS>): void => onChange({ ...schedule, hours: { ...(hours ?? HOURS), ...change } });
	return (
		<>
			<FormRow name={say('tasks.hours')} problems={[problem(`${at}.hours`)]}>
				<label className="check">
					<input
						type="checkbox"
						checked={hours !== undefined}
						onChange={({ target }) => (target.checked ? setHours({}) : onChange(without as Schedule))}
					/>
					<span>{say('tasks.onlyBetween')}</span>
				</label>
				{hours
					? (['from', 'to'] as const).map((end) => (
							<input
								key={end}
								className="field time"
								type="time"
								aria-label={say(`tasks.hours.${end}`)}
								value={hours[end]}
								onChange={({ target }) => (target.value === '' ? undefined : setHours({ [end]: target.value.slice(0, 5) }))}
							/>
						))
					: null}
			</FormRow>
			<FormRow name={say('tasks.span')}>
				{(['from', 'until'] as const).map((end) => (
					<label key={end} className="span-end">
						<span className="meta">{say(`tasks.span.${end}`)}</span>
						<input
							className="field"
							type="datetime-local"
							value={schedule[end] === undefined ? '' : fieldTime(schedule[end])}
							onChange={({ target }) => setMoment(end, target.value)}
						/>
					</label>
				))}
			</FormRow>
			<FormRow name={say('tasks.jitter')} problems={[problem(`${at}.jitterSeconds`)]}>
				<NumberField
					label={say('tasks.jitterLabel')}
					value={jitterSeconds}
					unit={say('tasks.jitterUnit')}
					bad={problem(`${at}.jitterSeconds`) !== undefined}
					onChange={(seconds) => onChange({ ...schedule, jitterSeconds: seconds ?? Number.NaN })}
				/>
			</FormRow>
		</>
	);
}
