import type { AuditRecord } from '../../src/domain/audit.ts';
import { localDay } from '../../src/domain/local-day.ts';

export type LogRow =
	| { readonly kind: 'day'; readonly key: string; readonly at: number }
	| { readonly kind: 'record'; readonly key: string; readonly record: AuditRecord };

/** The list with a heading before each day, by calendar days of the machine's own time zone. */
export function logRows(records: readonly AuditRecord[]): LogRow[] {
	const rows: LogRow[] = [];
	let shown = '';
	for (const record of records) {
		const day = localDay(record.at);
		// A clock that was set back shows a day twice.
		if (day !== shown) rows.push({ kind: 'day', key: `${day} ${record.seq}`, at: record.at });
		shown = day;
		rows.push({ kind: 'record', key: `${record.seq}`, record });
	}
	return rows;
}
