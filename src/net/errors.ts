import { type HearthError, retryable, terminal } from '../domain/errors.ts';
import { denied } from './destination.ts';
import { DENIED_CODE } from './lookup.ts';
import { type CallPurpose, type CallWords, wordsOf } from './purpose.ts';

const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;
const NAME_NOT_FOUND = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);

/** A failed connection in plain words. Only the system's error code is read; no text of the error is passed on (S3). */
export function connectionError(error: unknown, host: string, purpose: CallPurpose): HearthError {
	const code = systemCode(error);
	const { codes } = wordsOf(purpose);
	if (code === DENIED_CODE) return denied(host, `Its name leads to a private network address.${wordsOf(purpose).unnamed ?? ''}`, purpose);
	if (CERTIFICATE.test(code)) {
		return terminal(codes.unreachable, `The certificate of ${host} is not trusted.`, {
			action: 'Check the address, and whether something on your network reads along.',
		});
	}
	if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
		return terminal(codes.unreachable, `${host} does not answer with ${purpose === 'mail' ? 'TLS' : 'https'}.`, {
			action: purpose === 'mail' ? 'Check the port and the kind of security.' : 'Check whether the address should start with http.',
		});
	}
	if (code === 'UND_ERR_HEADERS_OVERFLOW') return tooLargeError(host, purpose);
	return retryable(codes.unreachable, `${why(code, host)}`, { action: 'Check that it is running and that the address is right.' });
}

/** A body that broke off. */
export function cutError(host: string, purpose: CallPurpose = 'model_call'): HearthError {
	const { codes } = wordsOf(purpose);
	return retryable(codes.cut, `The connection to ${host} was cut in the middle of the answer.`, keptOf(codes));
}

export function silenceError(host: string, silenceMs: number, purpose: CallPurpose): HearthError {
	const { codes } = wordsOf(purpose);
	const ofModel = codes.timeout === 'model_timeout';
	return retryable(codes.timeout, `${host} said nothing for ${seconds(silenceMs)}.`, {
		...keptOf(codes),
		action: ofModel
			? 'Try again, or allow a longer silence in Settings: a large local model can take minutes to start.'
			: 'Try again later.',
	});
}

/** The whole call took too long, however steadily it went on. */
export function tooLongError(host: string, totalMs: number, purpose: CallPurpose): HearthError {
	const { codes } = wordsOf(purpose);
	return terminal(codes.timeout, `${host} was not done answering after ${seconds(totalMs)}.`, keptOf(codes));
}

export function tooLargeError(host: string, purpose: CallPurpose = 'model_call'): HearthError {
	const { codes, server, place } = wordsOf(purpose);
	return terminal(codes.bad, `${host} sent far more than an answer can be.`, {
		...(place !== undefined && { action: `Check that the address belongs to ${server}.` }),
	});
}

export function stoppedError(): HearthError {
	return terminal('run_stopped', 'Stopped.', { safe: 'What had arrived is kept.' });
}

function keptOf({ timeout }: CallWords['codes']): { safe?: string } {
	return timeout === 'model_timeout' ? { safe: 'What had arrived is kept.' } : {};
}

function why(code: string, host: string): string {
	if (code === 'ECONNREFUSED') return `Nothing answers at ${host}.`;
	if (NAME_NOT_FOUND.has(code)) return `The name ${host} could not be found.`;
	if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return `${host} could not be reached in time.`;
	if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH' || code === 'ENETDOWN') return `There is no network way to ${host}.`;
	return `The connection to ${host} failed.`;
}

function systemCode(error: unknown): string {
	let current: unknown = error;
	for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
		if ('code' in current && typeof current.code === 'string') return current.code;
		if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
		else current = current.cause;
	}
	return '';
}

function seconds(ms: number): string {
	const count = Math.round(ms / 100) / 10;
	return count === 1 ? '1 second' : `${count} seconds`;
}
