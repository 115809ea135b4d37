import { z } from 'zod';
import { joinSources } from '../../domain/context-source.ts';
import { HearthError } from '../../domain/errors.ts';
import { joinLabels } from '../../domain/label.ts';
import { cutCodePoints, cutCodePointsFromStart } from '../../domain/text.ts';
import { decodeText } from '../../sessions/decode-text.ts';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { type FilesOfCalls, grantsFor, touchesOf } from './by-call.ts';
import { plainName } from './plain-name.ts';
import type { Grant, WorkspaceEntry, WorkspaceFile, WorkspaceFiles } from './port.ts';

const Arguments = z.object({
	query: z.string().min(1).max(500).describe('The text to look for, as it stands there; capital or small letters do not matter.'),
	folder: PATH.optional().describe('Only in this folder.'),
	limit: z.number().int().min(1).max(200).default(50).describe('Most lines to return.'),
});

const MOST_FILES = 5_000;
const DEEPEST = 20;
/** Bytes; larger files are named as not searched. */
const LARGEST = 5_000_000;
const SHOWN_BEFORE = 80;
const SHOWN = 240;

/** Searches text files line by line; PDFs and other files are left out, and said so. */
export function searchFilesTool(of: FilesOfCalls): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'search_files',
		title: 'Search files',
		description: 'Finds text in text files of the workspace folder, or of a folder. Returns lines as path:line: text.',
		schema: Arguments,
		sinks: ['file'],
		sources: ['file'],
		effect: 'pure',
		timeoutMs: 60_000,
		outputCap: 60_000,
		touches: ({ folder = '' }, at) => touchesOf(of, [[folder, 'read']], at),
		run: async ({ query, folder = '', limit }, context) => {
			const { signal } = context;
			const grants = await grantsFor(of, [[folder, 'read']], context);
			const listing = await of.files.list(folder, { depth: DEEPEST, limit: MOST_FILES, signal }, grants);
			const found: string[] = [];
			const hits: WorkspaceFile[] = [];
			let unread = 0;
			for (const entry of listing.entries) {
				signal.throwIfAborted();
				if (entry.kind === 'folder') continue;
				if (found.length > limit) break;
				const file = await readable(of.files, entry, grants);
				const text = file && decodeText(file.bytes, LARGEST)?.text;
				if (file === undefined || text === undefined) {
					unread++;
					continue;
				}
				const lines = linesWith(text, query.toLowerCase(), limit + 1 - found.length);
				if (lines.length > 0) hits.push(file);
				found.push(...lines.map(({ number, line }) => `${plainName(entry.path)}:${number}: ${line}`));
			}
			const notes = [
				...(found.length > limit ? [`[there is more: search for a longer text, or in a single folder]`] : []),
				...(unread > 0 ? [`[not searched: ${unread} files that are no plain text or are too large]`] : []),
				...(listing.more ? [`[only the first ${MOST_FILES} names were searched]`] : []),
			];
			const shown = found.slice(0, limit);
			return {
				text: [...(shown.length === 0 ? [`No file holds “${query}”.`] : shown), ...notes].join('\n'),
				isError: false,
				summary: shown.length === 1 ? '1 line' : `${shown.length} lines`,
				label: joinLabels(of.files.labelOfNames(hits), ...hits.map((hit) => hit.label)),
				sources: joinSources(...hits.map((hit) => hit.sources)),
			};
		},
	};
}

/** Undefined for what is too large, or can't be read now. */
async function readable(
	files: Pick<WorkspaceFiles, 'read'>,
	{ path, kind, bytes }: WorkspaceEntry,
	grants: readonly Grant[],
): Promise<WorkspaceFile | undefined> {
	if (kind !== 'file' || bytes > LARGEST) return undefined;
	try {
		return await files.read(path, grants);
	} catch (error) {
		if (error instanceof HearthError) return undefined;
		throw error;
	}
}

function linesWith(text: string, query: string, most: number): { number: number; line: string }[] {
	if (!text.toLowerCase().includes(query)) return [];
	const found: { number: number; line: string }[] = [];
	for (const [index, line] of text.split('\n').entries()) {
		const at = line.toLowerCase().indexOf(query);
		if (at >= 0) found.push({ number: index + 1, line: around(line, at) });
		if (found.length >= most) break;
	}
	return found;
}

function around(line: string, at: number): string {
	const before = cutCodePointsFromStart(line.slice(0, at), SHOWN_BEFORE);
	const rest = cutCodePoints(line.slice(at), SHOWN);
	return `${before.length < at ? '…' : ''}${before}${rest}${at + rest.length < line.length ? '…' : ''}`;
}
