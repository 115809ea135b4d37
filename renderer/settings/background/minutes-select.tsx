import { Select } from '../../ui/select.tsx';
import { type Say, useSay } from '../../ui/strings.tsx';

interface MinutesSelectProps {
	label: string;
	/** Minutes. */
	options: readonly number[];
	value: number;
	onChange: (minutes: number) => void;
}

/** A span of time between two readings; one that was set elsewhere is offered too. */
export function MinutesSelect({ label, options, value, onChange }: MinutesSelectProps) {
	const say = useSay();
	const offered = options.includes(value) ? options : [...options, value].sort((one, other) => one - other);
	return (
		<Select
			label={label}
			value={String(value)}
			onChange={(next) => onChange(Number(next))}
			options={offered.map((minutes) => ({ value: String(minutes), label: minutesWords(say, minutes) }))}
		/>
	);
}

function minutesWords(say: Say, minutes: number): string {
	if (minutes % 1440 === 0) return say('background.minutes', { unit: 'days', count: minutes / 1440 });
	if (minutes % 60 === 0) return say('background.minutes', { unit: 'hours', count: minutes / 60 });
	return say('background.minutes', { unit: 'minutes', count: minutes });
}
