import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { sha256 } from '../../base/sha256.ts';
import { systemCode } from '../../base/system-code.ts';
import type { DocumentName, OwnerDocument } from '../../contract/methods/profile.ts';
import { asStorageError } from '../../db/errors.ts';
import { HearthError, needsOwner } from '../../domain/errors.ts';
import type { HealthKeeper } from '../health.ts';
import type { Live } from '../live.ts';

/** Room for the 1,000,000 characters that the contract takes, in any script. */
const MOST_BYTES = 4_000_000;

export interface DocumentsDeps {
	profileFolder: string;
	health: Pick<HealthKeeper, 'report'>;
	announce: Live['announce'];
}

/** `documents.*` of the contract: AGENT.md, USER.md and HEARTBEAT.md, which the owner may also edit in any editor (M3). */
export function createDocumentsHandlers({ profileFolder, health, announce }: DocumentsDeps) {
	const sequencer = new Sequencer();
	return {
		get: (input: { name: DocumentName }): Promise<OwnerDocument> => readDocument(profileFolder, input.name),
		save: (input: { name: DocumentName; text: string; baseHash: string }): Promise<OwnerDocument> =>
			sequencer.run(input.name, async () => {
				const found = await readDocument(profileFolder, input.name);
				if (found.hash !== input.baseHash) {
					throw needsOwner('conflict', `${input.name} was changed outside this window since you opened it.`, {
						safe: 'Neither version was overwritten: the file is as it is on the disk, and your text is still here.',
						action: 'Copy your text, load the file again and bring the two together.',
					});
				}
				try {
					await writeFileAtomic(join(profileFolder, input.name), input.text);
				} catch (error) {
					health.report(error);
					throw asStorageError(error);
				}
				// It says what background work looks for.
				if (input.name === 'HEARTBEAT.md') announce({ type: 'heartbeat_changed' });
				return { name: input.name, text: input.text, hash: sha256(input.text) };
			}),
	};
}

/** A document as it is on the disk; empty text and empty hash where there is no file. Throws `config_invalid` where it can't be read. */
export async function readDocument(profileFolder: string, name: DocumentName): Promise<OwnerDocument> {
	const file = join(profileFolder, name);
	try {
		const found = await stat(file);
		// A pipe or a device would be read for ever.
		if (!found.isFile()) throw unreadable(file, 'it is not a file');
		if (found.size > MOST_BYTES) throw unreadable(file, `it is larger than ${MOST_BYTES / 1_000_000} MB`);
		const bytes = await readFile(file);
		return { name, text: bytes.toString('utf8'), hash: sha256(bytes) };
	} catch (error) {
		const code = systemCode(error);
		if (code === 'ENOENT') return { name, text: '', hash: '' };
		throw error instanceof HearthError ? error : unreadable(file, code, error);
	}
}

function unreadable(file: string, why: string, cause?: unknown): HearthError {
	return needsOwner('config_invalid', `${basename(file)} cannot be read (${why}).`, {
		safe: 'It was left as it is.',
		action: `Look at ${file}: mend it, or move it away to go on without it.`,
		cause,
	});
}
