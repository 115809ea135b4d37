import { createStrings } from '../../src/contract/strings/index.ts';
import { showToast } from '../ui/toast.tsx';

const strings = createStrings();

/** Puts text on the clipboard and says so, because the screen itself shows nothing. */
export function copyText(text: string): void {
	navigator.clipboard.writeText(text).then(
		() => showToast(strings('chat.copied')),
		() => showToast(strings('chat.copyFailed')),
	);
}
