import { create } from 'zustand';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import { call, onRunChanged, shapeOf } from '../connection/index.ts';
import { ALL_RUNS, askedOf, type RunFilter, withRun } from './run-rows.ts';

/** Runs of one question to the runtime. */
const PAGE = 200;

/** The newest runs that a filter leaves, as far down as the owner scrolled. */
interface Runs {
	readonly filter: RunFilter;
	/** Undefined until the first page is there. */
	readonly runs: readonly RunSummary[] | undefined;
	readonly hasMore: boolean;
	readonly loadingMore: boolean;
	readonly error: ErrorShape | undefined;
}

export const useRuns = create<Runs>()(() => ({
	filter: ALL_RUNS,
	runs: undefined,
	hasMore: false,
	loadingMore: false,
	error: undefined,
}));

/** The answer to an older question is thrown away. */
let generation = 0;
/** What was said of runs while the first pages are on their way: it may be newer than those. Undefined while none are. */
let meanwhile: RunSummary[] | undefined;

function withAll(runs: readonly RunSummary[], said: readonly RunSummary[], filter: RunFilter, hasMore: boolean): readonly RunSummary[] {
	return said.reduce((list, run) => withRun(list, run, filter, hasMore), runs);
}

/** Takes the first pages anew, as many as are shown. What is shown stays until they are there. Never rejects: failure is in the state. */
export async function refreshRuns(): Promise<void> {
	const asked = ++generation;
	const { filter, runs: shown } = useRuns.getState();
	meanwhile = [];
	try {
		const limit = Math.min(500, Math.max(PAGE, shown?.length ?? 0));
		const page = await call((client) => client.runs.list({ ...askedOf(filter), limit }), { repeatable: true });
		if (asked !== generation) return;
		useRuns.setState({
			runs: withAll(page.runs, meanwhile ?? [], filter, page.hasMore),
			hasMore: page.hasMore,
			loadingMore: false,
			error: undefined,
		});
	} catch (error) {
		if (asked === generation) useRuns.setState({ error: shapeOf(error) });
	} finally {
		if (asked === generation) meanwhile = undefined;
	}
}

export function showRuns(filter: RunFilter): Promise<void> {
	useRuns.setState({ filter, runs: undefined, hasMore: false, loadingMore: false });
	return refreshRuns();
}

/** The page after the last run that is shown; one at a time. */
export async function moreRuns(): Promise<void> {
	const { filter, runs, hasMore, loadingMore } = useRuns.getState();
	const before = runs?.at(-1)?.id;
	if (!hasMore || loadingMore || before === undefined) return;
	const asked = generation;
	useRuns.setState({ loadingMore: true });
	try {
		const page = await call((client) => client.runs.list({ ...askedOf(filter), before, limit: PAGE }), { repeatable: true });
		if (asked !== generation) return;
		const now = useRuns.getState().runs ?? [];
		const known = new Set(now.map(({ id }) => id));
		useRuns.setState({ runs: [...now, ...page.runs.filter(({ id }) => !known.has(id))], hasMore: page.hasMore, error: undefined });
	} catch (error) {
		if (asked === generation) useRuns.setState({ error: shapeOf(error) });
	} finally {
		if (asked === generation) useRuns.setState({ loadingMore: false });
	}
}

onRunChanged((run) => {
	meanwhile?.push(run);
	const { runs, filter, hasMore } = useRuns.getState();
	if (!runs) return;
	const next = withRun(runs, run, filter, hasMore);
	if (next !== runs) useRuns.setState({ runs: next });
});
