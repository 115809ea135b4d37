import { mkdir, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { systemCode } from '../../base/system-code.ts';

/**
 * The desktop's own trash, for files of granted folders: there the owner looks for what is gone. What was deleted is in `blobs/` before that;
 * this is a second copy, and where it can't be made nothing is lost.
 */

export interface Trash {
	/** Puts a copy there of what lay at this place. False where there is no trash that Hearth can use. */
	keep(path: string, bytes: Uint8Array, at: number): Promise<boolean>;
}

const MOST_OF_A_NAME = 1_000;

/** freedesktop.org's trash on Linux, `~/.Trash` on macOS; none elsewhere. */
export function systemTrash(environment: Record<string, string | undefined> = process.env, home = homedir()): Trash {
	if (process.platform === 'darwin') return { keep: (path, bytes) => keepIn(join(home, '.Trash'), path, bytes) };
	if (process.platform !== 'linux') return { keep: async () => false };
	const data = environment.XDG_DATA_HOME;
	return freedesktopTrash(join(data?.startsWith('/') ? data : join(home, '.local', 'share'), 'Trash'));
}

/** A folder as the specification has it (1.0): `files/NAME` beside `info/NAME.trashinfo`, which is made first and reserves the name. */
export function freedesktopTrash(folder: string): Trash {
	return {
		keep: async (path, bytes, at) => {
			try {
				for (const part of ['files', 'info']) await mkdir(join(folder, part), { recursive: true, mode: 0o700 });
				const name = await reserved((tried) => join(folder, 'info', `${tried}.trashinfo`), path);
				if (name === undefined) return false;
				const info = join(folder, 'info', `${name}.trashinfo`);
				await writeFileAtomic(
					info,
					`[Trash Info]\nPath=${path.split('/').map(encodeURIComponent).join('/')}\nDeletionDate=${localTime(at)}\n`,
				);
				await writeFileAtomic(join(folder, 'files', name), bytes);
				return true;
			} catch (error) {
				if (systemCode(error) === '') throw error;
				return false;
			}
		},
	};
}

async function keepIn(folder: string, path: string, bytes: Uint8Array): Promise<boolean> {
	try {
		const name = await reserved((tried) => join(folder, tried), path);
		if (name === undefined) return false;
		await writeFileAtomic(join(folder, name), bytes);
		return true;
	} catch (error) {
		if (systemCode(error) === '') throw error;
		return false;
	}
}

/** A name that nobody else has there: `plan.md`, `plan.2.md`. */
async function reserved(placeOf: (name: string) => string, path: string): Promise<string | undefined> {
	const whole = basename(path);
	const ending = extname(whole);
	const stem = whole.slice(0, whole.length - ending.length);
	for (let count = 1; count <= MOST_OF_A_NAME; count++) {
		const name = count === 1 ? whole : `${stem}.${count}${ending}`;
		try {
			await (await open(placeOf(name), 'wx', 0o600)).close();
			return name;
		} catch (error) {
			if (systemCode(error) !== 'EEXIST') throw error;
		}
	}
	return undefined;
}

/** `2026-11-30T03:25:00`, by the owner's clock, as the specification wants it. */
function localTime(at: number): string {
	const date = new Date(at);
	const two = (part: number): string => String(part).padStart(2, '0');
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
