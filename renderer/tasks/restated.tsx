import { Fragment } from 'react';
import type { TaskCard } from '../../src/domain/task.ts';

/** When and what in one sentence; what is to be checked first stands out. */
export function Restated({ restated, strong }: Pick<TaskCard, 'restated' | 'strong'>) {
	return (
		<p dir="auto">
			{restatedParts(restated, strong).map(({ text, isStrong }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence, which never move
				<Fragment key={index}>{isStrong ? <em>{text}</em> : text}</Fragment>
			))}
		</p>
	);
}

/** The sentence in its parts: each of `strong` where it stands first after the one before. */
export function restatedParts(restated: string, strong: readonly string[]): { text: string; isStrong: boolean }[] {
	const parts: { text: string; isStrong: boolean }[] = [];
	let at = 0;
	for (const words of strong) {
		const found = words === '' ? -1 : restated.indexOf(words, at);
		if (found < 0) continue;
		if (found > at) parts.push({ text: restated.slice(at, found), isStrong: false });
		parts.push({ text: words, isStrong: true });
		at = found + words.length;
	}
	if (at < restated.length) parts.push({ text: restated.slice(at), isStrong: false });
	return parts;
}
