import { DRAFT_LIMIT } from '../../../src/contract/methods/sessions.ts';

/** Bytes of UTF-8; a longer paste becomes an attachment (chat-1). */
export const PASTE_LIMIT = 20 * 1024;
/** Characters that one message takes (the contract's limit). */
export const MESSAGE_LIMIT = 200_000;
export const MAX_ATTACHMENTS = 50;

/** Whether a pasted text belongs into an attachment instead of into the field, which holds `present` characters already. */
export function pasteIsLong(text: string, present: number): boolean {
	if (text.length > PASTE_LIMIT || present + text.length > DRAFT_LIMIT) return true;
	// Four bytes a character at most: shorter texts need no counting.
	return text.length * 4 > PASTE_LIMIT && new TextEncoder().encode(text).length > PASTE_LIMIT;
}
