import { type Document, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import type { TextProblem } from '../../domain/text-problem.ts';

export type Path = readonly (string | number)[];

/** Where in a YAML text something is. */
export class Locator {
	readonly #document: Document.Parsed;
	/** Offsets at which lines begin. Counted here: the library's counter misses lines within some multi-line values. */
	readonly #lines: readonly number[];
	readonly #length: number;

	constructor(document: Document.Parsed, text: string) {
		this.#document = document;
		this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
		this.#length = text.length;
	}

	/** The value at the path, or its key where `onKey`. Of what is not there: the key of the nearest thing around it. */
	problem(path: Path, message: string, onKey = false): TextProblem {
		return { ...this.at(this.#offset(path, onKey)), message };
	}

	at(offset: number): { line: number; column: number } {
		const within = Math.max(0, Math.min(offset, this.#length));
		const line = this.#lines.findLastIndex((start) => start <= within);
		return { line: line + 1, column: within - (this.#lines[line] ?? 0) + 1 };
	}

	#offset(path: Path, onKey: boolean): number {
		let node: unknown = this.#document.contents;
		let offset = startOf(node) ?? 0;
		for (const [depth, key] of path.entries()) {
			const isLast = depth === path.length - 1;
			if (isMap(node)) {
				const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
				if (!pair) return offset;
				const keyAt = startOf(pair.key) ?? offset;
				// An outer key is the better place for something that is missing below it.
				offset = isLast && !onKey ? (valueStart(pair.value) ?? keyAt) : keyAt;
				node = pair.value;
			} else if (isSeq(node)) {
				node = node.items[Number(key)];
				offset = startOf(node) ?? offset;
			} else return valueStart(node) ?? offset;
		}
		return offset;
	}
}

function startOf(node: unknown): number | undefined {
	return isNode(node) ? (node as Node).range?.[0] : undefined;
}

/** Blocks are told by their key's line, which is where one looks; an empty value has no place of its own. */
function valueStart(node: unknown): number | undefined {
	return isScalar(node) && node.value !== null ? startOf(node) : undefined;
}
