import { setTimeout as sleep } from 'node:timers/promises';
import type { HearthClient } from '../contract/contract.ts';
import { terminal } from '../domain/errors.ts';
import { type ChangeId, EntryId, type EntryVersion, type MemoryEntry, MemoryPath } from '../domain/memory.ts';
import type { CommandContext } from './context.ts';

/** Entries asked for at a time, and how long an own runtime is given to read what is new before it is searched. */
const PAGE = 1000;
const INDEX_PATIENCE_MS = 60_000;

/** An entry by its id, the unique beginning of one, or the place of one of its lines: `MEMORY.md:12`. */
export async function findEntry(rpc: HearthClient, given: string): Promise<MemoryEntry> {
	const place = /^(.+):(\d{1,9})$/.exec(given);
	if (place) return entryAt(rpc, fileNamed(place[1] ?? ''), Number(place[2]));
	if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(given)) return rpc.memory.entry({ entryId: EntryId.parse(given) });
	const matches = given === '' ? [] : await entriesWhere(rpc, (entry) => entry.id.startsWith(given));
	if (matches.length === 1 && matches[0]) return matches[0];
	throw terminal(
		'not_found',
		matches.length > 1 ? `“${given}” fits ${matches.length} entries.` : `There is no entry with the id “${given.slice(0, 80)}”.`,
		{ action: 'List them with: hearth memory list. An entry may also be named by its place, such as MEMORY.md:12.' },
	);
}

async function entryAt(rpc: HearthClient, file: MemoryPath, line: number): Promise<MemoryEntry> {
	const holding = await entriesWhere(rpc, (entry) => entry.lineStart <= line && line <= entry.lineEnd, file);
	// The innermost, where one lies in another.
	const entry = holding.toSorted((a, b) => a.lineEnd - a.lineStart - (b.lineEnd - b.lineStart))[0];
	if (entry) return entry;
	throw terminal('not_found', `There is no entry at line ${line} of ${file}.`, { action: `Look at: hearth memory list ${file}` });
}

async function entriesWhere(rpc: HearthClient, fits: (entry: MemoryEntry) => boolean, file?: MemoryPath): Promise<MemoryEntry[]> {
	const found: MemoryEntry[] = [];
	for (let offset = 0; ; offset += PAGE) {
		const page = await rpc.memory.entries({ filter: file ? { file } : {}, offset, limit: PAGE });
		found.push(...page.entries.filter(fits));
		if (page.entries.length < PAGE) return found;
	}
}

/** A memory file as people write it: with or without `memory/` and `.md`, or a day. */
export function fileNamed(given: string): MemoryPath {
	const tries = [given, `${given}.md`, `memory/${given}`, `memory/${given}.md`];
	for (const path of tries) {
		const parsed = MemoryPath.safeParse(path.replace(/^\.\//, ''));
		if (parsed.success) return parsed.data;
	}
	throw terminal('invalid_input', `“${given.slice(0, 80)}” is not a memory file.`, {
		action: 'Name MEMORY.md or a Markdown file under memory/, such as memory/2026-11-29.md.',
	});
}

/** A change by its id, the unique beginning of one, or `last`: the newest that can be taken back and was not. */
export async function findChange(rpc: HearthClient, given: string): Promise<ChangeId> {
	const versions = await rpc.memory.history({ limit: 500 });
	const forgotten = new Set(versions.flatMap((version) => (version.forgotten ? [version.changeId] : [])));
	const fitting = ({ changeId, kind, undoneBy }: EntryVersion): boolean =>
		given === 'last'
			? undoneBy === undefined && kind !== 'undo' && kind !== 'forget' && !forgotten.has(changeId)
			: given !== '' && changeId.startsWith(given);
	const ids = [...new Set(versions.filter(fitting).map(({ changeId }) => changeId))];
	const [id] = ids;
	if (id && (given === 'last' || ids.length === 1)) return id;
	// An old one, beyond what was listed.
	if (given.length === 36) return given as ChangeId;
	if (given === 'last')
		throw terminal('not_found', 'There is no change left that could be taken back.', {
			safe: 'Nothing was changed.',
			action: 'To take back an undo, name its change: hearth memory history',
		});
	throw terminal('not_found', ids.length > 1 ? `“${given}” fits ${ids.length} changes.` : `There is no change “${given.slice(0, 80)}”.`, {
		action: 'List them with: hearth memory history',
	});
}

/** Where this command is the runtime, it first reads what changed since the last time. */
export async function untilIndexed({ rpc, door, output }: CommandContext): Promise<void> {
	if (!door.own) return;
	let told = false;
	for (const deadline = Date.now() + INDEX_PATIENCE_MS; Date.now() < deadline; await sleep(100)) {
		const { index } = await rpc.memory.files();
		if (index.state === 'ready') return;
		if (!told) output.note(`Reading memory: ${index.done} of ${index.total} entries can be found so far …`);
		told = true;
	}
}
