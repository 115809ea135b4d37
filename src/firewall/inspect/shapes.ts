import type { Finding } from './finding.ts';

/** An image that is fetched as soon as it is shown takes what its address carries to whoever serves it. */
const IMAGE = /!\[[^\]\n]{0,300}\]\(\s{0,3}<?(https?:\/\/[^\s)>]{4,2000})/g;
const LINK = /(?<!!)\[[^\]\n]{0,300}\]\(\s{0,3}<?(https?:\/\/[^\s)>]{4,2000})/g;
const HTML =
	/<(?:img|iframe|script|link|object|embed|source|video|audio)\b[^<>]{0,300}?(?:src|href|data)\s{0,3}=\s{0,3}["']?(https?:\/\/[^\s"'<>]{4,2000})/gi;
/** A place in an address that is left for the agent to fill in. */
const BLANK =
	/[{[<$%](?:[a-z_ ]{0,20})(?:data|context|secret|history|conversation|content|text|summary|key|token|password|prompt|message|answer|notes?)[a-z_ ]{0,20}[}\]>%]?|=(?:\{|\[|<|%7b|%5b)/i;
/** Any address: its host, and what follows. */
const ADDRESS = /https?:\/\/([^\s"'<>()[\]/?#\\]{1,255}|\[[\da-f:.]{2,50}\])([^\s"']{0,2000})/gi;
/** A value of a query that is left open, or that names what is to stand there. */
const OPEN_VALUE = /[?&#][^\s"'=&]{1,60}=(?:[{[<]|%7b|%5b|%3c|\$[{(a-z_]|$)/i;
const NUMBERS = /^(?:[\d.]+|\[.*\])$/;
const OWN_NETWORK = /^(?:(?:127|10|0)\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[(?:::1?\]|f[cd]|fe80:))/;

const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,5}\.\p{L}{2,24}/gu;
const PHONE =
	/(?<![\p{L}\p{N}.])(?:\+\d{1,3}[ .()/-]{0,2}(?:\(?\d{1,5}\)?[ .()/-]{0,2}){2,5}\d{2,5}|\(\d{3,5}\) ?\d{3}[ -]?\d{4}|0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,5})(?![\p{L}\p{N}])/gu;
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}(?![\p{L}\p{N}])/gu;
const CARD = /(?<![\p{L}\p{N}.-])\d(?:[ -]?\d){12,18}(?![\p{L}\p{N}])/gu;

/** Links and images that carry something away; a little, addresses that are made to, or that hide whose they are. */
export function exfiltrationIn(text: string): Finding[] {
	const found: Finding[] = [];
	const look = (pattern: RegExp, isFetched: boolean): void => {
		for (const match of text.matchAll(pattern)) {
			const address = match[1] ?? '';
			const query = address.slice(Math.max(address.indexOf('?'), address.indexOf('#'), -1) + 1);
			const carries = query === address ? 0 : query.length;
			const weight = BLANK.test(address) ? 3 : carries > (isFetched ? 200 : 400) ? 2 : carries > 0 && isFetched ? 1 : 0;
			if (weight > 0) found.push({ kind: 'exfiltration', start: match.index, end: match.index + match[0].length, weight });
		}
	};
	look(IMAGE, true);
	look(HTML, true);
	look(LINK, false);
	for (const match of text.matchAll(ADDRESS)) {
		const [address, host = '', rest = ''] = match;
		if (OPEN_VALUE.test(rest) || isOddHost(host))
			found.push({ kind: 'exfiltration', start: match.index, end: match.index + address.length, weight: 1 });
	}
	return found;
}

/** A number on the internet in place of a name, or a name in letters that may only look like others. */
function isOddHost(written: string): boolean {
	const address = `http://${written}`;
	if (!URL.canParse(address)) return false;
	const { hostname } = new URL(address);
	return NUMBERS.test(hostname) ? !OWN_NETWORK.test(hostname) : /(?:^|\.)xn--/.test(hostname);
}

/** Addresses, telephone numbers, bank accounts and cards; the last two only where their check digits are right. Weight for text that leaves. */
export function personalIn(text: string): Finding[] {
	const found: Finding[] = [];
	const add = (pattern: RegExp, weight: Finding['weight'], isOne: (match: string) => boolean = () => true): void => {
		for (const match of text.matchAll(pattern))
			if (isOne(match[0])) found.push({ kind: 'personal_data', start: match.index, end: match.index + match[0].length, weight });
	};
	if (text.includes('@')) add(MAIL, 1);
	add(PHONE, 1);
	add(IBAN, 2, isIban);
	add(CARD, 2, isCard);
	return found;
}

function isIban(found: string): boolean {
	const plain = found.replaceAll(' ', '');
	if (plain.length < 15 || plain.length > 34) return false;
	let rest = 0;
	for (const sign of plain.slice(4) + plain.slice(0, 4)) {
		const value = Number.parseInt(sign, 36);
		rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
	}
	return rest === 1;
}

/** Luhn's check. */
function isCard(found: string): boolean {
	const digits = [...found.replace(/\D/g, '')].reverse().map(Number);
	if (new Set(digits).size < 2) return false;
	const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
	return sum % 10 === 0;
}
