import { z } from 'zod';
import { terminal } from '../../domain/errors.ts';
import { repairSurrogates } from '../../domain/text.ts';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { byCall, type FilesOfCalls, grantsFor, tellSavedBeside, touchesOf } from './by-call.ts';
import type { Composed, WorkspaceFile } from './port.ts';
import { editableText, sizeInWords, withLineEnds } from './text.ts';

const Arguments = z.object({
	path: PATH.describe('The file, such as notes/plan.md. Folders that are missing are made.'),
	content: z.string().max(10_000_000).describe('The text.'),
	mode: z
		.enum(['replace', 'append', 'create'])
		.default('replace')
		.describe('replace: the file holds only this text then. append: it goes to the end. create: only where no such file is there.'),
});

export function writeFileTool(of: FilesOfCalls): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'write_file',
		title: 'Write a file',
		description: 'Writes a text file. What was there is kept for the owner. To change a part of a file use patch_file.',
		schema: Arguments,
		sinks: ['file'],
		effect: 'idempotent',
		timeoutMs: 30_000,
		outputCap: 4_000,
		touches: ({ path }, at) => touchesOf(of, [[path, 'write']], at),
		run: async ({ path, content, mode }, context) => {
			const grants = await grantsFor(of, [[path, 'write']], context);
			const changed = await of.files.change(path, (now) => composed(now, repairSurrogates(content), mode), byCall(context, grants));
			const { path: written, bytes, before } = changed.change;
			const what = before === null ? 'Made' : mode === 'append' ? 'Added to' : 'Replaced';
			return {
				text: `${what} ${written} (${sizeInWords(bytes)} now).${tellSavedBeside(changed)}`,
				isError: false,
				summary: what.toLowerCase(),
			};
		},
	};
}

function composed(now: WorkspaceFile | undefined, content: string, mode: z.infer<typeof Arguments>['mode']): Composed {
	if (now && mode === 'create')
		throw terminal('conflict', `${now.path} is there already, so nothing was written.`, { safe: 'Nothing was changed.' });
	if (!now || mode !== 'append') return { bytes: Buffer.from(content, 'utf8'), keepsLabel: false };
	const text = editableText(now);
	return { bytes: Buffer.from(text + withLineEnds(content, text), 'utf8'), keepsLabel: true };
}
