import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { terminal } from '../domain/errors.ts';
import { localDay } from '../domain/local-day.ts';
import { LocalDay, type MemoryEntry, MemoryPath, type MemoryReceipt } from '../domain/memory.ts';
import { nameProblem } from '../domain/memory-name.ts';
import type { ProposalOperation } from '../domain/proposal.ts';
import type { WriteGrant } from '../domain/write-grant.ts';
import { dailyFile } from '../memory/paths.ts';
import type { MemoryReader, MemoryWriter } from '../memory/port.ts';
import { readRef, spanOfDay } from './memory-text.ts';
import type { MemoryLeave, Tool, ToolContext, ToolOutput } from './port.ts';

const Arguments = z
	.object({
		text: z
			.string()
			.trim()
			.min(1)
			.max(20_000)
			.describe('What to remember: one fact in one or two plain sentences, in the owner’s language.'),
		reason: z.string().trim().min(1).max(500).describe('Why it is worth remembering, in one sentence.'),
		mode: z
			.enum(['append', 'patch', 'supersede'])
			.default('append')
			.describe(
				'append: a new entry. supersede: it was true and no longer is; the old entry is kept as past. patch: the old entry was wrong or is incomplete.',
			),
		entry: z.string().max(200).optional().describe('For patch and supersede: the entry that it replaces, as memory_search names it.'),
		file: MemoryPath.refine((path) => nameProblem(path) === undefined, { error: ({ input }) => nameProblem(String(input)) ?? '' })
			.optional()
			.describe('For append: MEMORY.md for what stays true. Left out: the notes of today.'),
		under: z.string().trim().max(500).optional().describe('For append: the heading to put it under.'),
		quote: z.string().max(2_000).optional().describe('The exact words that it rests on.'),
		valid_from: LocalDay.optional().describe('The first day on which it is true.'),
		valid_until: LocalDay.optional().describe('The last day on which it is true.'),
	})
	.refine(({ mode, entry }) => (mode === 'append') === (entry === undefined), {
		message: 'patch and supersede name an entry, append does not.',
	})
	.refine(({ valid_from: from, valid_until: until }) => from === undefined || until === undefined || from <= until, {
		message: 'valid_until is before valid_from.',
	});
type Arguments = z.infer<typeof Arguments>;

/** Writes memory with the leave that the gate gave, or leaves a proposal. The call's key makes a repeat change nothing (mem-5, R2). */
export function memoryWriteTool(deps: {
	memory: Pick<MemoryReader, 'entry'>;
	writer: MemoryWriter;
	clock: Pick<Clock, 'now'>;
}): Tool<Arguments> {
	return {
		name: 'memory_write',
		title: 'Remember',
		description:
			'Writes to memory: something new, or in place of an entry. Use it when the owner asks you to remember something, or tells you something that will matter in later chats. Search first, so that nothing is there twice. Say that something is saved only where this tool says so.',
		schema: Arguments,
		effect: 'idempotent',
		sinks: ['memory'],
		touches: () => [{ sink: 'memory' }],
		timeoutMs: 30_000,
		outputCap: 4_000,
		run: async (args, context) => {
			const leave = leaveOf(context);
			const target = args.entry === undefined ? undefined : targetOf(deps.memory, args.entry);
			const provenance = leave.provenance({
				text: args.text,
				quote: args.quote,
				reason: `${args.reason}${leave.grant ? '' : daysOf(args)}`,
			});
			if (!leave.grant) return tellHeld(leave.hold(operationOf(args, target, deps.clock.now()), provenance), leave, 'saved');
			const base = { grant: leave.grant, key: context.idempotencyKey, provenance, text: args.text };
			const receipt = !target
				? await deps.writer.append({ ...base, file: args.file, headingPath: args.under === undefined ? undefined : [args.under] })
				: await deps.writer[args.mode === 'patch' ? 'patch' : 'supersede']({
						...base,
						entryId: target.entry.id,
						baseHash: target.baseHash,
					});
			await limitTo(deps, args, receipt, { grant: leave.grant, key: `${context.idempotencyKey}:validity`, provenance });
			return receipt.outcome === 'held' ? tellHeld(receipt, leave, 'saved') : tellWritten(receipt, deps.memory);
		},
	};
}

