import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';

/**
 * Kills the whole runtime with SIGKILL at random times while a reply streams, and starts it again on the same profile. The
 * scripted model server is a process of its own; what it had flushed to its socket is what could have been saved.
 *
 * `lost_ms_max`: the longest time, over all kills, from the flush of the first character that is not there after the restart
 * to the kill. `model_calls_repeated`: calls that the server got beyond one a message. `messages_lost`: messages sent and
 * replies begun that are missing, not marked as interrupted, or hold text that the server never sent.
 */

const Line = z.discriminatedUnion('what', [
	z.object({ what: z.literal('holds'), messages: z.array(z.object({ role: z.string(), status: z.string(), text: z.string() })) }),
	z.object({ what: z.literal('streams'), resumed: z.boolean() }),
]);
type Held = Extract<z.infer<typeof Line>, { what: 'holds' }>['messages'];

const ServerLog = z.object({
	requests: z.array(z.object({ n: z.number() })),
	flushes: z.array(z.object({ request: z.number(), at: z.number(), chars: z.number() })),
});
type ServerLog = z.infer<typeof ServerLog>;

const WORDS_A_SECOND = 60;
const REPLY = Array.from({ length: 1_000 }, (_, index) => `word${index} `).join('');
const ROOT = join(import.meta.dirname, '..');

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({ args, options: { kills: { type: 'string', default: '24' }, seed: { type: 'string' } } });
	const kills = Number(values.kills);
	const seed = Number(values.seed ?? Date.now() % 1_000_000);
	console.error(`seed ${seed}`);
	const random = generator(seed);
	const home = mkdtempSync(join(tmpdir(), 'hearth-kill-'));
	const server = await startServer();
	const result = { kills, lost_ms_max: 0, model_calls_repeated: 0, messages_lost: 0 };
	let last: { log: ServerLog; killedAt: number } | undefined;
	let sent = 0;
	const look = (held: Held) => {
		result.messages_lost += missing(held, sent);
		if (last) result.lost_ms_max = Math.max(result.lost_ms_max, Math.round(lostMs(last.log, held, last.killedAt)));
	};
	try {
		await life(home, server.openaiUrl, 'set-up');
		await post(`${server.url}/__script`, { fallback: { steps: [{ type: 'stream', text: REPLY, perSecond: WORDS_A_SECOND }] } });
		await post(`${server.url}/__reset`, {});
		for (let kill = 0; kill < kills; kill += 1) {
			const after = 150 + random() * 2_850;
			const { held, killedAt, resumed } = await life(home, server.openaiUrl, 'send', after);
			look(held);
			if (!resumed) sent += 1;
			const log = ServerLog.parse(await (await fetch(`${server.url}/__log`)).json());
			await post(`${server.url}/__reset`, {});
			result.model_calls_repeated += Math.max(0, log.requests.length - 1);
			last = { log, killedAt };
			console.error(`kill ${kill + 1} after ${Math.round(after)} ms of ${log.flushes.at(-1)?.chars ?? 0} characters`);
		}
		look((await life(home, server.openaiUrl, 'look')).held);
		return result;
	} finally {
		server.child.kill('SIGTERM');
		rmSync(home, { recursive: true, force: true });
	}
}

/** One life. With `killAfter` it ends so many milliseconds after its message was accepted. */
async function life(
	home: string,
	modelUrl: string,
	act: string,
	killAfter?: number,
): Promise<{ held: Held; killedAt: number; resumed: boolean }> {
	const child = start('bench/kill-stream-life.ts', home, modelUrl, act);
	let held: Held | undefined;
	let killedAt = 0;
	let resumed = false;
	for await (const text of createInterface({ input: child.stdout })) {
		const line = Line.parse(JSON.parse(text));
		if (line.what === 'holds') held = line.messages;
		else {
			resumed = line.resumed;
			setTimeout(() => {
				killedAt = performance.timeOrigin + performance.now();
				child.kill('SIGKILL');
			}, killAfter);
		}
	}
	if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
	if (!held) throw new Error(`a life ended before it said what it holds (code ${child.exitCode})`);
	return { held, killedAt, resumed };
}

/** After `sent` messages there are as many replies, cut off where they were, and nothing that was not said. */
function missing(held: Held, sent: number): number {
	let lost = Math.abs(2 * sent - held.length);
	held.forEach(({ role, status, text }, index) => {
		const good =
			index % 2 === 0
				? role === 'user' && text === `Message ${index / 2}`
				: (status === 'interrupted' || (status === 'streaming' && index === held.length - 1)) && REPLY.startsWith(text);
		if (!good) lost += 1;
	});
	return lost;
}

function lostMs(log: ServerLog, held: Held, killedAt: number): number {
	const kept = held.at(-1)?.text.length ?? 0;
	const first = log.flushes.find((flush) => flush.chars > kept && flush.at <= killedAt);
	return first ? killedAt - first.at : 0;
}

async function startServer(): Promise<{ url: string; openaiUrl: string; child: ChildProcess }> {
	const child = start('test/support/model-server/main.ts');
	for await (const line of createInterface({ input: child.stdout })) {
		const { url, openaiUrl } = z.object({ url: z.string(), openaiUrl: z.string() }).parse(JSON.parse(line));
		return { url, openaiUrl, child };
	}
	throw new Error('the model server did not start');
}

function start(script: string, ...args: string[]) {
	return spawn(process.execPath, ['--no-warnings', join(ROOT, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function post(url: string, body: object): Promise<void> {
	const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function generator(seed: number): () => number {
	let state = seed % 2_147_483_648;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}
