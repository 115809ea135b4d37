import { z } from 'zod';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { byCall, type FilesOfCalls, grantsFor, tellSavedBeside, touchesOf, type Wanted } from './by-call.ts';

const Arguments = z.object({
	from: PATH.describe('The file, such as notes/plan.md.'),
	to: PATH.describe('Its new path; no file may be there yet.'),
});

export function moveFileTool(of: FilesOfCalls): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'move_file',
		title: 'Move a file',
		description: 'Moves or renames one file. It never replaces another.',
		schema: Arguments,
		sinks: ['file'],
		effect: 'idempotent',
		timeoutMs: 30_000,
		outputCap: 4_000,
		touches: ({ from, to }, at) => touchesOf(of, wantedOf(from, to), at),
		run: async ({ from, to }, context) => {
			const grants = await grantsFor(of, wantedOf(from, to), context);
			const moved = await of.files.move(from, to, byCall(context, grants));
			const { arrived, left } = moved;
			return { text: `Moved ${left.path} to ${arrived.path}.${tellSavedBeside(moved)}`, isError: false, summary: `now ${arrived.path}` };
		},
	};
}

function wantedOf(from: string, to: string): Wanted[] {
	return [
		[from, 'write'],
		[to, 'write'],
	];
}
