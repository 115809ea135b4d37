import { useEffect, useMemo, useRef, useState } from 'react';
import type { WorkflowDiagram } from '../../src/domain/workflow.ts';
import { useDark } from '../chat/markdown/diagram.tsx';
import { type DrawnDiagram, drawDiagram } from '../chat/markdown/draw-diagram.ts';
import { useSay } from '../ui/strings.tsx';
import { mermaidOf, nodeOf, type Where } from './workflow-view.ts';

interface StateDiagramProps {
	title: string;
	diagram: WorkflowDiagram;
	/** How each state stands; empty for a workflow that was not started. */
	where: ReadonlyMap<string, Where>;
}

/** A wide diagram scrolls rather than become smaller than this: its words have to be read. */
const SMALLEST = 0.8;

/** States and transitions as a picture. What it shows stands beside it as a list, too. */
export function StateDiagram({ title, diagram, where }: StateDiagramProps) {
	const say = useSay();
	const dark = useDark();
	const source = useMemo(() => mermaidOf(diagram, where, dark), [diagram, where, dark]);
	// The drawing before stays until the next one is there.
	const [drawn, setDrawn] = useState<{ source: string; picture: DrawnDiagram | null }>();
	useEffect(() => {
		let current = true;
		void drawDiagram(source, dark).then((picture) => {
			if (current) setDrawn({ source, picture });
		});
		return () => {
			current = false;
		};
	}, [source, dark]);
	const frame = useRef<HTMLElement>(null);
	const now = [...where].find(([, at]) => at === 'now')?.[0];
	const address = drawn?.picture?.address;
	useEffect(() => {
		const node = nodeOf(diagram, now ?? diagram.start);
		if (frame.current && address && node) bringIntoView(frame.current, address, node);
	}, [address, diagram, now]);
	if (!drawn) return <p className="meta">{say('workflow.drawing')}</p>;
	if (!drawn.picture) return <p className="meta">{say('workflow.notDrawn')}</p>;
	const words = say('workflow.diagramAlt', { title, count: diagram.states.length });
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
		<figure ref={frame} className="state-diagram" data-current={drawn.source === source} tabIndex={0}>
			<img
				src={drawn.picture.address}
				alt={now ? `${words} ${say('workflow.diagramNow', { state: now })}` : words}
				width={drawn.picture.width}
				height={drawn.picture.height}
				style={{ minWidth: drawn.picture.width * SMALLEST }}
			/>
		</figure>
	);
}

/** Where the diagram is larger than its frame, the state that it is in, or else begins with, comes to the middle. A drawing that names its boxes otherwise stays as it is. */
function bringIntoView(frame: HTMLElement, address: string, node: string): void {
	const image = frame.querySelector('img');
	const comma = address.indexOf(',');
	if (!image || comma < 0) return;
	// As text: a parsed drawing brings styles, which the page's policy refuses.
	const tag = new RegExp(`<g\\b[^>]*\\bid="[^"]*flowchart-${node}-\\d+"[^>]*>`).exec(decodeURIComponent(address.slice(comma + 1)))?.[0];
	const [, x, y] = /translate\(\s*([\d.-]+)[\s,]+([\d.-]+)/.exec(tag ?? '') ?? [];
	const scale = image.clientWidth / Number(image.getAttribute('width'));
	if (x === undefined || y === undefined || !Number.isFinite(scale)) return;
	frame.scrollLeft = Number(x) * scale - frame.clientWidth / 2;
	frame.scrollTop = Number(y) * scale - frame.clientHeight / 2;
}

/** The same as a list: each state, where it stands, and where it may lead. */
export function StateList({ diagram, where }: Pick<StateDiagramProps, 'diagram' | 'where'>) {
	const say = useSay();
	return (
		<ol className="state-list">
			{diagram.states.map(({ name, title, action, final }) => {
				const at = where.get(name);
				return (
					<li key={name} className={at} aria-current={at === 'now' ? 'step' : undefined}>
						<p>
							<code>{name}</code>{' '}
							<span className="meta">
								{[
									...(at ? [say('workflow.stateWhere', { where: at })] : []),
									final ? say('workflow.final') : say('workflow.actionKind', { kind: action }),
								].join(', ')}
							</span>
						</p>
						{title === '' || title === name ? null : <p dir="auto">{title}</p>}
						<ul>
							{diagram.transitions
								.filter(({ from }) => from === name)
								.map(({ to, when }) => (
									<li key={`${to}\n${when}`} className="meta">
										{when === '' ? say('workflow.to', { state: to }) : say('workflow.toWhen', { state: to, when })}
									</li>
								))}
						</ul>
					</li>
				);
			})}
		</ol>
	);
}
