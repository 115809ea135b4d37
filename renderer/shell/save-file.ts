import type { ExportedFile } from '../../src/contract/shapes.ts';
import { call, shell } from '../connection/index.ts';

/** Lets the owner save a file: the shell asks where, a browser puts it in its downloads. False where the owner cancelled. */
export async function saveFile(file: ExportedFile): Promise<boolean> {
	if (shell) return shell.saveFile({ filename: file.filename, text: file.text });
	const url = URL.createObjectURL(new Blob([file.text], { type: file.mime }));
	const link = document.createElement('a');
	link.href = url;
	link.download = file.filename;
	link.click();
	// The download has its own hold on the data once it has begun.
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
	return true;
}

/** Versions, doctor report and logs as one file; no message text and no secrets. */
export async function saveDiagnostics(): Promise<boolean> {
	return saveFile(await call((client) => client.system.diagnostics(), { repeatable: true }));
}
