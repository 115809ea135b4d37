const BEGINS =
	/^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;

/** Whether a text, or the bytes of one read one by one, begins as a web page does. */
export function beginsPage(text: string): boolean {
	return BEGINS.test(text);
}
