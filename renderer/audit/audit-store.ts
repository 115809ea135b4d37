import { create } from 'zustand';
import type { AuditRecord } from '../../src/domain/audit.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { call, shapeOf } from '../connection/index.ts';
import { type Chosen, EVERYTHING, filterOf } from './filter.ts';

/** Records of one question to the runtime. */
const PAGE = 200;

/** The newest records that the filter leaves, as far down as the owner scrolled. */
interface Log {
	readonly chosen: Chosen;
	/** Undefined until the first page is there. */
	readonly records: readonly AuditRecord[] | undefined;
	/** Of the whole log. */
	readonly total: number;
	readonly hasMore: boolean;
	readonly loadingMore: boolean;
	/** There are newer ones, which would push away what is read just now. */
	readonly newer: boolean;
	readonly error: ErrorShape | undefined;
}

export const useLog = create<Log>()(() => ({
	chosen: EVERYTHING,
	records: undefined,
	total: 0,
	hasMore: false,
	loadingMore: false,
	newer: false,
	error: undefined,
}));

/** The answer to an older question is thrown away. */
let generation = 0;

/** Takes the first page anew. What is shown stays until it is there. Never rejects: failure is in the state. */
export async function refreshLog(): Promise<void> {
	const asked = ++generation;
	const { chosen } = useLog.getState();
	try {
		const page = await call((client) => client.audit.list({ ...filterOf(chosen, Date.now()), limit: PAGE }), { repeatable: true });
		if (asked !== generation) return;
		const { records, total, hasMore } = page;
		useLog.setState({ records, total, hasMore, loadingMore: false, newer: false, error: undefined });
	} catch (error) {
		if (asked === generation) useLog.setState({ error: shapeOf(error) });
	}
}

/** The log grew. `reading`: the owner looks at older records, which stay where they are. */
export function logGrew(reading: boolean): void {
	const { records } = useLog.getState();
	if (records === undefined || !reading) void refreshLog();
	else useLog.setState({ newer: true });
}

export function choose(change: Partial<Chosen>): void {
	useLog.setState({ chosen: { ...useLog.getState().chosen, ...change }, records: undefined, hasMore: false, loadingMore: false });
	void refreshLog();
}

/** The page after the last record that is shown; one at a time. */
export async function moreRecords(): Promise<void> {
	const { chosen, records, hasMore, loadingMore } = useLog.getState();
	const before = records?.at(-1)?.seq;
	if (!hasMore || loadingMore || before === undefined) return;
	const asked = generation;
	useLog.setState({ loadingMore: true });
	try {
		const filter = filterOf(chosen, Date.now());
		const page = await call((client) => client.audit.list({ ...filter, before, limit: PAGE }), { repeatable: true });
		if (asked !== generation) return;
		useLog.setState({ records: [...(useLog.getState().records ?? []), ...page.records], hasMore: page.hasMore, error: undefined });
	} catch (error) {
		if (asked === generation) useLog.setState({ error: shapeOf(error) });
	} finally {
		if (asked === generation) useLog.setState({ loadingMore: false });
	}
}
