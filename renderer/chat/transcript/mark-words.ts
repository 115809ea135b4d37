const NAME = 'found';

/** Marks the words where they stand in the element, without changing its nodes, and returns the first of them. Nothing where the browser can't. */
export function markWords(root: Element | null, query: string): Range | undefined {
	if (!('highlights' in CSS)) return undefined;
	CSS.highlights.delete(NAME);
	const wanted = query.trim().toLowerCase();
	if (!root || wanted === '') return undefined;
	const words = [wanted, ...wanted.split(/\s+/)].filter((word, index, all) => word.length > 1 && all.indexOf(word) === index);
	const ranges: Range[] = [];
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const text = (node.textContent ?? '').toLowerCase();
		for (const word of words) {
			for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
				const range = new Range();
				range.setStart(node, at);
				range.setEnd(node, at + word.length);
				ranges.push(range);
			}
		}
	}
	if (ranges.length > 0) CSS.highlights.set(NAME, new Highlight(...ranges));
	return ranges[0];
}

/** Marks a passage as one, across the nodes that it was laid out in and whatever its line breaks. Undefined where it does not stand there. */
export function markQuote(root: Element | null, quote: string): Range | undefined {
	if (!('highlights' in CSS)) return undefined;
	CSS.highlights.delete(NAME);
	const wanted = small(quote.replace(/\s+/g, ''));
	if (!root || wanted === '') return undefined;
	const places: { node: Node; offset: number }[] = [];
	let text = '';
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const content = node.textContent ?? '';
		for (let offset = 0; offset < content.length; offset++) {
			if (/\s/.test(content[offset] ?? '')) continue;
			text += small(content[offset] ?? '');
			places.push({ node, offset });
		}
	}
	const at = text.indexOf(wanted);
	const start = places[at];
	const end = places[at + wanted.length - 1];
	if (!start || !end) return undefined;
	const range = new Range();
	range.setStart(start.node, start.offset);
	range.setEnd(end.node, end.offset + 1);
	CSS.highlights.set(NAME, new Highlight(range));
	return range;
}

/** In small letters, unit by unit: a sign that becomes two would shift all that follow. */
function small(text: string): string {
	return Array.from({ length: text.length }, (_, index) => {
		const lower = (text[index] ?? '').toLowerCase();
		return lower.length === 1 ? lower : text[index];
	}).join('');
}
