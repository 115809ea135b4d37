import type { TLSSocket } from 'node:tls';
import { sha256 } from '../base/sha256.ts';
import { type HearthError, needsOwner } from '../domain/errors.ts';

/** Whether the server at the other end is the one that the owner means. */

const EXPIRED = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
const OWN_MAKING = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']);

/**
 * `pinned`: SHA-256 of the one certificate that is trusted, in hex; then nothing else about it counts. Undefined where all is well. Nothing may have
 * been sent yet. What is named here of the certificate is its hash alone.
 */
export function certificateProblem(socket: TLSSocket, shown: string, pinned: string | undefined): HearthError | undefined {
	const raw = socket.getPeerCertificate()?.raw as Buffer | undefined;
	const hash = raw === undefined ? undefined : sha256(raw);
	if (pinned !== undefined) {
		if (hash === pinned) return undefined;
		return problem(`${shown} shows another certificate than the one that you trust.`, {
			action: `If you renewed it, trust the new one: its SHA-256 is ${hash ?? 'not told'}. Otherwise somebody may be reading along.`,
		});
	}
	if (socket.authorized) return undefined;
	const code = String(socket.authorizationError ?? '');
	const trust = hash === undefined ? '' : ` If it is your own server, trust this certificate: its SHA-256 is ${hash}.`;
	if (EXPIRED.has(code))
		return problem(`The certificate of ${shown} has expired, or is not valid yet.`, {
			action: 'Check the clock of this computer, and ask whoever runs the server.',
		});
	if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
		return problem(`The certificate of ${shown} is for another name.`, { action: 'Check the name of the server.' });
	if (OWN_MAKING.has(code))
		return problem(`The certificate of ${shown} is of its own making: nobody vouches for it.`, {
			action: `Check the name of the server.${trust}`,
		});
	return problem(`Nobody that this computer knows vouches for the certificate of ${shown}.`, {
		action: `Check the name of the server, and whether something on your network reads along.${trust}`,
	});
}

function problem(message: string, { action }: { action: string }): HearthError {
	return needsOwner('network_unreachable', message, { safe: 'No password was sent.', action });
}
