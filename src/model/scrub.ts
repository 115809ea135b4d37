import { cutCodePoints, repairSurrogates } from '../domain/text.ts';

const KEY_LIKE = /\b(?:sk|pk|rk|key|gsk|xai|hf|org|proj)[-_][A-Za-z0-9_\-*.]{4,}/g;
const BEARER = /\b(?:bearer|basic)\s+\S+/gi;
const LONG_TOKEN = /[A-Za-z0-9+/_\-=]{40,}/g;
const REMOVED = '[removed]';

/**
 * A provider's own words, fit for an error text (S3): one line, short, without the key that was sent and without anything
 * that looks like a key. Servers do echo keys.
 */
export function scrubProviderText(text: string, secrets: readonly (string | undefined)[]): string {
	let safe = repairSurrogates(text);
	for (const secret of secrets) {
		if (!secret) continue;
		for (const form of [secret, encodeURIComponent(secret), btoaSafe(secret)]) safe = safe.replaceAll(form, REMOVED);
	}
	safe = safe.replace(BEARER, REMOVED).replace(KEY_LIKE, REMOVED).replace(LONG_TOKEN, REMOVED).replace(/\s+/g, ' ').trim();
	return safe.length <= 240 ? safe : `${cutCodePoints(safe, 240)}…`;
}

function btoaSafe(secret: string): string {
	return Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, '');
}
