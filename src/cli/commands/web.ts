import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { terminal } from '../../domain/errors.ts';
import { openDoor } from '../door.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
export const RENDERER = join(PROJECT, 'dist', 'renderer');

export interface WebOptions {
	readonly profileFolder: string;
	readonly output: Output;
	readonly port: number;
	/** Told once the runtime is reached. */
	onOpen(): void;
}

/** Opens the web door and stays until it is told to stop. Where the app runs already, the door is opened there instead. */
export async function web({ profileFolder, output, port, onOpen }: WebOptions): Promise<number> {
	const ready = await buildView(output);
	if (!ready) throw terminal('internal', 'The view could not be built.', { action: 'Read what the build said above, then try again.' });
	const door = await openDoor({
		profileFolder,
		rendererFolder: RENDERER,
		webPort: port,
		takeUpRuns: true,
		passphrase: process.env.HEARTH_PASSPHRASE,
	});
	onOpen();
	try {
		const { url } = await door.rpc.system.openWeb();
		output.result({ url, own: door.own }, url);
		output.note('Open it in a browser on this computer. It works once; a browser that opened it stays let in until Hearth stops.');
		if (process.env.SSH_CONNECTION) {
			const portOfUrl = new URL(url).port;
			output.note(
				`From another computer, forward the port first: ssh -L ${portOfUrl}:127.0.0.1:${portOfUrl} ${process.env.USER ?? 'you'}@this-host`,
			);
		}
		if (!door.own) {
			if (port !== 0 && port !== Number(new URL(url).port))
				output.note(`Port ${port} is not used: the Hearth that runs has chosen its own. To choose one, quit it first.`);
			output.note('Hearth is already running; it serves this address for as long as it runs.');
			return EXIT.ok;
		}
		output.note('Ctrl-C stops it.');
		await untilTold();
		return EXIT.ok;
	} finally {
		await door.leave({ now: true });
	}
}

/** Builds what is not built or has changed; leaves everything as it is where this is not the project's own folder. */
export async function buildView(output: Output): Promise<boolean> {
	const script = join(PROJECT, 'electron', 'dev', 'build.mjs');
	if (!existsSync(script)) return existsSync(join(RENDERER, 'index.html'));
	const child = spawn(process.execPath, [script, 'renderer'], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
	child.stdout.setEncoding('utf8').on('data', (text: string) => output.note(text.trimEnd()));
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	});
	if (code !== 0 && existsSync(join(RENDERER, 'index.html'))) output.note('The build failed; the last one that worked is served.');
	return existsSync(join(RENDERER, 'index.html'));
}

/** Ctrl-C, or whoever looks after this process. */
export function untilTold(): Promise<void> {
	return new Promise((resolve) => {
		// A listener on a signal alone does not keep the process up; the open doors do.
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
	});
}
