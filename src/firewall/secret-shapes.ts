/**
 * What keys look like, told from their shape alone. Pure; linear in the length of the text: every repetition is bounded, or ends at a sign that it
 * can't hold. What merely looks random (ids, hashes, pictures in base64) is no key.
 */

/** From UTF-16 offset `start` (included) to `end` (excluded). */
export interface SecretSpan {
	readonly start: number;
	readonly end: number;
}

/** Formats that only keys have, by whoever gives them out. */
const KEY_FORMATS: readonly string[] = [
	// Amazon: ids of keys; session tokens begin so, too.
	'(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])',
	'gh[pousr]_[A-Za-z0-9]{36,255}',
	'github_pat_[A-Za-z0-9_]{22,255}',
	'gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{20,255}',
	'xox[abeoprs]-[A-Za-z0-9-]{10,255}',
	'xapp-\\d-[A-Za-z0-9-]{10,255}',
	'[srp]k_(?:live|test)_[A-Za-z0-9]{16,255}',
	'whsec_[A-Za-z0-9+/=]{24,255}',
	'sk-(?:ant-|proj-|svcacct-|admin-|or-v1-)[A-Za-z0-9_-]{20,255}',
	'sk-[A-Za-z0-9]{32,255}(?![A-Za-z0-9-])',
	'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])',
	'ya29\\.[A-Za-z0-9_-]{20,1000}',
	'GOCSPX-[A-Za-z0-9_-]{28}',
	'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])',
	'pypi-AgE[A-Za-z0-9_-]{50,1000}',
	'hf_[A-Za-z0-9]{30,100}',
	'gsk_[A-Za-z0-9]{40,100}',
	'xai-[A-Za-z0-9]{40,200}',
	'r8_[A-Za-z0-9]{30,60}',
	'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}',
	'dop_v1_[a-f0-9]{64}',
	'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}',
	'lin_api_[A-Za-z0-9]{32,64}',
	'ntn_[A-Za-z0-9]{40,60}',
	'dapi[a-f0-9]{32}(?![a-f0-9])',
	'hv[sb]\\.[A-Za-z0-9_-]{24,255}',
	'tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,100}',
	'AGE-SECRET-KEY-1[A-Z0-9]{50,64}',
	'sntry[su]_[A-Za-z0-9+/=_-]{40,255}',
	'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}',
	'PMAK-[a-f0-9]{24}-[a-f0-9]{34}',
	'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}',
	'EAAC?[A-Za-z0-9]{80,300}(?![A-Za-z0-9])',
	// Telegram's bots.
	'\\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])',
	// Three parts in base64url, of which the first two are JSON objects.
	'eyJ[A-Za-z0-9_-]{8,4000}\\.eyJ[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{16,2000}',
];
const KEY = new RegExp(`(?<![A-Za-z0-9_-])(?:${KEY_FORMATS.join('|')})`, 'g');
const SLACK_HOOK = /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,120})/g;
const DISCORD_HOOK = /discord(?:app)?\.com\/api\/webhooks\/(\d{10,25}\/[A-Za-z0-9_-]{30,120})/g;
const PEM_HEAD = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_TAIL = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** What the lines of a key's body are made of, line ends as written in JSON included. */
const PEM_BODY = /(?:[A-Za-z0-9+/=:,\s-]|\\[nr]){0,20000}/y;

