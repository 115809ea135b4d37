import type { SessionSummary } from '../../src/contract/shapes.ts';

export interface SessionGroup {
	/** `pinned`, `today`, `yesterday`, `week`, or `2026-02` for a month before that. */
	readonly key: string;
	readonly sessions: SessionSummary[];
}

/** Sessions under their headings, newest first. By calendar days of the machine's own time zone. Pure. */
export function groupSessions(sessions: readonly SessionSummary[], now: number): SessionGroup[] {
	const newest = [...sessions].sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
	const groups = new Map<string, SessionSummary[]>();
	for (const session of newest.filter((session) => session.pinned)) add(groups, 'pinned', session);
	for (const session of newest.filter((session) => !session.pinned)) add(groups, groupOf(session.updatedAt, now), session);
	return [...groups].map(([key, list]) => ({ key, sessions: list }));
}

function add(groups: Map<string, SessionSummary[]>, key: string, session: SessionSummary): void {
	const list = groups.get(key);
	if (list) list.push(session);
	else groups.set(key, [session]);
}

function groupOf(time: number, now: number): string {
	// A clock that was set back leaves times in the future: they count as today.
	if (time >= startOfDay(now, 0)) return 'today';
	if (time >= startOfDay(now, 1)) return 'yesterday';
	if (time >= startOfDay(now, 7)) return 'week';
	const date = new Date(time);
	return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

function startOfDay(time: number, daysBefore: number): number {
	const date = new Date(time);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore).getTime();
}
