import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RunId } from '../../src/domain/ids.ts';
import type { RunPlace, RunStatus } from '../../src/domain/run.ts';
import { call, onRunChanged } from '../connection/index.ts';
import { queryClient } from '../shell/queries.ts';

/** Least time between two questions about a run at work, in milliseconds; and how many times as long as the last one took. */
const APART_MS = 250;
const ROOM = 4;

/** A run with its steps. It follows the run while it is shown. */
export function useRunDetail(runId: RunId | undefined) {
	useEffect(() => (runId === undefined ? undefined : followRun(runId)), [runId]);
	return useQuery({
		queryKey: ['runs', 'get', runId],
		queryFn: () => call((client) => client.runs.get({ runId: runId as RunId }), { repeatable: true }),
		enabled: runId !== undefined,
		staleTime: 0,
	});
}

/** Asks again for a run whenever the runtime said something of it or of its sub-agents. Returns a function that ends that. */
function followRun(runId: RunId): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let last = 0;
	let apart = APART_MS;
	const stop = onRunChanged((run) => {
		if (run.id !== runId && run.parentRunId !== runId && run.from?.runId !== runId) return;
		timer ??= setTimeout(
			() => {
				timer = undefined;
				last = performance.now();
				void refreshRun(runId).then(() => {
					apart = Math.max(APART_MS, ROOM * (performance.now() - last));
				});
			},
			Math.max(0, apart - (performance.now() - last)),
		);
	});
	return () => {
		stop();
		clearTimeout(timer);
	};
}

export async function refreshRun(runId: RunId): Promise<void> {
	await Promise.all(['get', 'step'].map((what) => queryClient.invalidateQueries({ queryKey: ['runs', what, runId] })));
}

/** One step with what went in and came out. */
export function useRunStep({ runId, step }: RunPlace, enabled: boolean) {
	return useQuery({
		queryKey: ['runs', 'step', runId, step],
		queryFn: () => call((client) => client.runs.step({ runId, step }), { repeatable: true }),
		enabled,
		staleTime: 0,
	});
}

/** What the agent knew after a step. */
export function useStateAt(place: RunPlace) {
	return useQuery({
		queryKey: ['runs', 'state', place.runId, place.step],
		queryFn: () => call((client) => client.runs.state(place), { repeatable: true }),
		staleTime: 0,
		gcTime: 0,
	});
}

/** What a restore would do now; asked anew when the run's status becomes another one. */
export function useRestorePreview(place: RunPlace, status: RunStatus | undefined) {
	return useQuery({
		queryKey: ['runs', 'preview', place.runId, place.step, status],
		placeholderData: keepPreviousData,
		enabled: status !== undefined,
		queryFn: () => call((client) => client.runs.restorePreview(place), { repeatable: true }),
		staleTime: 0,
		gcTime: 0,
	});
}

/** A text that is kept by its hash. It never changes, and may be large: it is let go of soon. */
export function useContent(runId: RunId, hash: string | undefined) {
	return useQuery({
		queryKey: ['content', hash],
		queryFn: () => call((client) => client.runs.content({ runId, hash: hash as string }), { repeatable: true }),
		enabled: hash !== undefined,
		gcTime: 10_000,
	});
}
