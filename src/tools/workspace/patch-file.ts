import { z } from 'zod';
import { terminal } from '../../domain/errors.ts';
import { repairSurrogates } from '../../domain/text.ts';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { byCall, type FilesOfCalls, grantsFor, tellSavedBeside, touchesOf } from './by-call.ts';
import { applyEdits } from './patch.ts';
import type { WorkspaceFile } from './port.ts';
import { editableText } from './text.ts';

const Arguments = z.object({
	path: PATH.describe('The file, such as notes/plan.md.'),
	edits: z
		.array(
			z.object({
				find: z.string().min(1).max(100_000).describe('Text of the file, exactly, that occurs in it once.'),
				replace: z.string().max(1_000_000).describe('What stands there afterwards; empty to remove it.'),
			}),
		)
		.min(1)
		.max(100),
});

/** What hinders it quotes the file, so it is told as a result with the file's label. */
class NotPatched extends Error {
	readonly file: WorkspaceFile;
	constructor(problem: string, file: WorkspaceFile) {
		super(problem);
		this.file = file;
	}
}

export function patchFileTool(of: FilesOfCalls): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'patch_file',
		title: 'Edit a file',
		description:
			'Changes parts of a text file: each edit replaces text that occurs in it exactly once. All edits are made, or none. Read the file first.',
		schema: Arguments,
		sinks: ['file'],
		sources: ['file'],
		effect: 'idempotent',
		timeoutMs: 30_000,
		outputCap: 20_000,
		touches: ({ path }, at) => touchesOf(of, [[path, 'write']], at),
		run: async ({ path, edits }, context) => {
			try {
				const grants = await grantsFor(of, [[path, 'write']], context);
				const changed = await of.files.change(
					path,
					(now) => {
						if (!now) throw terminal('not_found', `There is no file ${path}, so nothing was changed.`);
						const patched = applyEdits(
							editableText(now),
							edits.map(({ find, replace }) => ({ find, replace: repairSurrogates(replace) })),
						);
						if (!patched.ok) throw new NotPatched(patched.problem, now);
						return { bytes: Buffer.from(patched.text, 'utf8'), keepsLabel: true };
					},
					byCall(context, grants),
				);
				const count = edits.length === 1 ? '1 edit' : `${edits.length} edits`;
				return { text: `Changed ${changed.change.path}: ${count} made.${tellSavedBeside(changed)}`, isError: false, summary: count };
			} catch (error) {
				if (error instanceof NotPatched)
					return { text: error.message, isError: true, label: error.file.label, sources: error.file.sources };
				throw error;
			}
		},
	};
}
