import type { ForgetReport } from '../../contract/methods/memory.ts';
import { isIn, type TextPlace } from '../../db/scrub.ts';
import type { FilePart } from './files.ts';
import type { Scan } from './purge.ts';

type Where = ForgetReport['places'][number]['where'];

const OF_TABLE: readonly (readonly [string, Where])[] = [
	...['messages', 'message_parts', 'sessions', 'drafts', 'requests', 'compactions'].map((table) => [table, 'chats'] as const),
	...[
		'journal',
		'stream_chunks',
		'interrupts',
		'runs',
		'tool_state',
		'workflow_instances',
		'workflow_events',
		'restores',
		'workspace_changes',
		'content_labels',
		'reminders',
	].map((table) => [table, 'runs'] as const),
	...['memory_changes', 'memory_versions', 'memory_conflicts', 'skills', 'skill_changes'].map((table) => [table, 'history'] as const),
	...['proposals', 'watched_items', 'watched_sources'].map((table) => [table, 'proposals'] as const),
	...['heartbeat_ticks', 'heartbeat_runs', 'heartbeat_problem'].map((table) => [table, 'runs'] as const),
	...['tasks', 'task_occurrences', 'task_events', 'task_tests'].map((table) => [table, 'runs'] as const),
	['attachments', 'attachments'],
	['audit', 'audit'],
];
/** What the memory files say is counted in the files. */
const COUNTED_ELSEWHERE = ['memory_files', 'memory_entries'];
const OF_PART: Readonly<Partial<Record<FilePart, Where>>> = {
	blobs: 'runs',
	index: 'index',
	logs: 'logs',
	backups: 'backups',
	leftover: 'other',
};

export function rowidsIn(places: readonly TextPlace[], table: string): number[] {
	return [...new Set(places.filter((place) => isIn(place, table)).map(({ key }) => Number(key[0])))];
}

/** Where a text is, in the words of the report: entries of files, values of the database, and whole files. */
export function countPlaces(files: readonly { count: number }[], stored: readonly TextPlace[], { holding }: Scan): ForgetReport['places'] {
	const counts = new Map<Where, number>();
	const add = (where: Where | undefined, count: number) => where && count > 0 && counts.set(where, (counts.get(where) ?? 0) + count);
	for (const { count } of files) add('memory', count);
	for (const place of stored) {
		if (COUNTED_ELSEWHERE.some((table) => isIn(place, table))) continue;
		add(OF_TABLE.find(([table]) => isIn(place, table))?.[1] ?? 'other', 1);
	}
	for (const { part } of holding) add(OF_PART[part], 1);
	return [...counts].map(([where, count]) => ({ where, count }));
}
