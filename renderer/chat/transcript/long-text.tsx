import { useState } from 'react';
import type { Flag } from '../../../src/domain/inspection.ts';
import { Button } from '../../ui/button.tsx';
import { FlaggedText } from '../../ui/flagged.tsx';
import { useSay } from '../../ui/strings.tsx';
import { withPaths } from '../paths.tsx';

/** Characters that are shown unasked; laying out much more would hold up a frame. */
const SHOWN = 8_000;

interface LongTextProps {
	text: string;
	className: string;
	/** Characters that are shown at once. */
	most?: number;
	/** What detectors found in it. */
	flags?: readonly Flag[];
}

/** Plain text with its line breaks. A very long one shows its beginning until the owner asks for all. */
export function LongText({ text, className, most = SHOWN, flags = [] }: LongTextProps) {
	const say = useSay();
	const [all, setAll] = useState(false);
	const cut = !all && text.length > most * 1.25;
	return (
		<>
			<div className={className} dir="auto">
				<FlaggedText text={cut ? `${onCodePoint(text, most)}…` : text} flags={flags} write={withPaths} />
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

/** The first `length` units, without half an emoji at the end. */
function onCodePoint(text: string, length: number): string {
	const last = text.charCodeAt(length - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