export function leaveOf({ memory }: ToolContext): MemoryLeave {
	if (memory) return memory;
	throw terminal('tool_denied', 'Memory can’t be changed from here.');
}

export interface Target {
	readonly entry: MemoryEntry;
	/** Where the text is no longer the one that was named, what was named: the writer says `stale`, unless this very call wrote it. */
	readonly baseHash: string;
}

/** Throws `not_found`. */
export function targetOf(memory: Pick<MemoryReader, 'entry'>, ref: string): Target {
	const { id, hash } = readRef(ref);
	const entry = memory.entry(id);
	if (entry.state === 'quarantined') throw terminal('not_found', 'That entry waits for the owner and can’t be changed from here.');
	return { entry, baseHash: entry.hash.startsWith(hash) ? entry.hash : hash };
}

function operationOf(args: Arguments, target: Target | undefined, now: number): ProposalOperation {
	const { text } = args;
	if (!target)
		return {
			kind: 'append',
			file: args.file ?? dailyFile(localDay(now)),
			headingPath: args.under === undefined ? [] : [args.under],
			text,
		};
	const { entry, baseHash } = target;
	if (entry.hash !== baseHash) throw terminal('stale', 'That entry has changed since you read it. Search again.');
	const kind = args.mode === 'patch' ? 'patch' : 'supersede';
	return { kind, file: entry.file, entryId: entry.id, baseHash, before: entry.text, text };
}

/** The days between which it is true, where they were given. */
async function limitTo(
	{ memory, writer }: { memory: Pick<MemoryReader, 'entry'>; writer: MemoryWriter },
	{ valid_from: from, valid_until: until }: Arguments,
	receipt: MemoryReceipt,
	write: { grant: WriteGrant; key: string; provenance: ReturnType<MemoryLeave['provenance']> },
): Promise<void> {
	if ((from === undefined && until === undefined) || receipt.outcome !== 'written' || receipt.entryId === undefined) return;
	const { id: entryId, hash: baseHash, validFrom: since = null, validUntil: last = null } = memory.entry(receipt.entryId);
	const start = from === undefined ? null : spanOfDay(from).from;
	const end = until === undefined ? null : spanOfDay(until).until;
	// A day that is not given stays as it is, unless the given one shows it to be wrong.
	const isSpan = (start ?? since ?? Number.NEGATIVE_INFINITY) < (end ?? last ?? Number.POSITIVE_INFINITY);
	const validFrom = start ?? (isSpan ? since : null);
	const validUntil = end ?? (isSpan ? last : null);
	await writer.setValidity({ ...write, entryId, baseHash, validFrom, validUntil });
}

/** A proposal has no days of its own: the owner reads them in the reason. */
function daysOf({ valid_from, valid_until }: Arguments): string {
	const days = [...(valid_from ? [`from ${valid_from}`] : []), ...(valid_until ? [`until ${valid_until}`] : [])];
	return days.length === 0 ? '' : ` (true ${days.join(' ')})`;
}

/** What really happened, so that the model can say nothing else in good faith (mem-9). */
function tellWritten(receipt: Extract<MemoryReceipt, { outcome: 'written' }>, memory: Pick<MemoryReader, 'entry'>): ToolOutput {
	const place = receipt.entryId === undefined ? receipt.file : placeOf(memory.entry(receipt.entryId));
	return {
		text: receipt.repeated ? `Nothing new to save: it is in ${place} already.` : `Saved in ${place}. The owner can undo it.`,
		isError: false,
		summary: receipt.repeated ? 'already there' : 'saved',
		receipts: [receipt],
	};
}

export function tellHeld(receipt: MemoryReceipt, { why }: MemoryLeave, what: 'saved' | 'forgotten'): ToolOutput {
	const text = `Not ${what} yet: it waits for the owner in the inbox. ${why} Tell the owner that it is not ${what} yet.`;
	return { text, isError: false, summary: 'waits in the inbox', receipts: [receipt] };
}

function placeOf({ file, lineStart, lineEnd }: MemoryEntry): string {
	return lineStart === lineEnd ? `${file}, line ${lineStart}` : `${file}, lines ${lineStart} to ${lineEnd}`;
}
