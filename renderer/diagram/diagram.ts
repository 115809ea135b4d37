import mermaid from 'mermaid';
import type { DiagramReply, DiagramRequest } from './messages.ts';

/**
 * Runs in a sandboxed frame of an opaque origin: it draws Mermaid sources and hands back SVG text. It can reach neither the
 * page around it (but by these messages) nor the network: its policy allows its own script and inline styles only.
 */
/** The app's own colours (styles/tokens.css); the library can't read them: it needs values it can compute with. */
const LIGHT = {
	darkMode: false,
	background: '#ffffff',
	fontSize: '14px',
	useGradient: false,
	dropShadow: 'none',
	primaryColor: '#f6f4f1',
	primaryTextColor: '#211d19',
	primaryBorderColor: '#847b72',
	secondaryColor: '#ece8e3',
	tertiaryColor: '#f7f5f2',
	lineColor: '#554e47',
	textColor: '#211d19',
	edgeLabelBackground: '#ffffff',
};
const DARK = {
	darkMode: true,
	background: '#201e1b',
	fontSize: '14px',
	useGradient: false,
	dropShadow: 'none',
	primaryColor: '#2a2724',
	primaryTextColor: '#eee9e3',
	primaryBorderColor: '#8b8278',
	secondaryColor: '#35312d',
	tertiaryColor: '#282522',
	lineColor: '#bcb4ab',
	textColor: '#eee9e3',
	edgeLabelBackground: '#201e1b',
};

let queue: Promise<void> = Promise.resolve();

async function draw({ id, source, dark }: DiagramRequest): Promise<void> {
	let drawing: DiagramReply['drawing'] = null;
	try {
		mermaid.initialize({
			startOnLoad: false,
			securityLevel: 'strict',
			theme: 'base',
			themeVariables: dark ? DARK : LIGHT,
			fontFamily: 'system-ui, sans-serif',
			// Labels as SVG text: an image can't be trusted to lay out HTML the same everywhere.
			htmlLabels: false,
			flowchart: { htmlLabels: false },
			suppressErrorRendering: true,
		});
		drawing = wellFormed((await mermaid.render(`d${id}`, source)).svg);
	} catch {
		// The source is wrong, which is for its writer to see: the page shows it as it is.
	}
	window.parent.postMessage({ type: 'drawn', id, drawing } satisfies DiagramReply, '*');
}

/** The library writes HTML's dialect of SVG; an image must be XML and must say its size. Null where it drew nothing. */
function wellFormed(markup: string): DiagramReply['drawing'] {
	const holder = document.createElement('div');
	holder.innerHTML = markup;
	const svg = holder.querySelector('svg');
	const [, , width = 0, height = 0] = (svg?.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
	if (!svg || !(width > 0 && height > 0)) return null;
	svg.setAttribute('width', String(width));
	svg.setAttribute('height', String(height));
	svg.removeAttribute('style');
	return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

window.addEventListener('message', (event: MessageEvent<DiagramRequest>) => {
	if (event.source !== window.parent || event.data.type !== 'draw') return;
	// One at a time: the library keeps its configuration in one place.
	queue = queue.then(() => draw(event.data));
});
window.parent.postMessage({ type: 'ready' }, '*');
