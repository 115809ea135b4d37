import { basename } from 'node:path';
import { HearthError, needsOwner } from '../../domain/errors.ts';
import { dueText } from '../context.ts';
import { openOwnDoor } from '../door.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { tellAsItComes } from '../told.ts';
import { buildView, RENDERER, untilTold } from './web.ts';

const LOCKED =
	'The stored keys are locked, so what needs one waits. Give HEARTH_PASSPHRASE in the environment, or unlock them in the view.';

export interface ServeOptions {
	readonly profileFolder: string;
	readonly output: Output;
	/** Prints a one-time address of the view, too. Undefined: only where it is asked for later, with `hearth web`. */
	readonly webPort: number | undefined;
	/** Told once the runtime is there. */
	onOpen(): void;
}

/**
 * Runs the runtime without a window, in the foreground, until it is told to stop: what is due is done, and commands come in by the socket. It
 * says one line when it is ready, and one for each reminder and each task that it tells of. Rejects with `profile_locked` where another has the profile.
 */
export async function serve({ profileFolder, output, webPort, onOpen }: ServeOptions): Promise<number> {
	// From the start: who ends it while it starts ends it as cleanly.
	const told = untilTold();
	const view = webPort === undefined || (await buildView(output));
	const passphrase = process.env.HEARTH_PASSPHRASE;
	const how = { profileFolder, rendererFolder: RENDERER, webPort: webPort ?? 0, takeUpRuns: true, passphrase };
	const door = await openOwnDoor(how).catch((error: unknown) => {
		throw inUse(error);
	});
	// For as long as it runs, no program that it starts need see it.
	delete process.env.HEARTH_PASSPHRASE;
	onOpen();
	try {
		if ((await door.rpc.secrets.status()).locked) output.note(LOCKED);
		const url = webPort !== undefined && view ? (await door.rpc.system.openWeb()).url : undefined;
		if (!view) output.note('The view could not be built, so there is no address for a browser. What the build said stands above.');
		const { paused, nextDueAt } = await door.rpc.work.status();
		const next = paused ? ' Pause all is on.' : nextDueAt === undefined ? '' : ` The next time is ${dueText(nextDueAt)}.`;
		output.result(
			{ ready: true, profile: door.hello.profile, pid: process.pid, ...(url !== undefined && { url }) },
			`Hearth runs for the profile “${door.hello.profile}” (process ${process.pid}).${next}${url === undefined ? '' : `\n${url}`}`,
		);
		output.note('Ctrl-C ends it.');
		const telling = tellAsItComes(door.rpc, output);
		await Promise.race([told, telling.ended.then(() => told)]);
		telling.stop();
		output.note('Hearth ends. What is under way goes on at its next step with the next start.');
		return EXIT.ok;
	} finally {
		await door.leave({ now: true });
	}

	function inUse(error: unknown): unknown {
		if (!(error instanceof HearthError) || error.code !== 'profile_locked') return error;
		return needsOwner('profile_locked', error.shape.message, {
			safe: 'Nothing was changed. Tasks run there.',
			action: `Quit that one first, or serve another profile than “${basename(profileFolder)}” with --profile.`,
			cause: error,
		});
	}
}
