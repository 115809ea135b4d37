import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { type Fault, pieces, type Reply, type Step } from './script.ts';
import { type FinishReason, HTML, type Wire } from './wire.ts';

type Flushed = (text: string, chars: number) => void;

/** Plays a reply onto a response. Ends early where the caller went away. */
export async function play(
	wire: Wire,
	reply: z.output<typeof Reply>,
	response: ServerResponse,
	key: string | undefined,
	flushed: Flushed,
	held: () => Promise<void>,
): Promise<void> {
	if (reply.delayMs) await sleep(reply.delayMs);
	if (reply.fault) {
		sendFault(wire, reply.fault, response, key);
		return;
	}
	response.writeHead(200, { 'content-type': wire.contentType, 'cache-control': 'no-cache' });
	// A destroyed socket never calls a write back.
	const closed = new Promise<void>((resolve) => response.once('close', resolve));
	let chars = 0;
	const write = async (data: string, text = '') => {
		if (data === '' || response.destroyed) return;
		const written = new Promise<void>((resolve) => {
			response.write(data, (error) => {
				if (!error && text !== '') {
					chars += text.length;
					flushed(text, chars);
				}
				resolve();
			});
		});
		await Promise.race([written, closed]);
	};
	response.flushHeaders();
	await write(wire.open());
	let called = false;
	for (const step of reply.steps) {
		if (response.destroyed) return;
		if (step.type === 'tool_call') called = true;
		if (step.type === 'cut') return void response.destroy();
		if (step.type === 'end_early') return void response.end();
		if (step.type === 'held') await Promise.race([held(), closed]);
		else await playStep(wire, step, write);
	}
	const usage = reply.usage === undefined ? { inputTokens: 7, outputTokens: 5 } : reply.usage;
	const reason: FinishReason = reply.finish ?? (called ? 'tool_calls' : 'stop');
	// `stream_error` ends a reply in every provider: nothing follows it.
	if (!reply.steps.some((step) => step.type === 'stream_error')) await write(wire.finish(reason, usage));
	await Promise.race([new Promise<void>((resolve) => response.end(resolve)), closed]);
}

let callNumber = 0;

async function playStep(
	wire: Wire,
	step: Exclude<Step, { type: 'held' }>,
	write: (data: string, text?: string) => Promise<void>,
): Promise<void> {
	switch (step.type) {
		case 'text':
			if (step.delayMs) await sleep(step.delayMs);
			return write(wire.text(step.text), step.text);
		case 'reasoning':
			if (step.delayMs) await sleep(step.delayMs);
			return write(wire.reasoning(step.text));
		case 'stream': {
			const start = performance.now();
			let sent = 0;
			for (const piece of pieces(step.text, step.size)) {
				const due = start + (++sent * 1000) / step.perSecond;
				const wait = due - performance.now();
				if (wait > 0) await sleep(wait);
				await write(wire.text(piece), piece);
			}
			return;
		}
		case 'tool_call': {
			if (step.delayMs) await sleep(step.delayMs);
			const call = { callId: step.callId ?? `call_${++callNumber}`, tool: step.tool, args: step.args, pieces: step.pieces ?? 1 };
			for (const part of wire.toolCall(call)) await write(part);
			return;
		}
		case 'silence':
			await sleep(step.ms, undefined, { ref: false });
			return;
		case 'ping':
			return write(wire.ping());
		case 'raw':
			return write(step.data);
		case 'stream_error':
			return write(wire.streamError(step.message, step.code));
		case 'cut':
		case 'end_early':
			return;
	}
}

/** Answers with a fault, in the provider's wording where it has one. */
export function sendFault(wire: Wire, fault: Fault, response: ServerResponse, key: string | undefined): ServerResponse {
	const refusal = wire.refuse(fault);
	if (refusal) return sendJson(response, refusal.status, refusal.body, refusal.headers, key);
	switch (fault.type) {
		case 'html':
			response.writeHead(fault.status, { 'content-type': 'text/html; charset=utf-8' });
			return response.end(HTML);
		case 'error_with_200':
			return sendJson(response, 200, wire.errorBody());
		case 'empty':
			response.writeHead(200, { 'content-type': wire.contentType });
			return response.end();
		case 'hang':
			return response;
		case 'reset':
			return response.destroy();
		case 'redirect':
			response.writeHead(fault.status, { location: fault.location });
			return response.end();
		case 'flood':
			return flood(response, wire.contentType);
		case 'raw':
			response.writeHead(fault.status, fault.headers);
			return response.end(fault.body.replaceAll('$KEY', key ?? ''));
		default:
			return sendJson(response, 500, { error: `the ${wire.api} wire has no ${fault.type}` });
	}
}

function flood(response: ServerResponse, contentType: string): ServerResponse {
	response.writeHead(200, { 'content-type': contentType });
	const block = 'x'.repeat(65_536);
	const pump = () => {
		while (!response.destroyed && response.write(block));
		if (!response.destroyed) response.once('drain', pump);
	};
	pump();
	return response;
}

export function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
	key?: string,
): ServerResponse {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	return response.end(JSON.stringify(body).replaceAll('$KEY', key ?? ''));
}
