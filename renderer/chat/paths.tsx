import type { ReactNode } from 'react';

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Words with slashes, of letters that are written from left to right: paths and addresses. */
const PATH = /((?:[A-Za-z]:)?[\w.~:@%+-]*[/\\][\w./\\~:@%+?=&#-]*)/;

/** In text from right to left a path keeps its own direction, or its first slash would stand at its end (chat-5). */
export function withPaths(text: string): ReactNode {
	if (!RIGHT_TO_LEFT.test(text)) return text;
	const pieces = text.split(PATH);
	return pieces.map((piece, index) => {
		if (index % 2 === 0) return piece;
		return (
			// biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text, which never move
			<bdi key={index} dir="ltr">
				{piece}
			</bdi>
		);
	});
}
