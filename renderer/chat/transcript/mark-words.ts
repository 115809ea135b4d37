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
