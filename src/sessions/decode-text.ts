import { cutCodePoints, repairSurrogates } from '../domain/text.ts';

export interface DecodedText {
	readonly text: string;
	/** There was more than `maxUnits`. */
	readonly cut: boolean;
}

/**
 * The first `maxUnits` UTF-16 units of a file's text whose encoding nobody named: UTF-8, UTF-16 with or without a byte order
 * mark, else Windows-1252 (of which Latin-1 is a part). `undefined` where the bytes are no text at all.
 */
export function decodeText(bytes: Uint8Array, maxUnits: number): DecodedText | undefined {
	const whole =
		decodeUtf16(bytes, maxUnits) ?? (bytes.includes(0) ? undefined : (decodeUtf8(bytes, maxUnits) ?? decodeWindows1252(bytes, maxUnits)));
	if (whole === undefined || looksBinary(whole)) return undefined;
	const text = cutCodePoints(whole, maxUnits);
	return { text: repairSurrogates(text).replaceAll('\r\n', '\n'), cut: text.length < whole.length };
}

function decodeUtf16(bytes: Uint8Array, maxUnits: number): string | undefined {
	const encoding = markedOrder(bytes) ?? unmarkedOrder(bytes);
	// One unit more than asked for, and the mark: enough to see that there is more.
	return encoding && new TextDecoder(encoding).decode(bytes.subarray(0, 2 * (maxUnits + 2)));
}

type Order = 'utf-16le' | 'utf-16be';

function markedOrder(bytes: Uint8Array): Order | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
	return undefined;
}

/** Most text has many characters below U+0100, so that every second byte of UTF-16 is zero and the other hardly ever. */
function unmarkedOrder(bytes: Uint8Array): Order | undefined {
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
	if (zeroOdd > many && zeroOdd >= 4 * zeroEven) return 'utf-16le';
	if (zeroEven > many && zeroEven >= 4 * zeroOdd) return 'utf-16be';
	return undefined;
}

function decodeUtf8(bytes: Uint8Array, maxUnits: number): string | undefined {
	const enough = bytes.subarray(0, 4 * (maxUnits + 1));
	try {
		// Where only a beginning is decoded, it may end inside a character.
		return new TextDecoder('utf-8', { fatal: true }).decode(enough, { stream: enough.length < bytes.length });
	} catch (error) {
		if (error instanceof TypeError) return undefined;
		throw error;
	}
}

function decodeWindows1252(bytes: Uint8Array, maxUnits: number): string {
	return new TextDecoder('windows-1252').decode(bytes.subarray(0, maxUnits + 1));
}

/** Text has no NUL and next to no control characters but white space, backspace and escape. */
function looksBinary(text: string): boolean {
	if (text.includes('\0')) return true;
	const sample = text.slice(0, 65_536);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it counts
	const controls = sample.match(/[\u0001-\u0007\u000E-\u001A\u001C-\u001F\u007F-\u009F]/g)?.length ?? 0;
	return controls > sample.length / 200;
}
