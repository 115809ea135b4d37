import { type Query, sql } from '../db/sql.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { EntryFilter } from '../domain/memory.ts';
import { fileRank } from './paths.ts';

/** The state of an entry as `stateOf` (ledger-store.ts) tells it, in SQL. */
function stateSql(now: Timestamp): Query {
	return sql`CASE WHEN live = 0 THEN 'gone' WHEN quarantined = 1 THEN 'quarantined' WHEN superseded_by IS NOT NULL THEN 'superseded'
		WHEN valid_until <= ${now} THEN 'expired' WHEN valid_from > ${now} THEN 'not_yet' ELSE 'current' END`;
}

/** What the filter asks for, as a condition on `memory_entries`. Without states, gone entries are left out. */
export function entryConditions(filter: EntryFilter, now: Timestamp): Query {
	let conditions = sql`1`;
	const and = (condition: Query) => {
		conditions = sql`${conditions} AND ${condition}`;
	};
	const among = (column: Query, values: readonly string[] | undefined) => {
		if (values !== undefined) and(sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`);
	};
	if (filter.states === undefined || !filter.states.includes('gone')) and(sql`live = 1`);
	if (filter.states !== undefined) among(stateSql(now), filter.states);
	if (filter.file !== undefined) and(sql`rank = ${fileRank(filter.file)} AND file = ${filter.file}`);
	if (filter.headingPath !== undefined && filter.headingPath.length > 0) and(underHeading(filter.headingPath));
	among(sql`author`, filter.authors);
	among(sql`label`, filter.labels);
	among(sql`origin`, filter.origins);
	among(sql`source`, filter.sources);
	if (filter.from !== undefined) and(sql`dated >= ${filter.from}`);
	if (filter.until !== undefined) and(sql`dated < ${filter.until}`);
	if (filter.neverUsed === true) and(sql`use_count = 0`);
	return conditions;
}

/** The column is a JSON array: a deeper path begins as this one does, up to its closing bracket. */
function underHeading(path: readonly string[]): Query {
	const json = JSON.stringify(path);
	const beginning = `${json.slice(0, -1)},`;
	return sql`(heading_path = ${json} OR substr(heading_path, 1, ${[...beginning].length}) = ${beginning})`;
}
