import type { AuditFilter } from '../../src/contract/methods/firewall.ts';
import type { AuditDecision, AuditSink } from '../../src/domain/audit.ts';
import type { RunId } from '../../src/domain/ids.ts';
import type { Label } from '../../src/domain/label.ts';

export const TIMES = ['any', 'hour', 'day', 'week', 'month'] as const;
export type TimeChoice = (typeof TIMES)[number];

/** What of the log is shown. */
export interface Chosen {
	readonly text: string;
	readonly decisions: readonly AuditDecision[];
	readonly labels: readonly Label[];
	readonly sinks: readonly AuditSink[];
	readonly runId: RunId | undefined;
	readonly time: TimeChoice;
}

export const EVERYTHING: Chosen = { text: '', decisions: [], labels: [], sinks: [], runId: undefined, time: 'any' };

const HOUR_MS = 3_600_000;
const SPANS: Record<Exclude<TimeChoice, 'any'>, number> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS };

/** As the runtime takes it. */
export function filterOf({ text, decisions, labels, sinks, runId, time }: Chosen, now: number): AuditFilter {
	const said = text.trim();
	return {
		...(said !== '' && { text: said }),
		...(decisions.length > 0 && { decisions: [...decisions] }),
		...(labels.length > 0 && { labels: [...labels] }),
		...(sinks.length > 0 && { sinks: [...sinks] }),
		...(runId !== undefined && { runId }),
		...(time !== 'any' && { since: now - SPANS[time] }),
	};
}

export function isFiltered(chosen: Chosen): boolean {
	return Object.keys(filterOf(chosen, 0)).length > 0;
}
