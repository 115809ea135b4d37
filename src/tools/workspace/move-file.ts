import { z } from 'zod';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { byCall, tellSavedBeside } from './by-call.ts';
import type { WorkspaceFiles } from './port.ts';

const Arguments = z.object({
	from: PATH.describe('The file, such as notes/plan.md.'),
	to: PATH.describe('Its new path; no file may be there yet.'),
});

export function moveFileTool(files: Pick<WorkspaceFiles, 'move'>): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'move_file',
		title: 'Move a file',
		description: 'Moves or renames one file of the workspace folder. It never replaces another file.',
		schema: Arguments,
		effect: 'idempotent',
		timeoutMs: 30_000,
		outputCap: 4_000,
		run: async ({ from, to }, context) => {
			const moved = await files.move(from, to, byCall(context));
			const { arrived, left } = moved;
			return { text: `Moved ${left.path} to ${arrived.path}.${tellSavedBeside(moved)}`, isError: false, summary: `now ${arrived.path}` };
		},
	};
}
