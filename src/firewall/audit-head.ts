import { z } from 'zod';
import { LineFile } from '../base/line-file.ts';
import type { Logger } from '../base/logger.ts';
import type { ReadDb } from '../db/brands.ts';
import { asStorageError } from '../db/errors.ts';
import { Timestamp } from '../domain/ids.ts';
import { parseJson } from '../domain/json.ts';
import { localMinute } from '../domain/local-day.ts';
import type { Link } from './audit-chain.ts';
import { linkAt, newestLink } from './audit-store.ts';

/**
 * The end of the chain, written down a second time beside state.db: a chain whose tail was cut off, or that was replaced as a whole, is whole
 * in itself. The chain may be longer than is known here, since this is written after it; never shorter or another one (S1).
 */

const Line = z.object({
	seq: z.number().int().nonnegative(),
	hash: z.string().length(64),
	at: Timestamp,
	/** When the back-up was made that this database comes from; only in the first line of a restored profile. */
	restored: z.object({ madeAt: Timestamp }).optional(),
});
type Line = z.infer<typeof Line>;

/** `started`: nothing is known here, and there is no record yet. */
export type HeadFinding =
	| { readonly kind: 'fits' | 'started' }
	| { readonly kind: 'restored'; readonly madeAt: Timestamp }
	| { readonly kind: 'broken'; readonly problem: string };

/** Lines beyond this are not kept. */
const LARGEST_BYTES = 64 * 1024;

export class AuditHead {
	readonly #file: LineFile<Line>;
	readonly #logger: Logger;
	#last: Link | undefined;
	#warned = false;

	constructor(file: string, logger: Logger) {
		this.#file = new LineFile(file, (line) => Line.safeParse(parseJson(line)).data);
		this.#logger = logger;
	}

	/** Whether this is the chain that is known here. Changes nothing. */
	compare(db: ReadDb): HeadFinding {
		const known = this.#known();
		const end = newestLink(db);
		if (!known)
			return end.seq === 0
				? { kind: 'started' }
				: { kind: 'broken', problem: `${FILE} is missing, so nobody can tell whether records at the end are.` };
		const there = linkAt(db, known.seq);
		if (there?.hash === known.hash) return known.restored ? { kind: 'restored', madeAt: known.restored.madeAt } : { kind: 'fits' };
		return {
			kind: 'broken',
			problem:
				there === undefined
					? `The log ends with record ${end.seq}; on ${localMinute(known.at)} it had ${known.seq}. Records were cut off, an older state.db was put in its place, or its last writes were lost with the power.`
					: `Record ${known.seq} is not the one that was written on ${localMinute(known.at)}: the log was replaced.`,
		};
	}

	/** After its commit. What can't be written down is noticed less, and is logged once. */
	note(link: Link, at: Timestamp): void {
		if (this.#last?.seq === link.seq && this.#last.hash === link.hash) return;
		try {
			const line = { seq: link.seq, hash: link.hash, at };
			if (this.#last === undefined || this.#file.bytes > LARGEST_BYTES) this.#file.replace([line]);
			else this.#file.append(line);
			this.#last = link;
		} catch (error) {
			if (!this.#warned) this.#logger.warn('audit_head_not_written', { error });
			this.#warned = true;
		}
	}

	close(): void {
		this.#file.close();
	}

	#known(): Line | undefined {
		try {
			return this.#file.lines().at(-1);
		} catch (error) {
			throw asStorageError(error);
		}
	}
}

const FILE = 'The file audit-head';

/** For a database that comes from a back-up, before its first start. Throws the system's errors. */
export function writeRestoredHead(file: string, link: Link, at: Timestamp, madeAt: Timestamp): void {
	const lines = new LineFile<Line>(file, () => undefined);
	lines.replace([{ seq: link.seq, hash: link.hash, at, restored: { madeAt } }]);
}
