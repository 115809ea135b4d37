import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';
import { CodeBlock } from './code-block.tsx';
import { type DrawnDiagram, drawDiagram } from './draw-diagram.ts';

/**
 * A Mermaid block: its source while it is being written, its drawing when the block is closed, and its source again where
 * it can't be drawn (chat-6).
 */
export const Diagram = memo(function Diagram({ source, complete }: { source: string; complete: boolean }) {
	const say = useSay();
	const dark = useDark();
	const [result, setResult] = useState<{ source: string; dark: boolean; drawn: DrawnDiagram | null } | null>(null);
	const [showsSource, setShowsSource] = useState(false);
	useEffect(() => {
		if (!complete) return;
		let current = true;
		void drawDiagram(source, dark).then((drawn) => {
			if (current) setResult({ source, dark, drawn });
		});
		return () => {
			current = false;
		};
	}, [source, complete, dark]);

	const here = complete && result?.source === source ? result : null;
	if (!here) return <CodeBlock code={source} language="mermaid" complete={false} />;
	if (!here.drawn) {
		return (
			<div className="diagram">
				<p className="diagram-failed">
					<Icon name="alert" size="s" />
					{say('diagram.failed')}
				</p>
				<CodeBlock code={source} language="mermaid" complete={false} />
			</div>
		);
	}
	return (
		<figure className="diagram">
			{showsSource ? (
				<CodeBlock code={source} language="mermaid" complete={false} />
			) : (
				<img
					src={here.drawn.address}
					alt={say('diagram.alt', { start: beginning(source) })}
					width={here.drawn.width}
					height={here.drawn.height}
				/>
			)}
			<Button kind="ghost" size="sm" onClick={() => setShowsSource(!showsSource)}>
				{say(showsSource ? 'diagram.showDiagram' : 'diagram.showSource')}
			</Button>
		</figure>
	);
});

/** What kind of diagram it is and its first words; all of the source is a button away. */
function beginning(source: string): string {
	const words = source.slice(0, 400).trim().replace(/\s+/g, ' ');
	return words.length > 120 ? `${words.slice(0, 120)}…` : words;
}

/** Whether the window is dark now, by the owner's choice or the system's. */
export function useDark(): boolean {
	return useSyncExternalStore(onThemeChange, isDark);
}

function isDark(): boolean {
	const chosen = document.documentElement.dataset.theme;
	return chosen ? chosen === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}

function onThemeChange(listener: () => void): () => void {
	const media = window.matchMedia('(prefers-color-scheme: dark)');
	media.addEventListener('change', listener);
	const watch = new MutationObserver(listener);
	watch.observe(document.documentElement, { attributeFilter: ['data-theme'] });
	return () => {
		media.removeEventListener('change', listener);
		watch.disconnect();
	};
}
