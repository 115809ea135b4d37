import { z } from 'zod';
import { readJson, writeJson } from './json-file.ts';

const Told = z.object({ keepsRunning: z.boolean() });

/** Says once, when the window closes for the first time and Hearth goes on in the tray, that it does. `notify`: false where it was not shown. */
export function createTrayNotice({ file, notify }: { file: string; notify: () => boolean }): { windowClosed(): void } {
	let told = readJson(file, Told)?.keepsRunning ?? false;
	return {
		windowClosed: () => {
			if (told || !notify()) return;
			told = true;
			writeJson(file, { keepsRunning: true });
		},
	};
}
