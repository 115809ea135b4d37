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

/** The page that draws diagrams: it runs a big library over text from outside, so it lives in a sandbox of an opaque origin. */
export const DIAGRAM_PATH = '/diagram/';

/** May run its own script and set inline styles, nothing else; only our own view may frame it. */
function diagramPolicy(): string {
	return [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'unsafe-inline'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'self'",
		'sandbox allow-scripts',
	].join('; ');
}

/** The headers of every answer that carries a part of the view. `pathname` decides: the diagram page has a policy of its own. */
export function securityHeaders(pathname: string, connect: readonly string[] = []): [string, string][] {
	const diagram = pathname.startsWith(DIAGRAM_PATH);
	return [
		['Content-Security-Policy', diagram ? diagramPolicy() : contentSecurityPolicy(connect)],
		['X-Content-Type-Options', 'nosniff'],
		['X-Frame-Options', diagram ? 'SAMEORIGIN' : 'DENY'],
		['Referrer-Policy', 'no-referrer'],
		['Cross-Origin-Opener-Policy', 'same-origin'],
		// The sandboxed page's origin is opaque: for the browser its own script comes from another one.
		['Cross-Origin-Resource-Policy', diagram ? 'cross-origin' : 'same-origin'],
		['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
	];
}
