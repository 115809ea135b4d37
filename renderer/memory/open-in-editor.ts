import type { MemoryPath } from '../../src/domain/memory.ts';
import { copyText } from '../chat/copy.ts';
import { sayProblem } from '../chat/session-actions.ts';
import { shell, useConnection } from '../connection/index.ts';

/** Opens a memory file in the program that the owner's system has for Markdown; in a browser, which can't, its path is copied. */
export function useOpenInEditor(): (file: MemoryPath) => void {
	const folder = useConnection((state) => state.hello?.profileFolder ?? '');
	return (file) => {
		if (shell) shell.openMemoryFile(file).catch(sayProblem);
		else copyText(`${folder}${folder.includes('\\') ? '\\' : '/'}${folder.includes('\\') ? file.replaceAll('/', '\\') : file}`);
	};
}
