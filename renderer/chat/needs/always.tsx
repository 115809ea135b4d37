import { useId, useState } from 'react';
import { useIntl } from 'react-intl';
import type { PermissionOffer } from '../../../src/domain/permission.ts';
import type { InterruptAnswer } from '../../../src/domain/run.ts';
import { useTaskTitle } from '../../tasks/queries.ts';
import { Button } from '../../ui/button.tsx';
import { limitWords, scopeWords, useJobWords } from '../../ui/permission-words.ts';
import { Select } from '../../ui/select.tsx';
import { useSay } from '../../ui/strings.tsx';

/** Days that a standing permission may be given for; 0: until it is taken back. */
const DAYS = [0, 1, 7, 30];
const DAY_MS = 86_400_000;

export function untilOf(days: number): { until?: number } {
	return days === 0 ? {} : { until: Date.now() + days * DAY_MS };
}

export function useDayOptions(): { value: string; label: string }[] {
	const say = useSay();
	return DAYS.map((days) => ({
		value: `${days}`,
		label: days === 0 ? say('permissions.forever') : say('permissions.days', { count: days }),
	}));
}

interface AlwaysProps {
	offers: readonly PermissionOffer[];
	busy: boolean;
	onAnswer: (answer: InterruptAnswer) => void;
	onCancel: () => void;
}

/** A standing permission with the yes: what it is for and until when stand there before it is given. */
export function Always({ offers, busy, onAnswer, onCancel }: AlwaysProps) {
	const say = useSay();
	const intl = useIntl();
	const jobWords = useJobWords();
	const [days, setDays] = useState('0');
	const id = useId();
	const options = useDayOptions();
	const place = offers.findIndex(({ reach }) => reach === 'standing');
	const offer = offers[place];
	const taskTitle = useTaskTitle(offer?.terms.job);
	if (!offer) return null;
	const { terms } = offer;
	return (
		<section className="need-more" aria-labelledby={id}>
			<h3 id={id}>{say('needs.alwaysTitle')}</h3>
			<ul className="terms">
				<li>{scopeWords(say, terms.scope)}</li>
				<li>{jobWords(terms.job, taskTitle)}</li>
				{limitWords(say, intl, terms).map((words) => (
					<li key={words}>{words}</li>
				))}
			</ul>
			<div className="need-more-end">
				<Select label={say('permissions.field.until')} value={days} options={options} onChange={setDays} disabled={busy} />
				<span className="grow" />
				<Button onClick={onCancel} disabled={busy}>
					{say('common.cancel')}
				</Button>
				<Button kind="primary" busy={busy} onClick={() => onAnswer({ type: 'approve', offer: place, ...untilOf(Number(days)) })}>
					{say('needs.alwaysDo')}
				</Button>
			</div>
		</section>
	);
}
