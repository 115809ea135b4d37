/** Frames to wait for the chat to be there; it may still be loading. */
const PATIENCE = 120;

/** Puts the focus into the composer as soon as there is one. */
export function focusComposer(frames: number = PATIENCE): void {
	requestAnimationFrame(() => {
		const field = document.getElementById('msg');
		if (field) field.focus();
		else if (frames > 0) focusComposer(frames - 1);
	});
}
