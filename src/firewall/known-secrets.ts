import { mergedSpans, type SecretSpan } from './secret-shapes.ts';

/** Values that are known to be secret, and the forms in which they may turn up in a text. In this process's memory only. */

/** Shorter values would hide ordinary words. */
export const SHORTEST_SECRET = 8;
/** Shorter lines of a key in several lines are no mark of it. */
const SHORTEST_LINE = 20;
/** Signs by which forms are found. */
const HEAD = 4;
const MOST_VALUES = 2_000;

export interface KnownSpan extends SecretSpan {
	/** The value itself, whatever form it has there. */
	readonly value: string;
}

interface Form {
	readonly text: string;
	readonly value: string;
}

export class KnownSecrets {
	readonly #values = new Set<string>();
	/** By their first signs, longest first. */
	readonly #forms = new Map<string, Form[]>();
	/** Whether forms begin with signs of that number; most places of a text are passed over by it. */
	readonly #maybe = new Uint8Array(0x10000);
	/** Beginnings that are too short for `#forms`. */
	readonly #beginnings = new Set<string>();
	#longest = 0;

	/** False: it is known already, or too short or too common to be told from other words. */
	add(secret: string): boolean {
		const value = secret.trim();
		if (value.length < SHORTEST_SECRET || this.#values.has(value) || this.#values.size >= MOST_VALUES || isCommon(value)) return false;
		this.#values.add(value);
		for (const text of formsOf(value)) this.#addForm({ text, value });
		return true;
	}

	#addForm(form: Form): void {
		const head = form.text.slice(0, HEAD);
		const same = this.#forms.get(head) ?? [];
		if (same.some(({ text }) => text === form.text)) return;
		this.#forms.set(
			head,
			[...same, form].sort((a, b) => b.text.length - a.text.length),
		);
		this.#maybe[numberOf(form.text, 0)] = 1;
		for (let length = 1; length < HEAD; length += 1) this.#beginnings.add(head.slice(0, length));
		this.#longest = Math.max(this.#longest, form.text.length);
	}

	/** In order, not overlapping. */
	spans(text: string): KnownSpan[] {
		if (this.#values.size === 0 || text.length < SHORTEST_SECRET) return [];
		const spans: KnownSpan[] = [];
		for (let at = 0; at + HEAD <= text.length; at += 1) {
			if (this.#maybe[numberOf(text, at)] === 0) continue;
			const form = this.#forms.get(text.slice(at, at + HEAD))?.find((each) => text.startsWith(each.text, at));
			if (!form) continue;
			spans.push({ start: at, end: at + form.text.length, value: form.value });
			at += form.text.length - 1;
		}
		return mergedSpans(spans);
	}

	/** How much of the end of a text may be the beginning of a secret, in UTF-16 units. */
	openEnd(text: string): number {
		for (let length = Math.min(text.length, this.#longest - 1); length > 0; length -= 1) {
			const at = text.length - length;
			if (length < HEAD) {
				if (this.#beginnings.has(text.slice(at))) return length;
			} else if (this.#maybe[numberOf(text, at)] !== 0) {
				const end = text.slice(at);
				if (this.#forms.get(end.slice(0, HEAD))?.some((form) => form.text.length > length && form.text.startsWith(end))) return length;
			}
		}
		return 0;
	}
}

function numberOf(text: string, at: number): number {
	const hash = ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3);
	return (hash ^ (hash >>> 16)) & 0xffff;
}

/** A word of a configuration, or what a mask itself is made of. */
function isCommon(value: string): boolean {
	return /^(?:true|false|enabled|disabled|required|optional|undefined|password|username|localhost|production|development|secret removed|removed:?)$/i.test(
		value,
	);
}

/** As it is, and as programs write it down: in an address, as JSON, in a shell, in HTML, in base64 (also within more), in hexadecimal. */
function formsOf(value: string): Set<string> {
	const bytes = Buffer.from(value, 'utf8');
	const percent = encodeAll(value);
	const hex = bytes.toString('hex');
	const forms = [
		value,
		JSON.stringify(value).slice(1, -1),
		JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
		encodeURI(value),
		encodeURIComponent(value),
		encodeURIComponent(value).replaceAll('%20', '+'),
		percent,
		percent.toLowerCase() === percent ? percent : value.replace(/[^A-Za-z0-9_.~-]/gu, (sign) => encodeAll(sign).toLowerCase()),
		value.replaceAll("'", "'\\''"),
		value.replaceAll("'", `'"'"'`),
		value.replace(/([^A-Za-z0-9_@%+=:,./-])/g, '\\$1'),
		value.replace(/(["\\$`])/g, '\\$1'),
		value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
		hex,
		hex.toUpperCase(),
		...base64Forms(bytes),
		...value.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE && value.includes('\n') && !line.startsWith('-----')),
	];
	return new Set(forms.filter((form) => form.length >= SHORTEST_SECRET));
}

/** Every sign but the unreserved ones, as the strictest writers do. */
function encodeAll(text: string): string {
	return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** By what stands before it: three ways in which bytes fall on signs. The signs that neighbours have a part in are left out. */
function base64Forms(bytes: Buffer): string[] {
	return [0, 1, 2].flatMap((before) => {
		const text = Buffer.concat([Buffer.alloc(before), bytes])
			.toString('base64')
			.replace(/=+$/, '');
		const from = Math.ceil((before * 8) / 6);
		const whole = Math.floor(((before + bytes.length) * 8) / 6);
		const inner = text.slice(from, whole);
		return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
	});
}
