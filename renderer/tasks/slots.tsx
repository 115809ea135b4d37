import { useIntl } from 'react-intl';
import type { Slot } from '../../src/domain/schedule.ts';
import { useNow } from '../chat/use-now.ts';
import { useSay, yearOf } from '../ui/strings.tsx';
import { CLOCK, clockWords, nearDay, timeUntil, wallOf } from './times.ts';

/** Coming runs by the clock on the wall of their zone, each with its offset: what is unusual about one is said beside it. */
export function Slots({ slots, label }: { slots: readonly Slot[]; label: string }) {
	const say = useSay();
	const intl = useIntl();
	const now = useNow();
	return (
		<ol className="next5" aria-label={label}>
			{slots.map((slot, index) => {
				const wall = wallOf(slot.local);
				const clock = clockWords(say, slot);
				const date = { weekday: 'short', day: 'numeric', month: 'long', ...yearOf(slot.at), timeZone: 'UTC' } as const;
				return (
					<li key={slot.at}>
						<span>{intl.formatDate(wall, date)}</span>
						<span>{intl.formatDate(wall, { ...CLOCK, timeZone: 'UTC' })}</span>
						<span className={clock ? 'meta dst' : 'meta'}>{slot.offset}</span>
						<span className="meta">{clock ?? (index === 0 ? timeUntil(say, slot.dueAt, now) : '')}</span>
					</li>
				);
			})}
		</ol>
	);
}

/** `today, 19:00`; `tomorrow, 07:30`; `Sun 15 March, 09:00`: by the owner's own clock. `begins`: it begins a sentence. */
export function useMoment(): (at: number, options?: { begins?: boolean }) => string {
	const say = useSay();
	const intl = useIntl();
	const now = useNow();
	return (at, { begins = false } = {}) => {
		const time = intl.formatDate(at, CLOCK);
		const near = nearDay(at, now);
		if (near !== 'other') return say(`tasks.near.${near}`, { time, begins: begins ? 'yes' : 'no' });
		return say('tasks.near.other', { day: intl.formatDate(at, { weekday: 'short', day: 'numeric', month: 'long', ...yearOf(at) }), time });
	};
}
