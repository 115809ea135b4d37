import { wordDiff } from '../../src/contract/word-diff.ts';

const TAG = { added: 'ins', removed: 'del', same: 'span' } as const;

/** What changed between two texts, word by word. Without a text before, the text after stands as it is. */
export function WordDiff({ before, after }: { before: string | null; after: string }) {
	return (
		<p className="word-diff" dir="auto">
			{before === null
				? after
				: wordDiff(before, after).map(({ kind, text }, index) => {
						const Tag = TAG[kind];
						// biome-ignore lint/suspicious/noArrayIndexKey: the parts of one comparison, which never move
						return <Tag key={index}>{text}</Tag>;
					})}
		</p>
	);
}
