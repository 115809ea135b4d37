import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { RunStatus, RunSummary } from '../../src/domain/run.ts';
import { jumpTo } from '../chat/chat-ui-store.ts';
import { call, onRunChanged, useConnection } from '../connection/index.ts';
import { runPlace } from '../timeline/place.ts';
import { resumeRun } from '../timeline/run-actions.ts';
import { Button } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { queryClient } from './queries.ts';

/** Runs that are asked for, and that a banner names. */
const MOST = 100;
const MOST_NAMED = 3;
const DISMISSED = 'hearth.cut-off-dismissed';

const NONE: readonly RunSummary[] = [];

/** The runs that stand like this now. */
export function useRunsThatAre(statuses: readonly RunStatus[]): readonly RunSummary[] {
	const online = useConnection((state) => state.hello !== null);
	const key = statuses.join();
	const runs = useQuery({
		queryKey: ['runs', 'that-are', key],
		queryFn: async () => (await call((client) => client.runs.list({ status: [...statuses], limit: MOST }), { repeatable: true })).runs,
		enabled: online,
		// Nobody follows it while no banner shows it.
		staleTime: 0,
	}).data;
	useEffect(
		() =>
			onRunChanged((run) => {
				const queryKey = ['runs', 'that-are', key];
				const known = queryClient.getQueryData<RunSummary[]>(queryKey)?.find(({ id }) => id === run.id);
				// A run at work says so with each step.
				if (known?.status === run.status || (!known && !key.split(',').includes(run.status))) return;
				void queryClient.invalidateQueries({ queryKey });
			}),
		[key],
	);
	return runs ?? NONE;
}

interface DismissedRuns {
	has(run: RunSummary): boolean;
	add(runs: readonly RunSummary[]): void;
}

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

/** What the owner has seen of runs that were cut off: it is not said again, unless they are cut off once more. */
export function useDismissedRuns(): DismissedRuns {
	const [turns, setTurns] = useState(dismissedBefore);
	return {
		has: (run) => turns.includes(turnOf(run)),
		add: (runs) => {
			const all = [...turns, ...runs.map(turnOf)].slice(-MOST);
			setTurns(all);
			localStorage.setItem(DISMISSED, JSON.stringify(all));
		},
	};
}

/** Each run as the way to it: a turn of a chat is read there, all else in the timeline. */
export function RunLinks({ runs, name = ({ title }) => title }: { runs: readonly RunSummary[]; name?: (run: RunSummary) => ReactNode }) {
	return (
		<>
			{runs.slice(0, MOST_NAMED).map((run, index) => (
				<Fragment key={run.id}>
					{index > 0 ? '; ' : null}
					<Link
						className="lnk"
						href={run.kind === 'chat' ? `/chat/${run.sessionId}` : runPlace(run.id)}
						onClick={() => (run.kind === 'chat' ? jumpTo(run.sessionId, run.messageId) : undefined)}
					>
						<bdi>{name(run)}</bdi>
					</Link>
				</Fragment>
			))}
			{runs.length > MOST_NAMED ? '…' : null}
		</>
	);
}

export function ResumeAll({ runs }: { runs: readonly RunSummary[] }) {
	const say = useSay();
	const [busy, setBusy] = useState(false);
	const resume = async (): Promise<void> => {
		setBusy(true);
		for (const { id } of runs) await resumeRun(id, 'continue');
		setBusy(false);
	};
	return (
		<Button busy={busy} onClick={() => void resume()}>
			{say('timeline.resume')}
		</Button>
	);
}
