import type { FindingsDigest } from '../contract/methods/heartbeat.ts';
import type { ReadDb } from '../db/brands.ts';
import { all, sql, value } from '../db/sql.ts';
import { Urgency, WatchedItemId, WatchedSourceId } from '../domain/heartbeat.ts';
import type { Timestamp } from '../domain/ids.ts';

/** What waits of findings, by source: rows of `proposals`, read only. */

interface Row {
	source_id: string;
	title: string;
	waiting: number;
	urgent: number;
	normal: number;
	oldest: number;
}

const PENDING = sql`p.status = 'pending' AND p.finding IS NOT NULL`;

export function findingsDigest(db: ReadDb, now: Timestamp): FindingsDigest {
	const rows = all<Row>(
		db,
		sql`SELECT p.source_id, coalesce(max(s.title), max(json_extract(p.finding, '$.sourceTitle'))) AS title, count(*) AS waiting,
				sum(json_extract(p.finding, '$.urgency') = 'high') AS urgent, sum(json_extract(p.finding, '$.urgency') = 'normal') AS normal,
				min(p.created_at) AS oldest
			FROM proposals p LEFT JOIN watched_sources s ON s.id = p.source_id
			WHERE ${PENDING} AND (p.snoozed_until IS NULL OR p.snoozed_until <= ${now})
			GROUP BY p.source_id ORDER BY urgent DESC, oldest`,
	);
	const snoozed = value<number>(db, sql`SELECT count(*) FROM proposals p WHERE ${PENDING} AND p.snoozed_until > ${now}`) ?? 0;
	return {
		waiting: rows.reduce((sum, { waiting }) => sum + waiting, 0),
		snoozed,
		urgent: rows.reduce((sum, { urgent }) => sum + urgent, 0),
		...(rows.length > 0 && { oldestAt: Math.min(...rows.map(({ oldest }) => oldest)) }),
		bySource: rows.map((row) => ({
			sourceId: WatchedSourceId.parse(row.source_id),
			title: row.title,
			waiting: row.waiting,
			oldestAt: row.oldest,
			urgency: row.urgent > 0 ? Urgency.enum.high : row.normal > 0 ? Urgency.enum.normal : Urgency.enum.low,
		})),
	};
}

/** Items that a pending finding quotes: the owner has yet to read them. */
export function quotedItems(db: ReadDb): WatchedItemId[] {
	const rows = all<{ id: string }>(
		db,
		sql`SELECT DISTINCT json_extract(q.value, '$.itemId') AS id FROM proposals p, json_each(p.finding, '$.quotes') q WHERE ${PENDING}`,
	);
	return rows.map(({ id }) => WatchedItemId.parse(id));
}
