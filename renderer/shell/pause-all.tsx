import { sayProblem } from '../chat/session-actions.ts';
import { call, useConnection } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { type Say, useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useCommand } from './commands.ts';

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

/** The way to stop all work that goes on by itself, or to let it go on. */
export function PauseAll() {
	const say = useSay();
	const work = useConnection((state) => state.work);
	if (!work) return null;
	return (
		<Tooltip text={say(work.paused ? 'work.resumeAll' : 'work.pauseAllLong')} keys="Mod+Shift+P">
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
	);
}
