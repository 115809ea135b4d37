import { keepEarly } from './chat/composer/draft.ts';

/**
 * Takes away the frame and the field that the page began with (`index.html`, `public/first-paint.js`) and keeps what was
 * typed there. To be called in the task that renders the view, so that no key falls in between.
 */
export function takeEarlyView(): void {
	const view = document.getElementById('early-view');
	keepEarly(view?.querySelector('textarea')?.value ?? '');
	view?.remove();
}
