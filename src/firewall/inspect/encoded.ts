/** A piece of a text that says something else once it is decoded. */
export interface Decoded {
	readonly text: string;
	readonly start: number;
	readonly end: number;
}

/** Decoders by what their input looks like. Each pattern steps through the text once. */
const DECODERS: readonly { readonly shape: RegExp; decode(found: string): string }[] = [
	{
		shape:
			/[A-Za-z0-9+/_-]{16,}={0,2}(?:\r?\n[ \t]*[A-Za-z0-9+/_-]{16,}={0,2})*(?:\r?\n[ \t]*[A-Za-z0-9+/_-]{2,}={0,2}(?![A-Za-z0-9+/_-]))?/g,
		decode: (found) => Buffer.from(found.replace(/\s/g, ''), 'base64').toString('utf8'),
	},
	{
		shape: /(?:[0-9a-fA-F]{2}[ \n:,-]?){10,}/g,
		decode: (found) => Buffer.from(found.replace(/[^0-9a-fA-F]/g, ''), 'hex').toString('utf8'),
	},
	{
		shape: /(?:\\x[0-9a-fA-F]{2}|0x[0-9a-fA-F]{2}[ ,]{0,2}){4,}/g,
		decode: (found) => Buffer.from(found.replace(/\\x|0x|[ ,]/g, ''), 'hex').toString('utf8'),
	},
	{ shape: /(?:\\u\{?[0-9a-fA-F]{4,6}\}?){4,}/g, decode: (found) => codes(found, /[0-9a-fA-F]{4,6}/g, 16) },
	{
		shape: /(?:&#(?:x[0-9a-fA-F]{2,6}|[0-9]{2,7});){4,}/g,
		decode: (found) =>
			found.replace(/&#(x?)([0-9a-fA-F]+);/g, (_, hex: string, digits: string) => character(Number.parseInt(digits, hex ? 16 : 10))),
	},
	{ shape: /(?:[01]{8}[ ,]{0,2}){4,}/g, decode: (found) => codes(found, /[01]{8}/g, 2) },
	{ shape: /(?:\d{2,3}[ ,;]{1,3}){9,}\d{2,3}/g, decode: (found) => codes(found, /\d+/g, 10) },
	{ shape: /(?:%[0-9a-fA-F]{2}[^\s%]{0,60}){4,}/g, decode: (found) => percent(found) },
	{ shape: /[.\-·−–]{1,6}(?:[ /]{1,3}[.\-·−–]{1,6}){9,}/g, decode: (found) => morse(found) },
];

/** Bytes that are no text, and names in a code, decode to signs; text decodes to words. */
export function decodedIn(text: string): Decoded[] {
	const found: Decoded[] = [];
	for (const { shape, decode } of DECODERS)
		for (const match of text.matchAll(shape)) {
			if (found.length >= MOST) return found;
			const inside = decode(match[0].slice(0, LONGEST));
			if (isReadable(inside, match[0])) found.push({ text: inside, start: match.index, end: match.index + match[0].length });
		}
	return found;
}

const MOST = 40;
const LONGEST = 20_000;
const READABLE = /[\p{L}\p{N}\p{P}\p{Zs}\n\r\t+<>=$]/gu;
const LETTERS = /[\p{L} ]/gu;

function isReadable(inside: string, outside: string): boolean {
	if (inside.length < 6 || inside === outside || inside.includes('\uFFFD')) return false;
	const readable = inside.match(READABLE)?.length ?? 0;
	const letters = inside.match(LETTERS)?.length ?? 0;
	return readable >= inside.length * 0.95 && letters >= inside.length * 0.6 && /\p{L}{2}/u.test(inside);
}

function character(code: number): string {
	return code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : code === 10 ? '\n' : '\uFFFD';
}

function codes(found: string, each: RegExp, base: number): string {
	return (found.match(each) ?? []).map((digits) => character(Number.parseInt(digits, base))).join('');
}

function percent(found: string): string {
	return Buffer.from(
		found.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))).replace(/\+/g, ' '),
		'latin1',
	).toString('utf8');
}

const MORSE = new Map(
	'.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'
		.split(' ')
		.map((sign, index) => [sign, String.fromCharCode(97 + index)]),
);

function morse(found: string): string {
	return found
		.replace(/[−–]/g, '-')
		.replace(/·/g, '.')
		.split(/ {2,}| ?\/ ?/)
		.map((word) =>
			word
				.split(' ')
				.map((sign) => MORSE.get(sign) ?? '\uFFFD')
				.join(''),
		)
		.join(' ');
}
