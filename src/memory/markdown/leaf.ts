/** The innermost open block: it takes lines but holds no other block. */
import type { Block } from './block.ts';
import type { Fence, HtmlKind } from './starts.ts';

type LeafBase = {
	/** Tells its lines from those of other leaves in the same block. */
	number: number;
	/** Undefined: its lines belong to the owner. */
	block?: Block;
};

/** `indent`: columns in front of the fence; so many are taken off each line. */
export type FenceLeaf = LeafBase & { kind: 'fence'; fence: Fence; indent: number };
export type HtmlLeaf = LeafBase & { kind: 'html'; html: HtmlKind };
export type Leaf = FenceLeaf | HtmlLeaf | (LeafBase & { kind: 'paragraph' | 'indented' | 'table' });
