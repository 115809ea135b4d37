import { memo, useEffect, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useSay } from '../../ui/strings.tsx';
import { copyText } from '../copy.ts';
import { highlight, type Line, languageName, MAX_CODE } from './highlight.ts';

interface CodeBlockProps {
	code: string;
	language: string;
	/** Coloured only once its fence is closed: half a block would be tokenised again for every piece. */
	complete: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, complete }: CodeBlockProps) {
	const say = useSay();
	const lines = useHighlighted(code, language, complete);
	const name = languageName(language);
	return (
		<figure className="code" dir="ltr">
			<figcaption>
				<span className="grow">{name ?? (language || say('code.plain'))}</span>
				{code.length > MAX_CODE && name ? <span>{say('code.big')}</span> : null}
				<IconButton icon="copy" size="sm" label={say('code.copy')} onClick={() => copyText(code)} />
			</figcaption>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: code wider than the page must be scrollable by keyboard */}
			<pre tabIndex={0}>
				<code>
					{lines
						? // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one version of a block never move
							lines.map((line, index) => <CodeLine key={index} line={line} last={index === lines.length - 1} />)
						: code}
				</code>
			</pre>
		</figure>
	);
});

function CodeLine({ line, last }: { line: Line; last: boolean }) {
	return (
		<>
			{line.map(([content, kind], index) =>
				kind === null ? (
					content
				) : (
					// biome-ignore lint/suspicious/noArrayIndexKey: the tokens of one version of a line never move
					<span key={index} className={`hl-${kind}`}>
						{content}
					</span>
				),
			)}
			{last ? null : '\n'}
		</>
	);
}

function useHighlighted(code: string, language: string, complete: boolean): Line[] | null {
	const [result, setResult] = useState<{ code: string; lines: Line[] } | null>(null);
	useEffect(() => {
		if (!complete) return;
		let current = true;
		highlight(code, language).then(
			(lines) => {
				if (current && lines) setResult({ code, lines });
			},
			() => {
				// Without its worker the code stays as it is: uncoloured, whole and readable.
			},
		);
		return () => {
			current = false;
		};
	}, [code, language, complete]);
	return result?.code === code ? result.lines : null;
}
