import { repairSurrogates } from '../domain/text.ts';

/**
 * The text of a file whose encoding nobody named: UTF-8, UTF-16 with or without a byte order mark, else Windows-1252
 * (of which Latin-1 is a part). `undefined` where the bytes are no text at all.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
	const text = decodeMarked(bytes) ?? decodeUtf16WithoutMark(bytes) ?? decodeUtf8(bytes) ?? decodeWindows1252(bytes);
	if (text === undefined || looksBinary(text)) return undefined;
	return repairSurrogates(text).replaceAll('\r\n', '\n');
}

function decodeMarked(bytes: Uint8Array): string | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
	return undefined;
}

/** Most text has many characters below U+0100, so that every second byte of UTF-16 is zero and the other hardly ever. */
function decodeUtf16WithoutMark(bytes: Uint8Array): string | undefined {
	if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
	const sample = bytes.subarray(0, 4096);
	let zeroEven = 0;
	let zeroOdd = 0;
	for (const [index, byte] of sample.entries()) {
		if (byte !== 0) continue;
		if (index % 2 === 0) zeroEven++;
		else zeroOdd++;
	}
	const many = sample.length / 2 / 4;
	if (zeroOdd > many && zeroEven === 0) return new TextDecoder('utf-16le').decode(bytes);
	if (zeroEven > many && zeroOdd === 0) return new TextDecoder('utf-16be').decode(bytes);
	return undefined;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (error) {
		if (error instanceof TypeError) return undefined;
		throw error;
	}
}

function decodeWindows1252(bytes: Uint8Array): string {
	return new TextDecoder('windows-1252').decode(bytes);
}

/** Text has no NUL and next to no control characters but white space, backspace and escape. */
function looksBinary(text: string): boolean {
	if (text.includes('\0')) return true;
	const sample = text.slice(0, 65_536);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it counts
	const controls = sample.match(/[\u0001-\u0007\u000E-\u001A\u001C-\u001F\u007F-\u009F]/g)?.length ?? 0;
	return controls > sample.length / 200;
}
