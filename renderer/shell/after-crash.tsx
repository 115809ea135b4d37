import type { Timestamp } from '../../src/domain/ids.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { ResumeAll, RunLinks, useRunsThatAre } from './runs-in-banners.tsx';

/** How the runtime last ended, in words. `at`: before it came back. */
export interface Crash {
	readonly reason: string;
	readonly at: Timestamp;
}

interface AfterCrashProps {
	crash: Crash;
	dismissed: { add: (runs: ReturnType<typeof useRunsThatAre>) => void };
	onDismiss: () => void;
}

/** What was going on when the runtime stopped, of whatever kind, and what became of it. */
export function AfterCrash({ crash, dismissed, onDismiss }: AfterCrashProps) {
	const say = useSay();
	const runs = useRunsThatAre(['running', 'waiting', 'interrupted']);
	const since = runs.filter(({ updatedAt }) => updatedAt >= crash.at);
	const told = {
		// What began after it was not in the way of it.
		goesOn: runs.filter(({ status, createdAt }) => status === 'running' && createdAt < crash.at),
		cutOff: since.filter(({ status }) => status === 'interrupted'),
		asks: since.filter(({ status, createdAt }) => status === 'waiting' && createdAt < crash.at),
	};
	return (
		<Note
			icon="bolt"
			title={say('banner.restarted')}
			role="status"
			actions={
				<>
					<Button
						kind="ghost"
						onClick={() => {
							dismissed.add(told.cutOff);
							onDismiss();
						}}
					>
						{say('common.dismiss')}
					</Button>
					{told.cutOff.length > 0 ? <ResumeAll runs={told.cutOff} /> : null}
				</>
			}
		>
			<p>{`${crash.reason} ${say('banner.restartedSafe')}`}</p>
			{(['goesOn', 'cutOff', 'asks'] as const).map((what) =>
				told[what].length > 0 ? (
					<p key={what}>
						{say(`banner.${what}`, { count: told[what].length })} <RunLinks runs={told[what]} />
					</p>
				) : null,
			)}
		</Note>
	);
}
