import type { Schedule, Timing } from '../domain/schedule.ts';
import { cronInWords } from './cron-words.ts';
import { wallAt } from './local-time.ts';
import { ruleInWords } from './rule-words.ts';
import { wallOf } from './wall-text.ts';
import { dateTimeText, everyWords } from './word-parts.ts';

/**
 * When a schedule comes, in words without a zone, which is shown beside: `Every weekday at 09:00`. `zone`: the owner's, for moments; absent,
 * they are said in UTC. Throws a HearthError where the timing can't be read.
 */
export function timingInWords({ timing, hours }: Schedule, zone?: string): string {
	const words = timingAloneInWords(timing, zone);
	return hours ? `${words}, only between ${hours.from} and ${hours.to}` : words;
}

function timingAloneInWords(timing: Timing, zone: string | undefined): string {
	switch (timing.kind) {
		case 'at':
			return `On ${dateTimeText(wallOf(timing.local))}`;
		case 'moment':
			return zone === undefined ? `On ${dateTimeText(timing.at)} UTC` : `On ${dateTimeText(wallAt(timing.at, zone))}`;
		case 'every':
			return everyWords(timing.seconds);
		case 'cron':
			return cronInWords(timing.expression);
		case 'rrule':
			return ruleInWords(timing.rule, timing.start);
	}
}
