import { memo } from 'react';
import { Streamdown } from 'streamdown';
import { components } from './components.tsx';
import { normaliseMath } from './math-delimiters.ts';
import { rehypePluginsFor, remarkPlugins } from './pipeline.ts';

interface MarkdownProps {
	text: string;
	/** More is coming: half-written marks are completed for the eye, diagrams wait for the end of their block. */
	streaming: boolean;
}

/** A text of a reply. Blocks that are complete do not render again while later ones stream. */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps) {
	const markdown = normaliseMath(text);
	return (
		<Streamdown
			className="prose"
			components={components}
			remarkPlugins={remarkPlugins}
			rehypePlugins={rehypePluginsFor(markdown)}
			parseIncompleteMarkdown={streaming}
			isAnimating={streaming}
			controls={false}
			linkSafety={{ enabled: false }}
		>
			{markdown}
		</Streamdown>
	);
});