/** `password = …`, `"api_key": "…"`, `--token …`; the value is looked at by itself. */
const ASSIGNED =
	/(?:passw(?:or)?d|passphrase|passwd|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token|(?:api|access|auth|account|private|signing|encryption|master|shared|service|client)[_-]?(?:key|secret)|apikey|credentials?|authorization)["'`]?\s{0,4}(?:=>|[:=])\s{0,4}(?:"([^"\n]{8,400})"|'([^'\n]{8,400})'|`([^`\n]{8,400})`|([^\s"'`,;&<>{}()[\]]{8,400}))/gi;
const BEARER = /\b(bearer|basic)\s{1,4}([A-Za-z0-9._~+/-]{16,2000}={0,2})/gi;
const IN_ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,80}:([^\s/@"'<>]{4,200})@/gi;

/** Keys by their format alone: of these there is hardly any doubt. */
export function keySpans(text: string): SecretSpan[] {
	const spans: SecretSpan[] = [];
	for (const found of text.matchAll(KEY)) if (isVaried(found[0])) spans.push(spanOf(found, found[0]));
	for (const hook of [SLACK_HOOK, DISCORD_HOOK]) for (const found of text.matchAll(hook)) spans.push(spanOf(found, found[1]));
	if (text.includes('PRIVATE KEY')) spans.push(...pemSpans(text));
	return spans;
}

/** Long runs in base64 or hexadecimal, also in lines as programs break them: of a text, which may hold keys, or of a picture. */
const ENCODED = /(?:[A-Za-z0-9+/]{60,80}\r?\n){1,4000}[A-Za-z0-9+/]{0,80}={0,2}|[A-Za-z0-9+/]{40,200000}={0,2}|[A-Za-z0-9_-]{40,200000}/g;
const HEXADECIMAL = /^(?:[0-9a-f]{2}){30,}$/i;
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x80-\xff]/;

/** Keys by their format, and what is called a password, a token or a key and looks like one; also within encoded text. In order, not overlapping. `isKnown`: whether a text holds a value that is known to be secret. */
export function secretSpans(text: string, isKnown: (plain: string) => boolean = () => false): SecretSpan[] {
	return mergedSpans([...plainSpans(text), ...encodedSpans(text, isKnown)]);
}

/** A run that holds a secret goes as a whole: what stands in it can't be cut out. */
function encodedSpans(text: string, isKnown: (plain: string) => boolean): SecretSpan[] {
	const spans: SecretSpan[] = [];
	for (const found of text.matchAll(ENCODED)) {
		const [run] = found;
		const plain = Buffer.from(run.replace(/\s+/g, ''), HEXADECIMAL.test(run) ? 'hex' : 'base64').toString('latin1');
		if (!UNPRINTABLE.test(plain) && (plainSpans(plain).length > 0 || isKnown(plain)))
			spans.push({ start: found.index, end: found.index + run.length });
	}
	return spans;
}

function plainSpans(text: string): SecretSpan[] {
	const spans = keySpans(text);
	for (const found of text.matchAll(ASSIGNED)) {
		const quoted = found[1] ?? found[2] ?? found[3];
		const value = quoted ?? found[4] ?? '';
		if (looksSecret(value, { quoted: quoted !== undefined, password: /^pass|^pwd/i.test(found[0]) })) spans.push(spanOf(found, value));
	}
	for (const found of text.matchAll(BEARER)) {
		const [, scheme = '', value = ''] = found;
		if (scheme.toLowerCase() === 'basic' ? isBasic(value) : /\d/.test(value) && isVaried(value)) spans.push(spanOf(found, value));
	}
	for (const found of text.matchAll(IN_ADDRESS)) if (!isStandIn(found[1] ?? '')) spans.push(spanOf(found, found[1]));
	return spans;
}

/** In order; what overlaps or touches is one. */
export function mergedSpans<Span extends SecretSpan>(spans: readonly Span[]): Span[] {
	const merged: Span[] = [];
	for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
		const last = merged.at(-1);
		if (last && span.start < last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
		else merged.push(span);
	}
	return merged;
}

/** The last occurrence within the match: a key's name may be the same word as its value begins with. */
function spanOf(found: RegExpExecArray, part: string | undefined): SecretSpan {
	const value = part ?? found[0];
	const start = found.index + found[0].lastIndexOf(value);
	return { start, end: start + value.length };
}

/** A block without its end, cut off or still coming, counts as far as it looks like one. */
function pemSpans(text: string): SecretSpan[] {
	const spans: SecretSpan[] = [];
	let done = 0;
	for (const head of text.matchAll(PEM_HEAD)) {
		if (head.index < done) continue;
		const from = head.index + head[0].length;
		PEM_TAIL.lastIndex = from;
		const tail = PEM_TAIL.exec(text);
		PEM_BODY.lastIndex = from;
		const body = from + (PEM_BODY.exec(text)?.[0].length ?? 0);
		const whole = tail && tail.index <= body + 2_000 ? tail.index + tail[0].length : body;
		done = Math.max(whole, from);
		spans.push({ start: head.index, end: done });
	}
	return spans;
}

/** A text in the place of a key that is plainly none. */
const STAND_IN =
	/^(?:x+|\*+|\.+|-+|_+|#+|0+|1234567890?|abc(?:123|def).*|(?:your|my|the|some|insert|enter|put|change|replace|add)[-_ ]?.*|.*(?:placeholder|changeme|change_me|example|redacted|removed|hidden|secret removed|not[-_ ]?set|dummy|sample).*|none|null|undefined|true|false|required|optional|string|pass|passw(?:or)?d|passwort|secret|token)$/i;
const REFERENCE = /\$\{|\{\{|<[A-Za-z]|^\$|^%|^@|^process\.|^os\.|^env[.[]|^import\.|^vault:|^op:\/\/|^secret:|\\n|…|\.\.\./;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const PATH = /^(?:~|\.{0,2})\/[\w.@-]+(?:\/[\w.@-]*)+$|^[A-Za-z]:\\/;
const DOTTED = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z_$]*\d{0,2}$/;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

function isStandIn(value: string): boolean {
	return STAND_IN.test(value) || REFERENCE.test(value);
}

/** Bits, by how often each sign occurs. */
function entropyOf(value: string): number {
	const counts = new Map<string, number>();
	for (const sign of value) counts.set(sign, (counts.get(sign) ?? 0) + 1);
	let bits = 0;
	for (const count of counts.values()) bits -= count * Math.log2(count / value.length);
	return bits;
}

const LEAST_BITS = { password: 18, other: 36 };
const LEAST_LENGTH_OF_WORDS = 12;

function looksSecret(value: string, { quoted, password }: { quoted: boolean; password: boolean }): boolean {
	if (isStandIn(value) || UUID.test(value) || PATH.test(value) || DOTTED.test(value) || ADDRESS.test(value)) return false;
	if (/^\d+(?:[.,]\d+)?$/.test(value) || IDENTIFIER.test(value) || value.includes('[secret removed')) return false;
	const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
	if (classes < 2) return false;
	// Words with blanks between them are a sentence; a passphrase that is written down has a quotation of its own and no sentence's end.
	if (/\s/.test(value)) return password && quoted && value.length >= LEAST_LENGTH_OF_WORDS && /\d|[^A-Za-z\s.,]/.test(value);
	if (!password && !/\d/.test(value)) return false;
	return entropyOf(value) >= (password ? LEAST_BITS.password : LEAST_BITS.other);
}

/** `Basic` is a word as well: what follows has to be a name and a password. */
function isBasic(value: string): boolean {
	if (value.length % 4 === 1 || /[._~-]/.test(value)) return false;
	const plain = Buffer.from(value, 'base64').toString('latin1');
	return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(plain);
}

const LEAST_SIGNS = 7;

/** `ghp_xxxxxxxx…` in a manual is no key. */
function isVaried(value: string): boolean {
	return new Set(value.slice(-32)).size >= LEAST_SIGNS;
}
