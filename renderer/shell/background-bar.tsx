import { Link } from 'wouter';
import { type BackgroundState, backgroundState } from '../../src/contract/background-state.ts';
import { useConnection } from '../connection/index.ts';
import { BACKGROUND } from '../settings/background/place.ts';
import { SPENDING } from '../settings/spending/place.ts';
import { useWhen } from '../timeline/marks.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { type Say, useSay } from '../ui/strings.tsx';
import { Tooltip } from '../ui/tooltip.tsx';

import { useHeartbeat } from './queries.ts';

/** Whether background work is on, off or held, in the title bar; it leads to where that can be changed. */
export function BackgroundBar() {
	const say = useSay();
	const when = useWhen();
	const work = useConnection((state) => state.work);
	const status = useHeartbeat().data;
	if (!work) return null;
	const state = backgroundState(work, status);
	if (!status && state.kind === 'off') return null;
	const { short, long, icon, mark } = wordsOf(say, when, state);
	return (
		<Tooltip text={long}>
			<Link
				className={`state ${mark} tb-note`}
				href={state.kind === 'budget_used' ? SPENDING : BACKGROUND}
				aria-label={`${short}. ${long}`}
			>
				<Icon name={icon} />
				<span>{short}</span>
			</Link>
		</Tooltip>
	);
}

interface Words {
	readonly short: string;
	readonly long: string;
	readonly icon: IconName;
	/** The colour's class. */
	readonly mark: string;
}

function wordsOf(say: Say, when: (at: number) => string, state: BackgroundState): Words {
	switch (state.kind) {
		case 'paused':
			return {
				short: say('work.paused'),
				long:
					state.restoredFrom === undefined
						? say('work.pausedSince', { at: state.at })
						: say('work.restoredFrom', { at: state.restoredFrom }),
				icon: 'waiting',
				mark: 'waiting',
			};
		case 'active_hours':
			return {
				short: say('work.outsideHours', { at: state.at }),
				long: say('work.outsideHoursLong', { at: state.at }),
				icon: 'scheduled',
				mark: 'waiting',
			};
		case 'budget_used':
			return {
				short: say('work.overBudget', { budget: state.budget }),
				long: say('work.overBudgetLong', { budget: state.budget, at: state.at }),
				icon: 'scheduled',
				mark: 'waiting',
			};
		case 'looking':
			return { short: say('background.bar.looking'), long: say('background.barLong.looking'), icon: 'running', mark: 'running' };
		case 'stopped':
			return {
				short: say('background.bar.stopped'),
				long: say('background.barLong.stopped', { problem: state.problem.message }),
				icon: 'failed',
				mark: 'failed',
			};
		case 'asks':
			return {
				short: say('background.bar.asks'),
				long: say('background.barLong.asks', { name: state.question.name }),
				icon: 'alert',
				mark: 'pending',
			};
		case 'off':
			return { short: say('background.bar.off'), long: say('background.barLong.off'), icon: 'bolt', mark: 'scheduled' };
		case 'no_sources':
		case 'no_interests':
		case 'refused':
		case 'waits':
			return { short: say('background.bar.held'), long: say(`background.barLong.${state.kind}`), icon: 'waiting', mark: 'waiting' };
		case 'on':
			return {
				short: say('background.bar.on'),
				long: state.nextAt === undefined ? say('background.barLong.on') : say('background.barLong.onNext', { at: when(state.nextAt) }),
				icon: 'bolt',
				mark: 'scheduled',
			};
	}
}
