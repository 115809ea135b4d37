import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { SessionId } from '../../src/domain/ids.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import { call, onRunChanged, useConnection } from '../connection/index.ts';
import { runPlace } from '../timeline/place.ts';
import { resumeRun } from '../timeline/run-actions.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { queryClient } from './queries.ts';

/** Runs that are asked for, and that the banner names. */
const MOST = 100;
const MOST_NAMED = 3;
const KEY = ['runs', 'cut-off'];
const DISMISSED = 'hearth.cut-off-dismissed';

const turnOf = ({ id, updatedAt }: RunSummary): string => `${id}:${updatedAt}`;

function dismissedBefore(): readonly string[] {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(DISMISSED) ?? '[]');
		return Array.isArray(kept) ? kept.map(String) : [];
	} catch {
		// Storage that is off or holds something else: the banner is shown once more.
		return [];
	}
}

/** Runs that a crash cut off and that wait for *Continue*, but for those that something else on the screen says it of already. */
function useCutOff(saidOf: readonly SessionId[]): RunSummary[] {
	const [location] = useLocation();
	const online = useConnection((state) => state.hello !== null);
	const runs = useQuery({
		queryKey: KEY,
		queryFn: async () => (await call((client) => client.runs.list({ status: ['interrupted'], limit: MOST }), { repeatable: true })).runs,
		enabled: online,
	}).data;
	useEffect(
		() =>
			onRunChanged((run) => {
				const known = queryClient.getQueryData<RunSummary[]>(KEY) ?? [];
				if (run.status === 'interrupted' || known.some(({ id }) => id === run.id)) void queryClient.invalidateQueries({ queryKey: KEY });
			}),
		[],
	);
	const [, screen, shown] = location.split('/');
	return (runs ?? []).filter(
		({ id, sessionId }) =>
			!saidOf.includes(sessionId) && !(screen === 'chat' && shown === sessionId) && !(screen === 'timeline' && shown === id),
	);
}

/** After a crash: what was going on, and the way on. `saidOf`: chats that another banner names. */
export function CutOffBanner({ saidOf }: { saidOf: readonly SessionId[] }) {
	const say = useSay();
	const [dismissed, setDismissed] = useState(dismissedBefore);
	const [busy, setBusy] = useState(false);
	const runs = useCutOff(saidOf).filter((run) => !dismissed.includes(turnOf(run)));
	if (runs.length === 0) return null;
	const dismiss = (): void => {
		const all = [...dismissed, ...runs.map(turnOf)].slice(-100);
		setDismissed(all);
		localStorage.setItem(DISMISSED, JSON.stringify(all));
	};
	const resume = async (): Promise<void> => {
		setBusy(true);
		for (const { id } of runs) await resumeRun(id, 'continue');
		setBusy(false);
	};
	return (
		<Note
			icon="bolt"
			title={say('timeline.cutOff', { count: runs.length })}
			role="status"
			actions={
				<>
					<Button kind="ghost" onClick={dismiss}>
						{say('common.dismiss')}
					</Button>
					<Button busy={busy} onClick={() => void resume()}>
						{say('timeline.resume')}
					</Button>
				</>
			}
		>
			<p>
				{runs.slice(0, MOST_NAMED).map((run, index) => (
					<Fragment key={run.id}>
						{index > 0 ? '; ' : null}
						<Link className="lnk" href={runPlace(run.id)}>
							<bdi>{say('timeline.cutOffIn', { title: run.title, step: Math.max(1, run.step) })}</bdi>
						</Link>
					</Fragment>
				))}
				{runs.length > MOST_NAMED ? '…' : '.'} {say('timeline.cutOffSafe')}
			</p>
		</Note>
	);
}
