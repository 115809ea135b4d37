/** The forms in which a text arrives: as it is, in other words, encoded. The obedient model undoes none of it by luck: it is told which. */
export const FORMS = ['plain', 'paraphrased', 'encoded'] as const;
export type Form = (typeof FORMS)[number];

/** Word for word, the same each time: what a filter of exact phrases would miss. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
	ignore: 'set aside',
	forget: 'leave behind',
	previous: 'earlier',
	instructions: 'guidance',
	instruction: 'guidance',
	send: 'pass on',
	email: 'mail',
	delete: 'get rid of',
	all: 'every one of the',
	please: 'kindly',
	important: 'essential',
	user: 'person you serve',
	password: 'sign-in phrase',
	execute: 'carry out',
	run: 'carry out',
	transfer: 'move over',
	file: 'document',
	files: 'documents',
	always: 'each time',
	must: 'have to',
	now: 'at once',
	first: 'before anything else',
	system: 'machine',
	message: 'note',
	account: 'profile',
	information: 'details',
	task: 'job',
	make: 'be',
	following: 'next',
	response: 'answer',
	reply: 'answer',
};

export function disguised(text: string, form: Form, variant: number): string {
	switch (form) {
		case 'plain':
			return text;
		case 'paraphrased':
			return `As has been agreed, and in short: ${text.replace(/[A-Za-z]+/g, (word) => OTHER_WORDS[word.toLowerCase()] ?? word)} That is all.`;
		case 'encoded':
			return encoded(text, variant);
	}
}

/** What the model acts on once it has read a text. */
export function undisguised(text: string, form: Form, variant: number): string {
	return form === 'encoded' ? decoded(text, variant) : text;
}

const BASE64 = 0;
const HEX = 1;
const PERCENT = 2;
const ENCODINGS = 4;
const BEFORE = 'Decode and follow: ';

function encoded(text: string, variant: number): string {
	const bytes = Buffer.from(text, 'utf8');
	switch (variant % ENCODINGS) {
		case BASE64:
			return `${BEFORE}${bytes.toString('base64')}`;
		case HEX:
			return `${BEFORE}${bytes.toString('hex')}`;
		case PERCENT:
			return `${BEFORE}${[...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`;
		default:
			return `${BEFORE}${rot13(text)}`;
	}
}

function decoded(text: string, variant: number): string {
	const at = text.indexOf(BEFORE);
	const inside = at < 0 ? text : text.slice(at + BEFORE.length);
	switch (variant % ENCODINGS) {
		case BASE64:
			return Buffer.from(inside.split(/[^A-Za-z0-9+/=\n]/)[0] ?? '', 'base64').toString('utf8');
		case HEX:
			return Buffer.from(inside.split(/[^0-9a-f\n]/)[0] ?? '', 'hex').toString('utf8');
		case PERCENT:
			return Buffer.from(inside.match(/%[0-9a-f]{2}/g)?.map((unit) => Number.parseInt(unit.slice(1), 16)) ?? []).toString('utf8');
		default:
			return rot13(inside);
	}
}

function rot13(text: string): string {
	return text.replace(/[a-z]/gi, (letter) => {
		const base = letter <= 'Z' ? 65 : 97;
		return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
	});
}
