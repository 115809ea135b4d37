import { z } from 'zod';
import { terminal } from '../../domain/errors.ts';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { byCall, tellSavedBeside } from './by-call.ts';
import type { WorkspaceFiles } from './port.ts';

const Arguments = z.object({ path: PATH.describe('The file, such as notes/old.md.') });

export function deleteFileTool(files: Pick<WorkspaceFiles, 'change'>): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'delete_file',
		title: 'Delete a file',
		description: 'Deletes one file of the workspace folder. What it held is kept, so that the owner can put it back.',
		schema: Arguments,
		effect: 'idempotent',
		timeoutMs: 30_000,
		outputCap: 4_000,
		run: async ({ path }, context) => {
			const changed = await files.change(
				path,
				(now) => {
					if (!now) throw terminal('not_found', `There is no file ${path} in the workspace, so nothing was deleted.`);
					return { bytes: null, keepsLabel: false };
				},
				byCall(context),
			);
			return {
				text: `Deleted ${changed.change.path}. The owner can put it back.${tellSavedBeside(changed)}`,
				isError: false,
				summary: 'deleted',
			};
		},
	};
}
