import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';

/** Any node of the tree; what the children of a root may be is everything but the root. */
type Nodes = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];

export type ReferenceBlock = { kind: string; lineStart: number; lineEnd: number; says: boolean };

/**
 * The blocks that micromark finds, cut as ours are: a list item ends where its nested items begin, blank ends belong to no block.
 * `says` is false for what may be no entry: nothing in it but marks, comments, definitions.
 */
export function referenceBlocks(source: string): ReferenceBlock[] {
	const tree = fromMarkdown(source, {
		extensions: [gfm(), frontmatter(['yaml'])],
		mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(['yaml'])],
	});
	const lines = source.split(/\r\n|\n|\r/);
	const blocks: ReferenceBlock[] = [];
	const add = (kind: string, first: Nodes, own: Nodes[]) => {
		const lineStart = first.position?.start.line ?? 0;
		let lineEnd = own.at(-1)?.position?.end.line ?? lineStart;
		const blank = kind === 'quote' || kind === 'item' ? /^[ \t>]*$/ : /^[ \t]*$/;
		while (lineEnd > lineStart && blank.test(lines[lineEnd - 1] ?? '')) lineEnd--;
		blocks.push({ kind, lineStart, lineEnd, says: own.some((node) => says(node, source)) });
	};
	const visit = (node: Nodes) => {
		if (node.type === 'list') {
			for (const item of node.children) {
				const nested = item.children.findIndex((child) => child.type === 'list');
				const own = nested < 0 ? item.children : item.children.slice(0, nested);
				add('item', item, own);
				for (const child of item.children.slice(own.length)) visit(child);
			}
			return;
		}
		if (node.type === 'yaml' || node.type === 'definition' || node.type === 'thematicBreak') return;
		add(KINDS[node.type] ?? node.type, node, [node]);
	};
	for (const child of tree.children) visit(child);
	return blocks;
}

const KINDS: Record<string, string> = { blockquote: 'quote', html: 'paragraph' };

function says(node: Nodes, source: string): boolean {
	if (node.type === 'html') return node.value.replace(/<!--(?:>|->|[\s\S]*?(?:-->|$))/g, '').trim() !== '';
	if (node.type === 'code') return node.value.trim() !== '';
	// As written: an entity such as &nbsp; is text.
	if (node.type === 'text') return source.slice(node.position?.start.offset, node.position?.end.offset).trim() !== '';
	if (node.type === 'yaml' || node.type === 'definition' || node.type === 'thematicBreak') return false;
	return 'children' in node ? node.children.some((child) => says(child, source)) : true;
}
