import type { CronPattern } from 'croner';
import { chosen, type ParsedCron, parseCron } from './cron.ts';
import { HOUR, MINUTE } from './local-time.ts';
import {
	clockText,
	dayOfMonth,
	everyWords,
	listed,
	monthName,
	monthNames,
	nthWord,
	timesOnDays,
	timesWords,
	WEEKDAY_NAMES,
	weekdayWords,
} from './word-parts.ts';

/** What a cron expression says: `Every weekday at 09:00`. */
export function cronInWords(expression: string): string {
	const parsed = parseCron(expression);
	const days = daysInWords(parsed.read);
	const often = parsed.pattern.kind === 'wild' ? oftenInWords(parsed) : (timesWords(parsed.times) ?? minutesOfHours(parsed.read));
	return timesOnDays(often, days);
}

/** Where both day fields are given and either suffices (sch-6): the two kinds of days. */
export function eitherDay(expression: string): { readonly ofMonth: string; readonly weekdays: string } | undefined {
	const { read } = parseCron(expression);
	if (read.starDOM || read.starDOW || read.useAndLogic) return undefined;
	return { ofMonth: `the ${daysOfMonth(read)}`, weekdays: weekdays(read) };
}

/** Of steps and wildcards. */
function oftenInWords({ read, fields, times }: ParsedCron): string {
	const minutes = chosen(read.minute);
	const hours = chosen(read.hour);
	const [firstMinute = 0, lastMinute = 0] = [minutes[0], minutes.at(-1)];
	const [firstHour = 0, lastHour = 0] = [hours[0], hours.at(-1)];
	const step = minuteStep(fields.minute);
	const isOneStretch = lastHour - firstHour === hours.length - 1;
	if (hours.length === 24 && minutes.length === 1) return firstMinute === 0 ? 'every hour' : `every hour at minute ${firstMinute}`;
	if (step !== undefined && hours.length === 24) return everyWords(step * 60).toLowerCase();
	if (step !== undefined && isOneStretch) {
		const [from, to] = [firstHour * HOUR + firstMinute * MINUTE, lastHour * HOUR + lastMinute * MINUTE];
		return `${everyWords(step * 60).toLowerCase()} from ${clockText(from)} to ${clockText(to)}`;
	}
	return timesWords(times) ?? minutesOfHours(read);
}

function minutesOfHours(read: CronPattern): string {
	const [minutes, hours] = [chosen(read.minute), chosen(read.hour)];
	const atMinutes = `at minute${minutes.length === 1 ? '' : 's'} ${listed(minutes.map(String))} of `;
	if (hours.length === 24) return `${atMinutes}every hour`;
	return `${atMinutes}the hours ${listed(hours.map((hour) => clockText(hour * HOUR)))}`;
}

/** Of a field whose step goes on evenly from hour to hour. */
function minuteStep(field: string): number | undefined {
	if (field === '*' || field === '?') return 1;
	const step = Number(/^(?:\*|0-59)\/(\d+)$/.exec(field)?.[1]);
	return step > 0 && 60 % step === 0 ? step : undefined;
}

function daysInWords(read: CronPattern): string {
	const months = chosen(read.month, 1);
	const inMonths = months.length === 12 ? '' : ` in ${monthNames(months)}`;
	if (read.starDOM && read.starDOW) return `Every day${inMonths}`;
	if (read.starDOM)
		return `${read.dayOfWeek.some((which) => which === ANY_OF_MONTH) ? '' : 'On '}${weekdays(read)}${inMonths}`.replace(/^e/, 'E');
	const [month, otherMonth] = months;
	const [day, otherDay] = read.lastDayOfMonth || read.lastWeekday || read.nearestWeekdays.some(Boolean) ? [] : chosen(read.day, 1);
	const ofMonth = `the ${daysOfMonth(read)}${months.length === 12 ? ' of every month' : ` of ${monthNames(months)}`}`;
	if (read.starDOW) {
		if (month && day && !otherMonth && !otherDay) return `Every year on ${day} ${monthName(month)}`;
		return `On ${ofMonth}`;
	}
	if (read.useAndLogic) return `On ${ofMonth} where it is a ${weekdayList(read)}`;
	return `On ${ofMonth}, and also ${weekdays(read)}${inMonths},`;
}

function daysOfMonth({ day, lastDayOfMonth, lastWeekday, nearestWeekdays }: CronPattern): string {
	return listed([
		...chosen(day, 1).map(dayOfMonth),
		...chosen(nearestWeekdays, 1).map((near) => `workday nearest to the ${dayOfMonth(near)}`),
		...(lastDayOfMonth ? ['last day'] : []),
		...(lastWeekday ? ['last workday'] : []),
	]);
}

const ANY_OF_MONTH = 0b111111;
const LAST_OF_MONTH = 0b100000;

/** `every Monday and Friday`, `the second and last Friday of every month`. */
function weekdays({ dayOfWeek }: CronPattern): string {
	const any = chosen(dayOfWeek.map((which) => (which === ANY_OF_MONTH ? 1 : 0)));
	const numbered = dayOfWeek.flatMap((which, day) => {
		if (which === 0 || which === ANY_OF_MONTH) return [];
		const nths = [1, 2, 3, 4, 5].filter((nth) => which & (1 << (nth - 1)));
		return [`the ${listed([...nths, ...(which & LAST_OF_MONTH ? [-1] : [])].map(nthWord))} ${WEEKDAY_NAMES[day]}`];
	});
	return listed([
		...(any.length > 0 ? [`every ${weekdayWords(any)}`] : []),
		...(numbered.length > 0 ? [`${listed(numbered)} of every month`] : []),
	]);
}

function weekdayList({ dayOfWeek }: CronPattern): string {
	return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(chosen(dayOfWeek).map((day) => WEEKDAY_NAMES[day] ?? ''));
}
