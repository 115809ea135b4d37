import { randomUUID } from 'node:crypto';
import type { IndexStatus } from '../../contract/methods/memory.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { Label } from '../../domain/label.ts';
import type { Author, EntryFilter, EntryState, MemoryReceipt, SearchMode, SourceKind } from '../../domain/memory.ts';
import { atTerminal, confirm } from '../ask.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { fileNamed, findChange, findEntry, untilIndexed } from '../find-entry.ts';
import { entryText, hitText, marked, placeOf, versionText } from '../memory-text.ts';
import type { Output } from '../output.ts';
import { givenText } from '../read-input.ts';

/** Filters, as they come from the command line. */
export interface FilterOptions {
	file?: string;
	author?: Author[];
	label?: Label[];
	source?: SourceKind[];
	state?: EntryState[];
	neverUsed?: boolean;
	since?: number;
	before?: number;
}

export async function listMemory(
	{ rpc, output }: CommandContext,
	file: string | undefined,
	options: FilterOptions & { limit?: number; offset?: number },
): Promise<number> {
	const filter = filterOf({ ...options, ...(file !== undefined && { file }) });
	const { entries, total } = await rpc.memory.entries({ filter, offset: options.offset ?? 0, limit: Math.min(options.limit ?? 200, 1000) });
	const rest = total - entries.length - (options.offset ?? 0);
	const none = total > 0 ? 'No more entries.' : Object.keys(filter).length > 0 ? 'No entry fits.' : 'Nothing is remembered yet.';
	output.result(entries, entries.length > 0 ? entries.map(entryText).join('\n\n') : none);
	if (rest > 0) output.note(`${rest} more; see them with --offset ${(options.offset ?? 0) + entries.length}.`);
	return EXIT.ok;
}

export async function searchMemory(
	context: CommandContext,
	words: readonly string[],
	options: FilterOptions & { limit?: number; mode: SearchMode },
): Promise<number> {
	const { rpc, output } = context;
	await untilIndexed(context);
	const { hits, mode, index } = await rpc.memory.search({
		query: words.join(' '),
		mode: options.mode,
		filter: filterOf(options),
		limit: Math.min(options.limit ?? 20, 200),
	});
	output.result({ hits, mode, index }, hits.length > 0 ? hits.map(hitText).join('\n\n') : 'Nothing found.');
	if (mode !== options.mode) output.note(`Searched by ${mode} only. ${index.problem?.message ?? ''}`.trim());
	noteProgress(output, index);
	return EXIT.ok;
}

export async function addMemory(
	{ rpc, output }: CommandContext,
	words: readonly string[],
	options: { file?: string; heading?: string[] },
): Promise<number> {
	const text = await givenText(words);
	const place = {
		...(options.file !== undefined && { file: fileNamed(options.file) }),
		...(options.heading && { headingPath: options.heading }),
	};
	return told(output, await rpc.memory.add({ text, requestId: randomUUID(), ...place }), 'Saved');
}

export async function editMemory({ rpc, output }: CommandContext, given: string, words: readonly string[]): Promise<number> {
	const entry = await findEntry(rpc, given);
	const text = await givenText(words);
	return told(output, await rpc.memory.edit({ entryId: entry.id, baseHash: entry.hash, text }), 'Changed');
}

export async function supersedeMemory({ rpc, output }: CommandContext, given: string, words: readonly string[]): Promise<number> {
	const entry = await findEntry(rpc, given);
	const text = await givenText(words);
	return told(output, await rpc.memory.supersede({ entryId: entry.id, baseHash: entry.hash, text }), 'Superseded');
}

export async function moveMemory(
	{ rpc, output }: CommandContext,
	given: string,
	file: string,
	options: { heading?: string[] },
): Promise<number> {
	const entry = await findEntry(rpc, given);
	const target = { file: fileNamed(file), headingPath: options.heading ?? [] };
	return told(output, await rpc.memory.move({ entryId: entry.id, baseHash: entry.hash, ...target }), 'Moved');
}

export async function removeMemory({ rpc, output }: CommandContext, given: string): Promise<number> {
	const entry = await findEntry(rpc, given);
	return told(output, await rpc.memory.remove({ entryId: entry.id, baseHash: entry.hash }), 'Taken out');
}

export async function restoreMemory({ rpc, output }: CommandContext, given: string, change: string): Promise<number> {
	const entry = await findEntry(rpc, given);
	return told(output, await rpc.memory.restore({ entryId: entry.id, changeId: await findChange(rpc, change) }), 'Brought back');
}

