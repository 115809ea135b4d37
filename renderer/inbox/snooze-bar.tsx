import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import type { Proposal } from '../../src/domain/proposal.ts';
import { useNow } from '../chat/use-now.ts';
import { Button } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusTitle } from './focus.ts';
import { leaveForms } from './inbox-ui-store.ts';
import { fieldTime, SNOOZES, snoozeUntil, timeOf } from './snooze-times.ts';
import { useTime } from './snooze-words.ts';
import type { Deciding } from './use-deciding.ts';

/** When it is to come back: a word for it, or a time. The first of them has the focus; a number or an arrow chooses. */
export function SnoozeBar({ proposal, busy, deciding }: { proposal: Proposal; busy: boolean; deciding: Deciding }) {
	const say = useSay();
	const time = useTime();
	const intl = useIntl();
	const now = useNow();
	const [picked, setPicked] = useState<string>();
	const bar = useRef<HTMLElement>(null);
	const picking = picked !== undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: when the field comes it has the focus
	useEffect(() => bar.current?.querySelector<HTMLElement>('input, button')?.focus(), [picking]);
	const choices = SNOOZES.flatMap((choice) => {
		const until = snoozeUntil(choice, now);
		return until === undefined ? [] : [{ choice, until }];
	});
	const until = picked === undefined ? undefined : timeOf(picked);
	const isSnoozed = (proposal.snoozedUntil ?? 0) > now;
	const onKeyDown = (event: React.KeyboardEvent): void => {
		if (isComposing(event)) return;
		const number = picking ? undefined : choices[Number(event.key) - 1];
		if (event.key === 'Escape') {
			leaveForms();
			focusTitle();
		} else if (number && !event.repeat && !busy) deciding.snooze(proposal, number.until, number.choice);
		else if (!picking && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) move(bar.current, event.key === 'ArrowRight' ? 1 : -1);
		else return;
		event.preventDefault();
	};
	return (
		<section className="pane-foot decide snooze" ref={bar} aria-label={say('inbox.snooze.title')} onKeyDown={onKeyDown}>
			{picking ? (
				<>
					<input
						className="field"
						type="datetime-local"
						aria-label={say('inbox.snooze.until')}
						min={fieldTime(now)}
						value={picked}
						onChange={({ target }) => setPicked(target.value)}
					/>
					<Button
						busy={busy}
						disabled={until === undefined || until <= now}
						onClick={() => (until === undefined ? undefined : deciding.snooze(proposal, until))}
					>
						{say('inbox.snooze.confirm')}
					</Button>
				</>
			) : (
				<>
					{isSnoozed ? (
						<Button busy={busy} onClick={() => deciding.snooze(proposal, null)}>
							{say('inbox.snooze.now')}
						</Button>
					) : null}
					{choices.map(({ choice, until: at }, index) => (
						<Button key={choice} busy={busy} onClick={() => deciding.snooze(proposal, at, choice)}>
							<Kbd keys={String(index + 1)} /> {say(`inbox.snooze.${choice}`)}{' '}
							<span className="dim">{choice === 'week' ? time(at) : intl.formatTime(at)}</span>
						</Button>
					))}
					<Button onClick={() => setPicked(fieldTime(snoozeUntil('tomorrow', now) ?? now))}>{say('inbox.snooze.pick')}</Button>
				</>
			)}
			<span className="grow" />
			<Button kind="ghost" onClick={leaveForms}>
				{say('common.cancel')}
			</Button>
		</section>
	);
}

function move(bar: HTMLElement | null, by: number): void {
	const buttons: Element[] = [...(bar?.querySelectorAll('button') ?? [])];
	const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1;
	const next = buttons[(at + by + buttons.length) % buttons.length];
	if (next instanceof HTMLElement) next.focus();
}
