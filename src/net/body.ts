import { HearthError } from '../domain/errors.ts';
import { cutError, silenceError, tooLargeError } from './errors.ts';
import type { CallPurpose } from './purpose.ts';
import { after } from './time.ts';

export interface BodyGuard {
	host: string;
	purpose: CallPurpose;
	silenceMs: number;
	maxBytes: number;
	/** Tears the connection down. */
	abort(reason: unknown): void;
	/** Why the call was torn down, where it was. */
	stopped(): unknown;
	/** Called once. */
	done(bytes: number, error?: HearthError): void;
}

/** The same response with a watched body: silence (only while somebody reads), size, and how it ended. */
export function guardBody(response: Response, guard: BodyGuard): Response {
	const init = { status: response.status, statusText: response.statusText, headers: response.headers };
	if (response.body === null) {
		guard.done(0);
		return new Response(null, init);
	}
	const reader = response.body.getReader();
	let bytes = 0;
	let over = false;
	const finish = (error?: HearthError) => {
		if (over) return;
		over = true;
		guard.done(bytes, error);
	};
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const timer = after(guard.silenceMs, () => guard.abort(silenceError(guard.host, guard.silenceMs, guard.purpose)));
				try {
					const { done, value } = await reader.read();
					if (done) {
						finish();
						controller.close();
						return;
					}
					bytes += value.byteLength;
					if (bytes > guard.maxBytes) throw tooLargeError(guard.host, guard.purpose);
					controller.enqueue(value);
				} catch (error) {
					const failure = failureOf(error, guard);
					finish(failure);
					guard.abort(failure);
					controller.error(failure);
				} finally {
					clearTimeout(timer);
				}
			},
			async cancel(reason) {
				finish();
				guard.abort(reason);
				await reader.cancel(reason).catch(() => undefined);
			},
		},
		{ highWaterMark: 0 },
	);
	return new Response(body, init);
}

function failureOf(error: unknown, guard: BodyGuard): HearthError {
	if (error instanceof HearthError) return error;
	const stopped = guard.stopped();
	return stopped instanceof HearthError ? stopped : cutError(guard.host, guard.purpose);
}
