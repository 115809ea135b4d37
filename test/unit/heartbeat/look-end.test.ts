import { expect, test } from 'vitest';
import { needsOwner, retryable, terminal } from '../../../src/domain/errors.ts';
import { type FailedRun, judgeEnd, MOST_FAILED, MOST_FAILED_OF_SOURCE } from '../../../src/heartbeat/look-end.ts';
import { nextSlot } from '../../../src/heartbeat/slots.ts';

const WELL = { items: 20, failedOfLook: 0, failedOfSource: 0, worksLately: true, unansweredBefore: 0 };
const refused = terminal('model_bad_response', 'It refused the request.').shape;
const late = retryable('model_timeout', 'It took too long.').shape;

test.each<[string, FailedRun['error'], Partial<FailedRun>, ReturnType<typeof judgeEnd>]>([
	['a refused key', needsOwner('model_auth', 'It refused the key.').shape, {}, 'stop'],
	['a model that is not there', needsOwner('model_not_found', 'It has no such model.').shape, {}, 'stop'],
	['no credit', needsOwner('model_rate_limited', 'No credit is left.').shape, {}, 'stop'],
	['no consent', needsOwner('consent_missing', 'You did not allow it.').shape, {}, 'asks'],
	['a server that is not there', retryable('model_unreachable', 'It does not answer.').shape, {}, 'fail'],
	['too many requests', retryable('model_rate_limited', 'Slow down.').shape, {}, 'fail'],
	['a slow answer', late, {}, 'others'],
	['a slow answer to one item, again and again', late, { items: 1, unansweredBefore: 2 }, 'give_up'],
	['the same where nothing went well', late, { items: 1, unansweredBefore: 9, worksLately: false }, 'others'],
	['a refusal of many items', refused, {}, 'fewer'],
	['a refusal of one item', refused, { items: 1 }, 'aside'],
	['one item that is too long', terminal('model_context_overflow', 'Too long.').shape, { items: 1, worksLately: false }, 'aside'],
	['the last of many failures of a source', refused, { failedOfSource: MOST_FAILED_OF_SOURCE - 1 }, 'others'],
	['the last of many failures', refused, { failedOfLook: MOST_FAILED - 1 }, 'fail'],
])('what follows from a failed run: %s', (_, error, more, verdict) => {
	expect(judgeEnd({ ...WELL, error, ...more })).toBe(verdict);
});

const MINUTE = 60_000;

test.each([
	[0, 0, 30],
	[0, 29, 30],
	[0, 30, 60],
	[0, 299, 300],
	// The clock was set back: the next slot is still the next one of its row.
	[100, 10, 130],
])('R5 the slot after the one at minute %i, at minute %i, is at minute %i: what was missed is one', (slot, now, next) => {
	expect(nextSlot(slot * MINUTE, now * MINUTE, 30)).toBe(next * MINUTE);
});
