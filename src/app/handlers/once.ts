import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/sha256.ts';
import type { WriteDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import type { SessionId } from '../../domain/ids.ts';
import { idUsedBefore } from '../../run/refusals.ts';
import { findRequest, rememberRequest } from '../../sessions/request-store.ts';

/** Beside a result: a hash of all that was asked for. */
const Asked = z.object({ asked: z.string() });

/**
 * Does it once: a repeated request gets the result of the first, and `fresh` is false (a view may call again after it lost its connection).
 * Throws `conflict` where the id comes back with another wish, which would be lost.
 */
export function doOnce<Result extends { sessionId: SessionId }>(
	{ db, clock }: { db: StateDb; clock: Clock },
	shape: z.ZodType<Result>,
	input: { requestId: string },
	begin: (tx: WriteDb) => Result,
): { result: Result; fresh: boolean } {
	const { requestId } = input;
	const asked = sha256(JSON.stringify(input));
	return db.write((tx) => {
		const before = findRequest(tx, requestId, Asked.loose());
		if (before) {
			if (before.asked !== asked) throw idUsedBefore();
			return { result: shape.parse(before), fresh: false };
		}
		const result = begin(tx);
		rememberRequest(tx, requestId, result.sessionId, { ...result, asked }, clock.now());
		return { result, fresh: true };
	});
}
