import type { Session, WebContents } from 'electron';
import { isOwnAddress, isViewPage } from './addresses.ts';

/** What a view may ask of the system, of all that Chromium offers (S4). */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);
const ALLOWED_SCHEMES: ReadonlySet<string> = new Set(['app:', 'blob:', 'data:', 'devtools:', 'chrome-devtools:']);

/** No permission but the listed, no device, no screen, no download, and no request that leaves the machine or reads a file. */
export function lockSession(session: Session): void {
	session.setPermissionRequestHandler((_contents, permission, answer, details) =>
		answer(ALLOWED_PERMISSIONS.has(permission) && isOwnAddress(details.requestingUrl)),
	);
	session.setPermissionCheckHandler(
		(_contents, permission, origin) => ALLOWED_PERMISSIONS.has(permission) && isOwnAddress(origin.replace(/\/$/, '')),
	);
	session.setDevicePermissionHandler(() => false);
	session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
	session.on('will-download', (event) => event.preventDefault());
	session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !ALLOWED_SCHEMES.has(new URL(details.url).protocol) }));
}

/** No navigation, no new window, no webview. A link that leads outside is handed to `openOutside`, which asks. */
export function lockContents(contents: WebContents, openOutside: (address: string) => void): void {
	contents.setWindowOpenHandler(({ url }) => {
		openOutside(url);
		return { action: 'deny' };
	});
	contents.on('will-navigate', (event) => {
		// A reload of our own page stays possible: it is how a window recovers.
		if (isViewPage(event.url)) return;
		event.preventDefault();
		openOutside(event.url);
	});
	contents.on('will-frame-navigate', (event) => {
		if (!event.isMainFrame && !isOwnAddress(event.url)) event.preventDefault();
	});
	contents.on('will-redirect', (event) => event.preventDefault());
	contents.on('will-attach-webview', (event) => event.preventDefault());
}
