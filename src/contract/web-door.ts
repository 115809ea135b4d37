/**
 * The loopback web door as both sides know it. The address that `system.openWeb` mints carries a one-time token in its
 * fragment (which no browser sends or logs); the page posts it to `WEB_SESSION_PATH` once and gets a session cookie, and
 * opens its WebSocket at `WEB_RPC_PATH` with that.
 */
export const WEB_SESSION_PATH = '/session';
export const WEB_RPC_PATH = '/rpc';

export function webAddress(origin: string, token: string): string {
	return `${origin}/#token=${token}`;
}

/** The one-time token in a `location.hash`, if there is one. */
export function tokenInHash(hash: string): string | undefined {
	return /^#(?:.*&)?token=([A-Za-z0-9_-]{20,})/.exec(hash)?.[1];
}

/**
 * The content policy of every view, in the window and in a browser (S4): own scripts only, no remote content, no frames
 * around it. Style attributes are allowed (highlighted code and formulas carry them), style elements are not.
 */
export function contentSecurityPolicy(connect: readonly string[] = []): string {
	return [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"style-src-attr 'unsafe-inline'",
		"img-src 'self' data: blob:",
		"font-src 'self'",
		`connect-src ${["'self'", ...connect].join(' ')}`,
		"worker-src 'self'",
		"frame-src 'self'",
		"manifest-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"object-src 'none'",
	].join('; ');
}
