import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../src/base/logger.ts';
import { openStateDb } from '../src/db/open.ts';
import { all, sql } from '../src/db/sql.ts';
import { begunRuns } from './schedule-life.ts';
import { expectedMoments, stretchesOf } from './schedule-oracle.ts';
import { BEGINS, type PlannedTask } from './schedule-plan.ts';

/** What the year of the benchmark `schedule` left, held against when its tasks must have come. */

const DAY = 86_400_000;
const MOST_FAULTS = 30;
/** A slot is told so soon; what then waited for its turn until the machine slept was not passed over. */
const PROMPT_MS = 60_000;
/** Of the plan. */
const MOST_JITTER_MS = 1_200_000;

interface Row {
	readonly task_id: string;
	readonly slot: number;
	readonly count: number;
	readonly last_slot: number | null;
	readonly state: string;
	readonly why: string | null;
	readonly created_at: number;
}

export interface Found {
	readonly slots: number;
	readonly ran: number;
	/** Have a row that says why not. */
	readonly missed: number;
	/** Ran twice, or have two rows. */
	readonly duplicates: number;
	/** Must have come, and there is no word of them; or what is said of them is not so. */
	readonly silentMisses: number;
	/** Came while nothing was in the way, and did not run. */
	readonly wronglyMissed: number;
	readonly faults: readonly string[];
}

export function checkYear(folder: string, tasks: readonly PlannedTask[], ids: readonly string[], ends: number): Found {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const rows = byTask(
		all<Row>(
			db.read,
			sql`SELECT task_id, slot, count, last_slot, state, why, created_at FROM task_occurrences WHERE by = 'schedule' ORDER BY slot`,
		),
	);
	const begun = byTask(begunRuns(db));
	db.close();
	const calm = calmTimes(folder);
	const zones = new Map<string, ReturnType<typeof stretchesOf>>();
	const stretches = (zone: string) => {
		const known = zones.get(zone) ?? stretchesOf(zone, BEGINS - 3 * DAY, ends + 3 * DAY);
		zones.set(zone, known);
		return known;
	};
	const sum = { slots: 0, ran: 0, missed: 0, duplicates: 0, silentMisses: 0, wronglyMissed: 0 };
	const faults: string[] = [];
	tasks.forEach(({ draft, meaning }, number) => {
		const id = ids[number] ?? '';
		const { from = 0, until = ends } = draft.when.kind === 'schedule' ? draft.when.schedule : {};
		const expected = expectedMoments(meaning, stretches, BEGINS, ends).filter((at) => at >= from && at <= until);
		const fault = (what: keyof typeof sum, at: number, words: string): void => {
			sum[what] += 1;
			if (faults.length < MOST_FAULTS) faults.push(`${draft.title} (${id}) at ${new Date(at).toISOString()}: ${words}`);
		};
		checkTask(expected, rows.get(id) ?? [], begun.get(id) ?? [], { ends, sum, fault, isCalm: calm });
	});
	return { ...sum, faults };
}

interface Look {
	readonly ends: number;
	readonly sum: { slots: number; ran: number; missed: number };
	readonly fault: (what: 'duplicates' | 'silentMisses' | 'wronglyMissed', at: number, words: string) => void;
	readonly isCalm: (from: number, to: number) => boolean;
}

function checkTask(
	expected: readonly number[],
	rows: readonly Row[],
	begun: readonly { slot: number }[],
	{ ends, sum, fault, isCalm }: Look,
): void {
	sum.slots += expected.length;
	const runs = new Map<number, number>();
	for (const { slot } of begun) runs.set(slot, (runs.get(slot) ?? 0) + 1);
	for (const [slot, times] of runs) if (times > 1) fault('duplicates', slot, `ran ${times} times`);
	const known = new Set(expected);
	const said = new Map<number, Row>();
	for (const row of rows.filter(({ slot }) => slot <= ends)) {
		const covered = row.last_slot === null ? [row.slot] : expected.filter((at) => at >= row.slot && at <= (row.last_slot ?? 0));
		if (!known.has(row.slot) || covered.length !== row.count)
			fault('silentMisses', row.slot, `its row of ${row.count} is of no such times`);
		for (const at of covered) {
			if (said.has(at)) fault('duplicates', at, 'has two rows');
			said.set(at, row);
		}
	}
	for (const at of runs.keys()) if (!said.has(at) && at <= ends) fault('silentMisses', at, 'ran without a row');
	for (const at of expected) {
		const row = said.get(at);
		if (!row) fault('silentMisses', at, 'no row');
		else if (runs.has(at)) sum.ran += 1;
		else if (row.state === 'queued') sum.ran += 1;
		else if (row.state === 'done' || row.state === 'running' || row.state === 'failed')
			fault('silentMisses', at, `${row.state}, and nothing began`);
		else if (row.why === null) fault('silentMisses', at, `${row.state} without a reason`);
		else {
			sum.missed += 1;
			const isPassedOver = row.state !== 'skipped' && row.why !== 'queue_full' && row.created_at > at + PROMPT_MS + MOST_JITTER_MS;
			if (isPassedOver && isCalm(at, at + PROMPT_MS + MOST_JITTER_MS))
				fault('wronglyMissed', at, `${row.state}, ${row.why}, while nothing was in the way`);
		}
	}
}

function byTask<Of extends { readonly task_id: string }>(all: readonly Of[]): Map<string, Of[]> {
	const found = new Map<string, Of[]>();
	for (const each of all) {
		const known = found.get(each.task_id);
		if (known) known.push(each);
		else found.set(each.task_id, [each]);
	}
	return found;
}

/** Whether nothing happened to the machine in a time: it was awake, its clock right, nothing paused. */
function calmTimes(folder: string): (from: number, to: number) => boolean {
	const file = join(folder, 'calm.jsonl');
	const marks = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
	const times: { from: number; to: number }[] = [];
	let from: number | undefined;
	for (const mark of marks.map((line) => JSON.parse(line) as { from?: number; to?: number })) {
		if (mark.to !== undefined && from !== undefined && from < mark.to) times.push({ from, to: mark.to });
		// One that was killed left no end.
		from = mark.from;
	}
	times.sort((a, b) => a.from - b.from);
	return (start, end) => {
		let [low, high] = [0, times.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((times[middle]?.from ?? 0) <= start) low = middle + 1;
			else high = middle;
		}
		const time = times[low - 1];
		return time !== undefined && end <= time.to;
	};
}
