import { useLocation } from 'wouter';
import type { RunSummary } from '../../src/domain/run.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { ResumeAll, RunLinks, type useDismissedRuns, useRunsThatAre } from './runs-in-banners.tsx';

/** Runs that a crash cut off and that wait for *Continue*, but for the one on the screen, which says it itself. */
function useCutOff(): RunSummary[] {
	const [location] = useLocation();
	const [, screen, shown] = location.split('/');
	return useRunsThatAre(['interrupted']).filter(
		({ id, sessionId }) => !(screen === 'chat' && shown === sessionId) && !(screen === 'timeline' && shown === id),
	);
}

/** After a start: what was going on when Hearth ended, and the way on. */
export function CutOffBanner({ dismissed }: { dismissed: ReturnType<typeof useDismissedRuns> }) {
	const say = useSay();
	const runs = useCutOff().filter((run) => !dismissed.has(run));
	if (runs.length === 0) return null;
	return (
		<Note
			icon="bolt"
			title={say('timeline.cutOff', { count: runs.length })}
			role="status"
			actions={
				<>
					<Button kind="ghost" onClick={() => dismissed.add(runs)}>
						{say('common.dismiss')}
					</Button>
					<ResumeAll runs={runs} />
				</>
			}
		>
			<p>
				<RunLinks runs={runs} name={({ title, step }) => say('timeline.cutOffIn', { title, step: Math.max(1, step) })} />.{' '}
				{say('timeline.cutOffSafe')}
			</p>
		</Note>
	);
}
