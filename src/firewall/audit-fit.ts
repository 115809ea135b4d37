import type { AuditEntry } from '../domain/audit.ts';
import { cutCodePoints, repairSurrogates } from '../domain/text.ts';

/** Longest of each, in UTF-16 units, as `AuditDetail` has it. */
const LIMITS = { from: 300, to: 500, reason: 1_000, tool: 100, outcome: 500, source: 300, rule: 200 };
const MOST_FLAGS = 50;
/** Whatever would break a line or hide in one. */
const BREAKS = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** The entry as it may be kept: names on one line, cut to their length, without secrets; times in hundredths of milliseconds. */
export function fitted(entry: AuditEntry, redacted: (text: string) => string): AuditEntry {
	const line = (text: string, most: number): string => cutCodePoints(redacted(repairSurrogates(text)).replace(BREAKS, ' ').trim(), most);
	const { from, to, reason, sources, tool, outcome } = entry.detail;
	return {
		...entry,
		rule: line(entry.rule, LIMITS.rule),
		flags: entry.flags.slice(0, MOST_FLAGS),
		latencyMs: Math.round(entry.latencyMs * 100) / 100,
		detail: {
			from: line(from, LIMITS.from),
			to: line(to, LIMITS.to),
			reason: line(reason, LIMITS.reason),
			// Never a whole address.
			sources: sources.map(({ kind, name, label, hash }) => ({
				kind,
				name: line(name, LIMITS.source),
				label,
				...(hash !== undefined && { hash }),
			})),
			...(tool !== undefined && { tool: line(tool, LIMITS.tool) }),
			...(outcome !== undefined && { outcome: line(outcome, LIMITS.outcome) }),
		},
	};
}
