import { cutCodePoints, repairSurrogates } from '../../domain/text.ts';
import { decodeText } from '../../sessions/decode-text.ts';

const IN_HEADER = /\bcharset\s*=\s*["']?([\w.:-]{1,40})/i;
const IN_PAGE = /<(?:meta|\?xml)\b[^>]{0,300}?\b(?:charset|encoding)\s*=\s*["']?([\w.:-]{1,40})/i;
/** As far as browsers look for a page's own word on its encoding. */
const HEAD_BYTES = 1_024;

/**
 * The text of bytes from the web, at most `maxUnits` UTF-16 units: a byte order mark first, then what the server says, then what the page says
 * itself, else as of a file whose encoding nobody named. Undefined where it is no text.
 */
export function decodePage(bytes: Uint8Array, contentType: string, maxUnits: number): string | undefined {
	const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
	const named = hasMark(bytes) ? undefined : (IN_HEADER.exec(contentType)?.[1] ?? IN_PAGE.exec(head)?.[1]);
	const decoder = named === undefined ? undefined : decoderOf(named);
	if (!decoder) return decodeText(bytes, maxUnits)?.text;
	const text = decoder.decode(bytes.subarray(0, 4 * (maxUnits + 1)));
	return repairSurrogates(cutCodePoints(text.replaceAll('\0', ''), maxUnits)).replaceAll('\r\n', '\n');
}

/** Undefined where there is no such encoding. */
function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
	try {
		return new TextDecoder(label);
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

function hasMark([first, second, third]: Uint8Array): boolean {
	return (
		(first === 0xef && second === 0xbb && third === 0xbf) || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
	);
}
