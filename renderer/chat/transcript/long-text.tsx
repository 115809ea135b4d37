import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useSay } from '../../ui/strings.tsx';

/** Characters that are shown at once; laying out much more would hold up a frame. */
const SHOWN = 8_000;

/** Plain text with its line breaks. A very long one shows its beginning until the owner asks for all. */
export function LongText({ text, className }: { text: string; className: string }) {
	const say = useSay();
	const [all, setAll] = useState(false);
	const cut = !all && text.length > SHOWN * 1.25;
	return (
		<>
			<div className={className} dir="auto">
				{withPaths(cut ? `${onCodePoint(text, SHOWN)}…` : text)}
			</div>
			{cut ? (
				<p className="cut-note">
					<span className="meta">{say('chat.textCut')}</span>{' '}
					<Button kind="ghost" size="sm" onClick={() => setAll(true)}>
						{say('chat.showAll', { count: text.length })}
					</Button>
				</p>
			) : null}
		</>
	);
}

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Words with slashes, of letters that are written from left to right: paths and addresses. */
const PATH = /((?:[A-Za-z]:)?[\w.~:@%+-]*[/\\][\w./\\~:@%+?=&#-]*)/;

/** In text from right to left a path keeps its own direction, or its first slash would stand at its end (chat-5). */
function withPaths(text: string): ReactNode {
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

/** The first `length` units, without half an emoji at the end. */
function onCodePoint(text: string, length: number): string {
	const last = text.charCodeAt(length - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
