import { z } from 'zod';
import { terminal } from '../../domain/errors.ts';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { byCall, type FilesOfCalls, grantsFor, tellSavedBeside, touchesOf } from './by-call.ts';
import type { WorkspaceFile } from './port.ts';

const Arguments = z.object({ path: PATH.describe('The file, such as notes/old.md.') });

export function deleteFileTool(of: FilesOfCalls): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'delete_file',
		title: 'Delete a file',
		description: 'Deletes one file. What it held is kept, so that the owner can put it back.',
		schema: Arguments,
		sinks: ['file'],
		effect: 'idempotent',
		timeoutMs: 30_000,
		outputCap: 4_000,
		touches: ({ path }, at) => touchesOf(of, [[path, 'write']], at),
		run: async ({ path }, context) => {
			const grants = await grantsFor(of, [[path, 'write']], context);
			let held: WorkspaceFile | undefined;
			const changed = await of.files.change(
				path,
				(now) => {
					if (!now) throw terminal('not_found', `There is no file ${path}, so nothing was deleted.`);
					held = now;
					return { bytes: null, keepsLabel: false };
				},
				byCall(context, grants),
			);
			const { path: gone, root, at } = changed.change;
			const isInTrash = held !== undefined && root !== undefined && (await of.trash.keep(gone, held.bytes, at));
			const where = isInTrash ? 'It is in the trash, too; the' : 'The';
			return {
				text: `Deleted ${gone}. ${where} owner can put it back.${tellSavedBeside(changed)}`,
				isError: false,
				summary: 'deleted',
			};
		},
	};
}
