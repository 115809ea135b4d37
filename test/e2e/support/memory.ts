import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { dialSocket } from '../../../src/app/socket.ts';
import { type Connection, connect } from '../../../src/contract/client.ts';
import { type Hearth, openView, startHearth, type View, type ViewOptions } from './browser.ts';

/** The memory screen in a real Chromium, against a real runtime over memory files that are there before it starts. */
export interface MemoryScreen {
	readonly hearth: Hearth;
	readonly view: View;
	readonly page: View['page'];
	readonly list: Locator;
	/** The row of the entry that says this. */
	entry(text: string | RegExp): Locator;
	/** The runtime's own connection for commands. */
	rpc(): Promise<Connection>;
	close(): Promise<void>;
}

export type MemoryFiles = Readonly<Record<string, string>>;

/** A home with a profile that has been through the first run and holds these files. `embedding`: memory is found by meaning, too. */
export function homeWithMemory(files: MemoryFiles, embedding = true): string {
	const home = mkdtempSync(join(tmpdir(), 'hearth-memory-'));
	const folder = join(home, 'profiles', 'default');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const config = { version: 1, firstRunDone: true, ...(embedding ? {} : { embedding: { kind: 'off' } }) };
	writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	return home;
}

/** `before`: does something with the profile before the runtime starts on it. `home`: one that has these files already. */
export async function openMemory(
	files: MemoryFiles,
	options: ViewOptions & { before?: (profileFolder: string) => void; home?: string; embedding?: boolean } = {},
): Promise<MemoryScreen> {
	const home = options.home ?? homeWithMemory(files, options.embedding);
	options.before?.(join(home, 'profiles', 'default'));
	const hearth = await startHearth({ home, firstRunDone: false });
	const view = await openView(hearth, { at: '/memory', ...options });
	const { page } = view;
	return {
		hearth,
		view,
		page,
		list: page.getByRole('region', { name: 'List of entries' }),
		entry: (text) => page.getByRole('article').filter({ hasText: text }),
		async rpc() {
			const transport = await dialSocket(hearth.profileFolder);
			if (!transport) throw new Error('the runtime does not run');
			return connect(transport, { client: 'test' });
		},
		async close() {
			await view.close();
			await hearth.stop();
			rmSync(home, { recursive: true, force: true });
		},
	};
}
