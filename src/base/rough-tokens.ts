/** Without a tokeniser: about four UTF-8 bytes a token. Enough where no model counts. */
export function roughTokens(text: string): number {
	return Math.ceil(Buffer.byteLength(text, 'utf8') / 4);
}
