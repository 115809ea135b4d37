import type { DiagramReply, DiagramRequest } from '../../diagram/messages.ts';

export interface DrawnDiagram {
	/** A data: address of the drawing; shown as an image, so nothing in it can run or load. */
	readonly address: string;
	readonly width: number;
	readonly height: number;
}

/** Longest time one drawing may take, in milliseconds; a frame that hangs is thrown away. */
const TIME_LIMIT_MS = 15_000;
const CACHED = 60;
/** Characters of source; more is shown as source. */
const MAX_SOURCE = 50_000;

let frame: HTMLIFrameElement | undefined;
let nextId = 0;
let ready: Promise<void> | undefined;
const waiting = new Map<number, (reply: DiagramReply | null) => void>();
const cache = new Map<string, DrawnDiagram | null>();

/**
 * The drawing of a Mermaid source, or null where it can't be drawn. Never rejects. The library runs in a sandboxed frame of
 * an opaque origin with a policy of its own: a hostile source can reach neither this page nor the network.
 */
export async function drawDiagram(source: string, dark: boolean): Promise<DrawnDiagram | null> {
	if (source.length > MAX_SOURCE) return null;
	const key = `${dark}\n${source}`;
	const known = cache.get(key);
	if (known !== undefined) return known;
	const reply = await ask(source, dark);
	const drawn = reply?.drawing ? toImage(reply.drawing) : null;
	// A frame that hung may do better next time; what the library refused stays refused.
	if (reply) cache.set(key, drawn);
	if (cache.size > CACHED) cache.delete(cache.keys().next().value ?? '');
	return drawn;
}

async function ask(source: string, dark: boolean): Promise<DiagramReply | null> {
	const id = ++nextId;
	return new Promise((resolve) => {
		const timer = setTimeout(() => {
			waiting.delete(id);
			discardFrame();
			resolve(null);
		}, TIME_LIMIT_MS);
		waiting.set(id, (reply) => {
			clearTimeout(timer);
			waiting.delete(id);
			resolve(reply);
		});
		ready ??= openFrame();
		ready.then(() => {
			const request: DiagramRequest = { type: 'draw', id, source, dark };
			// The frame's origin is opaque: it can't be named as a target. The message holds only what the page shows anyway.
			frame?.contentWindow?.postMessage(request, '*');
		}, discardFrame);
	});
}

function openFrame(): Promise<void> {
	const made = document.createElement('iframe');
	made.setAttribute('sandbox', 'allow-scripts');
	made.className = 'diagram-frame';
	made.title = 'Diagrams';
	made.tabIndex = -1;
	made.ariaHidden = 'true';
	made.src = 'diagram/index.html';
	frame = made;
	return new Promise((resolve, reject) => {
		window.addEventListener('message', onMessage);
		made.addEventListener('error', () => reject(new Error('The diagram frame did not load.')));
		started = resolve;
		document.body.append(made);
	});
}

let started: () => void = () => {};

function onMessage(event: MessageEvent<DiagramReply | { type: 'ready' }>): void {
	if (!frame || event.source !== frame.contentWindow) return;
	if (event.data.type === 'ready') started();
	else waiting.get(event.data.id)?.(event.data);
}

function discardFrame(): void {
	window.removeEventListener('message', onMessage);
	frame?.remove();
	frame = undefined;
	ready = undefined;
	for (const resolve of [...waiting.values()]) resolve(null);
}

function toImage({ svg, width, height }: { svg: string; width: number; height: number }): DrawnDiagram {
	return { address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width: Math.ceil(width), height: Math.ceil(height) };
}
