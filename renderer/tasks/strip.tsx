import { type KeyboardEvent, useMemo } from 'react';
import { useIntl } from 'react-intl';
import { useLocation } from 'wouter';
import { useNow } from '../chat/use-now.ts';
import { useSay } from '../ui/strings.tsx';
import { dayStart, type StripDay, stripDays, stripStarts } from './days.ts';
import { focusPane } from './focus.ts';
import { dayPlace } from './place.ts';
import { useComingDays } from './queries.ts';

/** The dots of a day; more runs have as many. */
const DOTS = [1, 2, 3];

/** The coming two weeks, each day with how much runs on it. */
export function Strip({ day }: { day: string | undefined }) {
	const say = useSay();
	const now = useNow();
	const from = dayStart(now);
	const starts = useMemo(() => stripStarts(from), [from]);
	const counts = useComingDays(starts).data?.days;
	const days = useMemo(() => stripDays(counts, from), [counts, from]);
	const tabbed = days.find((each) => each.day === day)?.day ?? days[0]?.day;
	const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
		const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
		if (by === 0 || !(event.target instanceof HTMLElement)) return;
		event.preventDefault();
		const buttons: HTMLElement[] = [...event.currentTarget.querySelectorAll('button')];
		buttons[buttons.indexOf(event.target) + by]?.focus();
	};
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset would have to be laid out as a row of buttons
		<div className="days" role="group" aria-label={say('tasks.strip')} onKeyDown={onKeyDown}>
			{days.map((each) => (
				<Day key={each.day} day={each} current={each.day === day} tabbed={each.day === tabbed} />
			))}
		</div>
	);
}

function Day({ day, current, tabbed }: { day: StripDay; current: boolean; tabbed: boolean }) {
	const say = useSay();
	const intl = useIntl();
	const [, navigate] = useLocation();
	const { from, runs, more } = day;
	const name = intl.formatDate(from, { weekday: 'long', day: 'numeric', month: 'long' });
	const weekend = [0, 6].includes(new Date(from).getDay());
	return (
		<button
			type="button"
			className={weekend ? 'days-day weekend' : 'days-day'}
			aria-current={current ? 'true' : undefined}
			tabIndex={tabbed ? 0 : -1}
			onClick={(event) => {
				navigate(dayPlace(day.day));
				if (event.detail === 0) focusPane();
			}}
		>
			<span className="vh">{runs === undefined ? name : say(more ? 'tasks.dayAtLeast' : 'tasks.day', { day: name, count: runs })}</span>
			<span className="days-name" aria-hidden="true">
				{intl.formatDate(from, { weekday: 'narrow' })}
			</span>
			<span className="days-date num" aria-hidden="true">
				{new Date(from).getDate()}
			</span>
			<span className="days-dots" aria-hidden="true">
				{DOTS.slice(0, runs ?? 0).map((dot) => (
					<i key={dot} />
				))}
			</span>
		</button>
	);
}
