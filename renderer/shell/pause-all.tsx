import type { WorkStatus } from '../../src/contract/methods/runs.ts';
import { sayProblem } from '../chat/session-actions.ts';
import { call, useConnection } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { type StringId, useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useCommand } from './commands.ts';

type Say = ReturnType<typeof useSay>;

async function setPaused(paused: boolean, say: Say): Promise<void> {
	try {
		const work = await call((client) => (paused ? client.work.pauseAll() : client.work.resumeAll()), { repeatable: true });
		useConnection.setState({ work });
		if (paused) showToast(say('work.pausedToast'), { label: say('work.resume'), run: () => void setPaused(false, say) });
		else showToast(say('work.resumedToast'));
	} catch (error) {
		sayProblem(error);
	}
}

/** Mounted once: the command, for the palette and the keys. */
export function usePauseCommand(): void {
	const say = useSay();
	const paused = useConnection((state) => state.work?.paused);
	useCommand('pause_all', () => void setPaused(!paused, say), paused !== undefined);
}

function stateOf(work: WorkStatus): { short: StringId; long: StringId; at?: number } | undefined {
	if (work.paused) return { short: 'work.paused', long: 'work.pausedSince', at: work.pausedAt };
	if (work.held?.why === 'active_hours') return { short: 'work.outsideHours', long: 'work.outsideHoursLong', at: work.held.until };
	return work.held ? { short: 'work.overBudget', long: 'work.overBudgetLong', at: work.held.until } : undefined;
}

/** Whether work that goes on by itself may, and the way to stop or let go all of it. */
export function PauseAll() {
	const say = useSay();
	const work = useConnection((state) => state.work);
	if (!work) return null;
	const state = stateOf(work);
	const long = say(state?.long ?? 'work.on', { at: state?.at ?? 0 });
	return (
		<>
			{state ? (
				<span className="state waiting tb-note">
					<Icon name={work.paused ? 'waiting' : 'scheduled'} />
					<span>{say(state.short, { at: state.at ?? 0 })}</span>
				</span>
			) : null}
			<Tooltip text={long} keys="Mod+Shift+P">
				<Button
					kind={work.paused ? 'secondary' : 'ghost'}
					size="sm"
					className="tb-state"
					icon={work.paused ? 'play' : 'pause'}
					aria-label={say(work.paused ? 'work.resumeAll' : 'work.pauseAll')}
					onClick={() => void setPaused(!work.paused, say)}
				>
					<span>{say(work.paused ? 'work.resume' : 'work.pauseAll')}</span>
				</Button>
			</Tooltip>
		</>
	);
}
