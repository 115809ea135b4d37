import { once } from 'node:events';
import { z } from 'zod';

/** A page of a browser, by its debugging protocol and without a driver: nothing is put into the page but the questions asked. */
export interface DebuggedPage {
	send(method: string, params: object): Promise<unknown>;
	/** Asks for an expression's value until it is truthy. */
	until(expression: string): Promise<unknown>;
	close(): void;
}

const Targets = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string().optional() }));
const Reply = z.object({ id: z.number().optional(), result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() });
const Evaluated = z.object({ result: z.object({ value: z.unknown().optional() }) });
const POLL_MS = 20;
const PATIENCE_MS = 30_000;

/** The first page of the browser that listens at `address` (its `DevTools listening on` line). */
export async function openDebugger(address: string): Promise<DebuggedPage> {
	const list = `http://${new URL(address).host}/json/list`;
	const target = await poll(async () => {
		const targets = Targets.parse(await (await fetch(list)).json());
		return targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl;
	}, 'a page');
	const socket = new WebSocket(target);
	await once(socket as never, 'open');
	let last = 0;
	const send = (method: string, params: object): Promise<unknown> =>
		new Promise((resolve, reject) => {
			const id = ++last;
			const listen = ({ data }: MessageEvent): void => {
				const reply = Reply.parse(JSON.parse(String(data)));
				if (reply.id !== id) return;
				socket.removeEventListener('message', listen);
				if (reply.error) reject(new Error(`${method}: ${reply.error.message}`));
				else resolve(reply.result);
			};
			socket.addEventListener('message', listen);
			socket.send(JSON.stringify({ id, method, params }));
		});
	return {
		send,
		until: (expression) =>
			poll(async () => {
				// Between two pages there is nothing that could be asked yet.
				const reply = await send('Runtime.evaluate', { expression, returnByValue: true }).catch(() => undefined);
				return Evaluated.safeParse(reply).data?.result.value;
			}, expression),
		close: () => socket.close(),
	};
}

async function poll<T>(look: () => Promise<T>, what: string): Promise<NonNullable<T>> {
	const end = performance.now() + PATIENCE_MS;
	for (;;) {
		const found = await look();
		if (found) return found;
		if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
		await new Promise((done) => {
			setTimeout(done, POLL_MS);
		});
	}
}
