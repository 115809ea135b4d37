import { useIntl } from 'react-intl';
import { useSay, yearOf } from '../ui/strings.tsx';

/** “Snoozed. It comes back on Tue 10 March, 08:00.” */
export function useSnoozeWords(): (until: number) => string {
	const say = useSay();
	const time = useTime();
	return (until) => say('inbox.done.snoozed', { time: time(until) });
}

/** A coming time with its day of the week: that is what one remembers it by. */
export function useTime(): (at: number) => string {
	const intl = useIntl();
	return (at) => {
		const day = intl.formatDate(at, { weekday: 'short', day: 'numeric', month: 'long', ...yearOf(at) });
		return `${day}, ${intl.formatTime(at)}`;
	};
}
