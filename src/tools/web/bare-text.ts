/** Tags whose content is no text of the page. */
const SKIPPED = ['script', 'style', 'template', 'noscript', 'svg', 'title', 'head'];
const BLOCK = /^<\/?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|blockquote|pre|hr)\b/i;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const COMMENT = '!--';

/** The tag that begins here, where all up to its end is no text. A head without an end is left to the browsers: what follows it may be text. */
function skippedAt(lower: string, open: number): string | undefined {
	if (lower.startsWith(COMMENT, open + 1)) return COMMENT;
	const tag = SKIPPED.find((each) => lower.startsWith(each, open + 1) && !/[\w-]/.test(lower[open + each.length + 1] ?? ''));
	return tag === 'head' && !lower.includes('</head', open) ? undefined : tag;
}

/** The text of HTML with its tags taken away, in one pass: for pages that are too large or too twisted to be read as such. */
export function bareText(html: string): string {
	const lower = html.toLowerCase();
	const pieces: string[] = [];
	let at = 0;
	while (at < html.length) {
		const open = html.indexOf('<', at);
		if (open < 0) {
			pieces.push(html.slice(at));
			break;
		}
		pieces.push(html.slice(at, open));
		const skipped = skippedAt(lower, open);
		if (skipped === undefined && BLOCK.test(html.slice(open, open + 12))) pieces.push('\n');
		const from = skipped === undefined ? open : lower.indexOf(skipped === COMMENT ? '--' : `</${skipped}`, open + 4);
		const close = from < 0 ? -1 : html.indexOf('>', from);
		at = close < 0 ? html.length : close + 1;
	}
	return pieces
		.join('')
		.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (written, decimal: string, hex: string, name: string) => {
			if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? written;
			const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
			return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
		})
		.replace(/[^\S\n]+/gu, ' ')
		.replace(/ ?\n[\n ]*/g, '\n')
		.trim();
}