/** Shows all that would go and what would stay, then asks: there is no way back. */
export async function forgetMemory({ rpc, output }: CommandContext, given: string, options: { yes?: boolean }): Promise<number> {
	const entry = await findEntry(rpc, given);
	const preview = await rpc.memory.forgetPreview({ entryId: entry.id });
	output.note(`${placeOf(entry)}\n${marked('-', entry.text)}\n\nForget removes this text from:`);
	for (const { where, count } of preview.places) if (count > 0) output.note(`  ${where}: ${count}`);
	for (const { path, line } of preview.kept) output.note(`  It stays in your own file ${path}:${line}.`);
	if (!options.yes) {
		if (!atTerminal()) {
			throw needsOwner('conflict', 'Forgetting can’t be undone, so it asks first, and nobody is there to answer.', {
				safe: 'Nothing was forgotten.',
				action: 'Run it in a terminal, or add --yes.',
			});
		}
		if (!(await confirm('Forget it everywhere? This can’t be undone.'))) {
			output.result({ forgotten: false }, 'Kept.');
			return EXIT.ok;
		}
	}
	const report = await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
	output.result(
		{ forgotten: true, ...report },
		`Forgotten. ${report.scannedFiles} files of the profile were read afterwards; none holds it any more.`,
	);
	return EXIT.ok;
}

/** Of an entry, of a file, or of everything. */
export async function historyOfMemory(
	{ rpc, output }: CommandContext,
	given: string | undefined,
	options: { limit?: number },
): Promise<number> {
	const limit = Math.min(options.limit ?? 50, 500);
	const isFile = given !== undefined && /(^MEMORY$|\.md$)/.test(given);
	const file = isFile ? fileNamed(given) : undefined;
	const of = given === undefined ? {} : file !== undefined ? { file } : { entryId: (await findEntry(rpc, given)).id };
	const versions = await rpc.memory.history({ ...of, limit });
	// One that was deleted has a history all the same.
	if (file !== undefined && versions.length === 0 && !(await rpc.memory.files()).files.some(({ path }) => path === file))
		throw terminal('not_found', `There is no memory file ${file}.`, { action: 'List what there is with: hearth memory list' });
	output.result(versions, versions.length > 0 ? versions.map(versionText).join('\n\n') : 'Nothing was changed yet.');
	return EXIT.ok;
}

export async function undoMemory({ rpc, output }: CommandContext, given: string): Promise<number> {
	return told(output, await rpc.memory.undo({ changeId: await findChange(rpc, given) }), 'Taken back');
}

/** The whole chain: how the entry came to say what it says. */
export async function whyMemory({ rpc, output }: CommandContext, given: string): Promise<number> {
	const { id } = await findEntry(rpc, given);
	const why = await rpc.memory.why({ entryId: id });
	const steps = why.chain.map(
		({ version, heldBy }) => `${versionText(version)}${heldBy === undefined ? '' : `\n    it waited for you: ${heldBy}`}`,
	);
	output.result(why, [entryText(why.entry), '', 'How it came here, newest first:', '', steps.join('\n\n')].join('\n'));
	return EXIT.ok;
}

export async function reindexMemory({ rpc, output }: CommandContext): Promise<number> {
	await rpc.memory.reindex();
	const { index } = await rpc.memory.files();
	output.result(index, `The index was made anew: ${index.done} of ${index.total} entries can be found, ${index.embedded} also by meaning.`);
	return EXIT.ok;
}

/** Compares disk, ledger and index; fails where they differ. */
export async function verifyMemory(context: CommandContext): Promise<number> {
	const { rpc, output } = context;
	await untilIndexed(context);
	const report = await rpc.memory.verify();
	const problems = report.problems.map(({ kind, file, detail }) => `${file}: ${detail} (${kind})`);
	const size = `${report.entries} entries in ${report.files} files`;
	output.result(report, problems.length > 0 ? problems.join('\n') : `${size}: disk, ledger and index agree.`);
	if (problems.length > 0) output.note(`${size}; ${problems.length} differences.`);
	return problems.length > 0 ? EXIT.failed : EXIT.ok;
}

function told(output: Output, receipt: MemoryReceipt, what: string): number {
	const text =
		receipt.outcome === 'held'
			? `It waits for you in the inbox: ${receipt.reason}`
			: `${receipt.repeated ? 'It was there already' : what}: ${receipt.file}. Take it back with: hearth memory undo ${receipt.changeId}`;
	output.result(receipt, text);
	return receipt.outcome === 'held' ? EXIT.needsOwner : EXIT.ok;
}

function noteProgress(output: Output, index: IndexStatus): void {
	if (index.state !== 'ready') output.note(`The index is being built: ${index.done} of ${index.total} entries can be found so far.`);
	else if (index.problem) output.note([index.problem.message, index.problem.action].filter(Boolean).join(' '));
}

function filterOf(options: FilterOptions): EntryFilter {
	const { file, author, label, source, state, neverUsed, since, before } = options;
	if (since !== undefined && before !== undefined && since >= before)
		throw terminal('invalid_input', 'The end of that time lies before its beginning.', { action: `Look at --since and --before.` });
	return {
		...(file !== undefined && { file: fileNamed(file) }),
		...(author && { authors: author }),
		...(label && { labels: label }),
		...(source && { sources: source }),
		...(state && { states: state }),
		...(neverUsed && { neverUsed }),
		...(since !== undefined && { from: since }),
		...(before !== undefined && { until: before }),
	};
}
