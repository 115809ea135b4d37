import type { Tool } from '../port.ts';
import type { FilesOfCalls } from './by-call.ts';
import { deleteFileTool } from './delete-file.ts';
import { listFilesTool } from './list-files.ts';
import { moveFileTool } from './move-file.ts';
import { patchFileTool } from './patch-file.ts';
import { readFileTool } from './read-file.ts';
import { searchFilesTool } from './search-files.ts';
import { writeFileTool } from './write-file.ts';

/** All that a model can do with files of `workspace/` and of granted folders. */
export function workspaceTools(files: FilesOfCalls): Tool[] {
	return [
		listFilesTool(files),
		readFileTool(files),
		searchFilesTool(files),
		writeFileTool(files),
		patchFileTool(files),
		moveFileTool(files),
		deleteFileTool(files),
	];
}
