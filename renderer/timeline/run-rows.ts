import { localDay } from '../../src/domain/local-day.ts';
import type { RunKind, RunStatus, RunSummary } from '../../src/domain/run.ts';

/** What the list shows. `main`: all but sub-agents, which their parents lead to. */
export type KindFilter = 'main' | RunKind;
export type StatusFilter = 'all' | 'needs' | 'working' | 'sleeping' | 'interrupted' | 'failed' | 'done' | 'stopped';

export interface RunFilter {
	readonly status: StatusFilter;
	readonly kind: KindFilter;
}

export const ALL_RUNS: RunFilter = { status: 'all', kind: 'main' };

const STATUSES: Record<StatusFilter, RunStatus[] | undefined> = {
	all: undefined,
	needs: ['waiting'],
	working: ['running'],
	sleeping: ['sleeping'],
	interrupted: ['interrupted'],
	failed: ['failed'],
	done: ['done'],
	stopped: ['stopped'],
};
export const STATUS_FILTERS = Object.keys(STATUSES) as StatusFilter[];
export const KIND_FILTERS: readonly KindFilter[] = ['main', 'chat', 'workflow', 'task', 'heartbeat', 'child'];

/** The filter as the runtime takes it. */
export function askedOf({ status, kind }: RunFilter): { status?: RunStatus[]; kind: RunKind[] } {
	const statuses = STATUSES[status];
	return { ...(statuses && { status: statuses }), kind: kind === 'main' ? ['chat', 'workflow', 'task', 'heartbeat'] : [kind] };
}

export function fits(filter: RunFilter, run: Pick<RunSummary, 'status' | 'kind'>): boolean {
	const asked = askedOf(filter);
	return asked.kind.includes(run.kind) && (asked.status?.includes(run.status) ?? true);
}

/**
 * The list, newest first, with what the runtime said of one run; the same list where that changes nothing. A run that is older than the last
 * one loaded comes with its page. A word that is older than what is known is dropped: the list was asked for after it.
 */
export function withRun(runs: readonly RunSummary[], run: RunSummary, filter: RunFilter, hasMore: boolean): readonly RunSummary[] {
	const at = runs.findIndex(({ id }) => id === run.id);
	const known = runs[at];
	if (known) {
		if (run.updatedAt < known.updatedAt) return runs;
		return fits(filter, run) ? runs.with(at, run) : runs.toSpliced(at, 1);
	}
	if (!fits(filter, run)) return runs;
	// Ids sort by when they were made, whatever the clock was set to.
	const place = runs.findIndex((other) => run.id > other.id);
	if (place < 0) return hasMore ? runs : [...runs, run];
	return runs.toSpliced(place, 0, run);
}

export type RunRow =
	| { readonly kind: 'day'; readonly key: string; readonly at: number; readonly name: 'today' | 'yesterday' | 'date' }
	| { readonly kind: 'run'; readonly key: string; readonly run: RunSummary };

/** The list with a heading before each day, by calendar days of the machine's own time zone. */
export function runRows(runs: readonly RunSummary[], now: number): RunRow[] {
	const rows: RunRow[] = [];
	let shown = '';
	for (const run of runs) {
		const day = localDay(run.createdAt);
		if (day !== shown) rows.push({ kind: 'day', key: day, at: run.createdAt, name: dayName(run.createdAt, now) });
		shown = day;
		rows.push({ kind: 'run', key: run.id, run });
	}
	return rows;
}

function dayName(at: number, now: number): 'today' | 'yesterday' | 'date' {
	const today = new Date(now);
	const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
	if (localDay(at) === localDay(now)) return 'today';
	return localDay(at) === localDay(yesterday.getTime()) ? 'yesterday' : 'date';
}
