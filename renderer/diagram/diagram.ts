import mermaid from 'mermaid';
import type { DiagramReply, DiagramRequest } from './messages.ts';

/**
 * Runs in a sandboxed frame of an opaque origin: it draws Mermaid sources and hands back SVG text. It can reach neither the
 * page around it (but by these messages) nor the network: its policy allows its own script and inline styles only.
 */
let queue: Promise<void> = Promise.resolve();

async function draw({ id, source, dark }: DiagramRequest): Promise<void> {
	let svg: string | null = null;
	try {
		mermaid.initialize({
			startOnLoad: false,
			securityLevel: 'strict',
			theme: dark ? 'dark' : 'neutral',
			fontFamily: 'system-ui, sans-serif',
			// Labels as SVG text: an image can't be trusted to lay out HTML the same everywhere.
			htmlLabels: false,
			flowchart: { htmlLabels: false },
			suppressErrorRendering: true,
		});
		svg = (await mermaid.render(`d${id}`, source)).svg;
	} catch {
		// The source is wrong, which is for its writer to see: the page shows it as it is.
	}
	window.parent.postMessage({ type: 'drawn', id, svg } satisfies DiagramReply, '*');
}

window.addEventListener('message', (event: MessageEvent<DiagramRequest>) => {
	if (event.source !== window.parent || event.data.type !== 'draw') return;
	// One at a time: the library keeps its configuration in one place.
	queue = queue.then(() => draw(event.data));
});
window.parent.postMessage({ type: 'ready' }, '*');
