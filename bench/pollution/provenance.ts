import type { MemoryEntry } from '../../src/domain/memory.ts';
import type { RunningApp } from '../../test/support/apps.ts';
import type { Place } from './life.ts';
import type { Cell } from './posts.ts';

/** Whether each entry that background work brought says all of where it came from, and who let it in (M2, B4). */
export async function provenanceOf(
	{ rpc }: RunningApp,
	cells: readonly Cell[],
	{ address }: Place,
): Promise<{ rows: number; complete: number; gaps: string[] }> {
	const entries: MemoryEntry[] = [];
	for (let offset = 0; ; offset += 500) {
		const page = (await rpc.memory.entries({ offset, limit: 500 })).entries;
		entries.push(...page);
		if (page.length < 500) break;
	}
	const brought = entries.filter(({ provenance, kind }) => provenance.author === 'heartbeat' && kind !== 'heading');
	const origins = cells.map(({ id }) => new URL(address(id)).origin);
	const gaps: string[] = [];
	let complete = 0;
	for (const entry of brought) {
		const missing = gapsOf(entry, origins);
		if (missing.length === 0) complete += 1;
		gaps.push(...missing);
	}
	return { rows: brought.length, complete, gaps: [...new Set(gaps)] };
}

const HASH = /^[0-9a-f]{64}$/;

export function gapsOf({ text, provenance }: MemoryEntry, origins: readonly string[]): string[] {
	const { label, origin, sources, runId, modelName, approval, reason } = provenance;
	const url = sources.find((source) => source.kind === 'url');
	const finding = sources.find((source) => source.kind === 'finding');
	const checks: [boolean, string][] = [
		[label === 'approved' && origin === 'external', 'label'],
		[url !== undefined && origins.some((each) => url.url.startsWith(each)), 'address'],
		[url !== undefined && HASH.test(url.fetchedHash) && url.fetchedAt > 0, 'hash of what was fetched'],
		[url !== undefined && url.quote !== '' && text.includes(url.quote) && url.end - url.start === url.quote.length, 'quote'],
		[finding !== undefined && finding.findingId !== '' && finding.title !== '', 'finding'],
		[runId !== undefined, 'run'],
		[modelName !== undefined, 'model'],
		[reason !== undefined && reason !== '', 'reason'],
		[approval !== undefined && HASH.test(approval.shownHash) && approval.at > 0 && approval.proposalId !== '', 'approval'],
	];
	return checks.flatMap(([holds, name]) => (holds ? [] : [name]));
}
