import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { DocumentName, OwnerDocument } from '../../contract/methods/profile.ts';
import { asStorageError } from '../../db/errors.ts';
import { needsOwner } from '../../domain/errors.ts';
import type { HealthKeeper } from '../health.ts';

export interface DocumentsDeps {
	profileFolder: string;
	health: Pick<HealthKeeper, 'report'>;
}

/** `documents.*` of the contract: AGENT.md, USER.md and HEARTBEAT.md, which the owner may also edit in any editor (M3). */
export function createDocumentsHandlers({ profileFolder, health }: DocumentsDeps) {
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
				return { name: input.name, text: input.text, hash: hashOf(Buffer.from(input.text)) };
			}),
	};
}

/** A document as it is on the disk; empty text and empty hash where there is no file. */
export async function readDocument(profileFolder: string, name: DocumentName): Promise<OwnerDocument> {
	try {
		const bytes = await readFile(join(profileFolder, name));
		return { name, text: bytes.toString('utf8'), hash: hashOf(bytes) };
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { name, text: '', hash: '' };
		throw error;
	}
}

function hashOf(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
