import { decodePage } from '../../tools/web/charset.ts';

const NAMED = /<\?xml\b[^>]{0,300}?\bencoding\s*=\s*["']?([\w.:-]{1,40})/i;
const UTF8 = /^utf-?8$/i;
/** Of the replaced characters among those beyond ASCII: with more it was never UTF-8. */
const MOST_BROKEN = 0.05;

/**
 * The text of a feed, whatever its server and its first line say of its encoding, which is often two different things. What is valid UTF-8 and has
 * more than ASCII in it is UTF-8: in no other encoding does text look so by chance. Undefined where it is no text.
 */
export function feedText(bytes: Uint8Array, contentType: string, maxUnits: number): string | undefined {
	const beyondAscii = bytes.some((byte) => byte >= 0x80);
	if (beyondAscii && !bytes.includes(0) && isUtf8(bytes)) return decodePage(bytes, 'text/xml; charset=utf-8', maxUnits);
	const text = decodePage(bytes, contentType, maxUnits);
	if (text === undefined || !beyondAscii || !text.includes('\uFFFD') || !isMostlyBroken(text)) return text;
	// The server's word, or the feed's, was wrong: the other's, else what Western pages mean by it.
	const named = NAMED.exec(Buffer.from(bytes.subarray(0, 1_024)).toString('latin1'))?.[1];
	return decodePage(bytes, `text/xml; charset=${named === undefined || UTF8.test(named) ? 'windows-1252' : named}`, maxUnits);
}

function isUtf8(bytes: Uint8Array): boolean {
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return true;
	} catch (error) {
		if (error instanceof TypeError) return false;
		throw error;
	}
}

function isMostlyBroken(text: string): boolean {
	let [broken, beyond] = [0, 0];
	for (let at = 0; at < text.length; at += 1) {
		const unit = text.charCodeAt(at);
		if (unit < 0x80) continue;
		beyond += 1;
		if (unit === 0xfffd) broken += 1;
	}
	return broken > beyond * MOST_BROKEN;
}
