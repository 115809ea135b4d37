import { z } from 'zod';
import { localDay } from '../../domain/local-day.ts';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { type FilesOfCalls, grantsFor, touchesOf } from './by-call.ts';
import { plainName } from './plain-name.ts';
import type { Grant, WorkspaceEntry } from './port.ts';
import { sizeInWords } from './text.ts';

const Arguments = z.object({
	folder: PATH.optional().describe('Only what is in this folder; the whole workspace where left out.'),
	depth: z.number().int().min(1).max(20).default(3).describe('How many folders deep.'),
	limit: z.number().int().min(1).max(1_000).default(200).describe('Most names to return.'),
});

export function listFilesTool(of: FilesOfCalls): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'list_files',
		title: 'List files',
		description: 'Lists the files and folders of the workspace folder, or of a folder that the owner granted, with sizes and days.',
		schema: Arguments,
		sinks: ['file'],
		sources: ['file'],
		effect: 'pure',
		timeoutMs: 10_000,
		outputCap: 100_000,
		touches: ({ folder = '' }, at) => touchesOf(of, [[folder, 'read']], at),
		run: async ({ folder = '', depth, limit }, context) => {
			const grants = await grantsFor(of, [[folder, 'read']], context);
			const { entries, more, label, sources } = await of.files.list(folder, { depth, limit, signal: context.signal }, grants);
			const where = folder === '' ? 'The workspace' : folder;
			const text = entries.length === 0 ? `${where} is empty.` : entries.map(told).join('\n');
			const open = folder === '' ? grants.filter(({ once }) => once !== true).map(toldGrant) : [];
			return {
				text: [
					...(open.length > 0 ? [`[granted folders beside it: ${open.join(', ')}]`] : []),
					more ? `${text}\n[there is more: list single folders, or give a higher limit]` : text,
				].join('\n'),
				isError: false,
				summary: entries.length === 1 ? '1 name' : `${entries.length} names`,
				label,
				sources,
			};
		},
	};
}

function toldGrant({ path, access }: Grant): string {
	return `${plainName(path)} (${access === 'read' ? 'reading' : 'reading and writing'})`;
}

function told({ path, kind, bytes, modifiedAt }: WorkspaceEntry): string {
	const name = plainName(path);
	if (kind === 'folder') return `${name}/`;
	const day = localDay(modifiedAt);
	return kind === 'file' ? `${name} · ${sizeInWords(bytes)} · ${day}` : `${name} · a link or device`;
}
