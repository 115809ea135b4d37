import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import type { WriteDb } from '../src/db/brands.ts';
import { closeBrowser } from '../test/e2e/support/browser.ts';
import { type Chat, openChat } from '../test/e2e/support/chat.ts';
import { addMessage, addSession } from '../test/support/sessions.ts';
import { type AppFigures, appFigures } from './app-figures.ts';
import { heldUp, watchMainThread } from './main-thread.ts';
import { median, quantile } from './numbers.ts';
import { processorMs } from './process-figures.ts';
import { PROSE, STREAMS, type StreamKind } from './streams.ts';

/**
 * The chat screen in a headless Chromium against a real runtime in a process of its own and a scripted model server. README.md
 * beside this file says what each figure means. Everything is done once without being counted before it is measured.
 */
interface ScreenFigures extends Record<`stream_${StreamKind}_p95_ms`, number> {
	keystroke_p95_ms: number;
	open_5000_ms: number;
	open_5000_max_ms: number;
	paste_1mb_max_frame_ms: number;
	paste_1mb_worst_ms: number;
	stream_frame_p95_ms: number;
	stream_tokens_per_second: number;
	token_overhead_ms: number;
	empty_page_max_frame_ms: number;
	empty_page_frame_p95_ms: number;
	empty_page_keystroke_p95_ms: number;
}

const MESSAGES = 5_000;
const LONG_CHATS = ['Long zero', 'Long one', 'Long two', 'Long three', 'Long four', 'Long five'];
const KEY_ROUNDS = 3;
const PASTES = 5;
const TOKENS_A_SECOND = 200;

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({
		args,
		options: {
			keys: { type: 'string', default: '80' },
			seconds: { type: 'string', default: '4' },
			starts: { type: 'string', default: '6' },
			'no-app': { type: 'boolean', default: false },
		},
	});
	const load_before = loadavg()[0] ?? Number.NaN;
	const figures: ScreenFigures & Partial<AppFigures> = {
		...(await screenFigures(Number(values.keys), Number(values.seconds))),
		...(values['no-app'] ? {} : await appFigures(Number(values.starts))),
	};
	const all = { ...figures, load_before, load_after: loadavg()[0] ?? Number.NaN };
	return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, Math.round(value * 1000) / 1000]));
}

async function screenFigures(keys: number, seconds: number): Promise<ScreenFigures> {
	console.error(`${LONG_CHATS.length} chats of ${MESSAGES} messages are made; the page opens`);
	const chat = await openChat({ seed: seedLongChats, embedding: true });
	try {
		const opened = await openLongChats(chat);
		return {
			...opened,
			keystroke_p95_ms: await keystrokes(chat.page, keys),
			...(await pasteMegabytes(chat)),
			...(await streamReplies(chat, seconds)),
			...(await emptyPage(chat, keys, seconds)),
			token_overhead_ms: await tokenOverhead(chat),
		};
	} finally {
		await chat.close();
		await closeBrowser();
	}
}

function seedLongChats(tx: WriteDb): void {
	const now = Date.now();
	addMessage(tx, addSession(tx, 'Start', now), null, 'Start here');
	for (const name of LONG_CHATS) {
		const session = addSession(tx, name, now - 60_000);
		let parent = null;
		for (let index = 0; index < MESSAGES; index++) {
			const reply = index % 2 === 1;
			const text = reply ? `${PROSE.repeat(1 + (index % 4))}\n\n- one\n- two\n\nEnd of message ${index}.` : `Question ${index}?`;
			const more = reply ? ({ role: 'assistant', label: 'agent' } as const) : {};
			parent = addMessage(tx, session, parent, text, { ...more, createdAt: now - 60_000 - MESSAGES + index });
		}
	}
}

/** From the click in the list to the painted newest messages, for chats that were not opened before. The first is not counted. */
async function openLongChats(chat: Chat): Promise<Pick<ScreenFigures, 'open_5000_ms' | 'open_5000_max_ms'>> {
	const times: number[] = [];
	const open = (name: string) => chat.page.getByRole('navigation', { name: 'Chat list' }).getByRole('link', { name });
	for (const name of LONG_CHATS) {
		await open('Start').click();
		await chat.page.getByText('Start here').waitFor();
		await chat.page.waitForTimeout(500);
		await chat.page.evaluate(() => {
			const painted = new Promise<number>((resolve) => {
				window.addEventListener(
					'click',
					({ timeStamp }) => {
						const look = (): void => {
							const there = document.querySelector('.transcript')?.textContent?.includes('End of message 4999.');
							if (!there) requestAnimationFrame(look);
							else setTimeout(() => resolve(performance.now() - timeStamp), 0);
						};
						requestAnimationFrame(look);
					},
					{ once: true, capture: true },
				);
			});
			Object.assign(window, { painted });
		});
		await open(name).click();
		times.push(await chat.page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted));
	}
	times.shift();
	console.error(`opened in ${times.map(Math.round).join(', ')} ms`);
	return { open_5000_ms: median(times), open_5000_max_ms: Math.max(...times) };
}

/** In the long chat that was opened last: the median over rounds of each round's 95th percentile. */
async function keystrokes(page: Page, keys: number): Promise<number> {
	await page.waitForTimeout(500);
	await typeKeys(page, 20);
	const rounds: number[] = [];
	for (let round = 0; round < KEY_ROUNDS; round++) rounds.push(await typeKeys(page, keys));
	console.error(`keys: p95 ${rounds.map(Math.round).join(', ')} ms`);
	return median(rounds);
}

/** From a key's event to the frame that shows it. */
async function typeKeys(page: Page, keys: number): Promise<number> {
	await page.locator('#msg').click();
	await page.evaluate(() => {
		const times: number[] = [];
		Object.assign(window, { times });
		const field = document.getElementById('msg');
		if (!field) throw new Error('no field');
		field.onkeydown = ({ timeStamp }) => {
			requestAnimationFrame(() => {
				// A task that was posted in a frame runs after that frame was painted.
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => times.push(performance.now() - timeStamp);
				port2.postMessage(null);
			});
		};
	});
	for (let key = 0; key < keys; key++) await page.keyboard.press('abcdefgh '[key % 9] ?? 'a', { delay: 5 });
	const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
	await page.locator('#msg').fill('');
	return quantile(times, 0.95);
}

/** The longest frame of each paste; their median, and the worst. */
async function pasteMegabytes(chat: Chat): Promise<Pick<ScreenFigures, 'paste_1mb_max_frame_ms' | 'paste_1mb_worst_ms'>> {
	await chat.view.context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await chat.page.evaluate(() => navigator.clipboard.writeText('The quick brown fox jumps over it. '.repeat(30_000)));
	const longest: number[] = [];
	for (let paste = 0; paste <= PASTES; paste++) {
		await chat.field.focus();
		await watchMainThread(chat.page);
		await chat.page.keyboard.press('Control+V');
		const remove = chat.page.getByRole('button', { name: /^Remove pasted text/ });
		await remove.waitFor();
		await chat.page.waitForTimeout(500);
		longest.push((await heldUp(chat.page)).max);
		await remove.click();
	}
	longest.shift();
	console.error(`pastes: longest frames ${longest.map(Math.round).join(', ')} ms`);
	return { paste_1mb_max_frame_ms: median(longest), paste_1mb_worst_ms: Math.max(...longest) };
}

/** One reply of each kind in the long chat. The figure is what replies mostly look like; the single blocks stand beside it. */
async function streamReplies(chat: Chat, seconds: number) {
	const byKind: Partial<Record<`stream_${StreamKind}_p95_ms`, number>> = {};
	let flushed = 0;
	await streamReply(chat, STREAMS.mixed, 1);
	for (const [kind, text] of Object.entries(STREAMS) as [StreamKind, string][]) {
		const { p95, max, tokens } = await streamReply(chat, text, seconds);
		console.error(`stream of ${kind}: p95 ${p95.toFixed(1)} ms, longest ${max.toFixed(0)} ms`);
		byKind[`stream_${kind}_p95_ms`] = p95;
		flushed += tokens;
	}
	const kinds = byKind as Record<`stream_${StreamKind}_p95_ms`, number>;
	return {
		stream_frame_p95_ms: kinds.stream_mixed_p95_ms,
		...kinds,
		stream_tokens_per_second: flushed / seconds / Object.keys(STREAMS).length,
	};
}

/** The reply has run for a while before it is watched, so that what is measured is a long one. */
async function streamReply(chat: Chat, text: string, seconds: number): Promise<{ p95: number; max: number; tokens: number }> {
	chat.model.reply({ steps: [{ type: 'stream', text, perSecond: TOKENS_A_SECOND }] });
	await chat.say('Stream at 200 tokens a second');
	await chat.page.getByRole('button', { name: 'Stop' }).waitFor();
	await chat.page.waitForTimeout(seconds * 1000);
	const before = chat.model.log.flushes.length;
	await watchMainThread(chat.page);
	await chat.page.waitForTimeout(seconds * 1000);
	const held = await heldUp(chat.page);
	const tokens = chat.model.log.flushes.length - before;
	await chat.page.keyboard.press('Escape');
	await chat.reply.getByText(/You stopped this reply/).waitFor();
	return { ...held, tokens };
}

/** Long enough that the clock's tick of 10 ms does not count. */
async function tokenOverhead(chat: Chat): Promise<number> {
	const tokens = 4_000;
	const text = Array.from({ length: tokens }, (_, index) => `token${index} `).join('');
	await chat.page.goto('about:blank');
	chat.model.reply({ steps: [{ type: 'stream', text, perSecond: 1_000 }] });
	const { rpc, close } = await chat.rpc();
	const session = await rpc.sessions.create({ title: 'Tokens' });
	const before = processorMs(chat.hearth.pid);
	await rpc.chat.send({ sessionId: session.id, requestId: crypto.randomUUID(), text: 'Go', attachmentIds: [] });
	for (;;) {
		const { messages } = await rpc.sessions.messages({ sessionId: session.id, limit: 1 });
		if (messages[0]?.status === 'complete') break;
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
	const used = processorMs(chat.hearth.pid) - before;
	close();
	return used / tokens;
}

/** The same watching and typing on a page that holds nothing but a field. */
async function emptyPage(
	chat: Chat,
	keys: number,
	seconds: number,
): Promise<Pick<ScreenFigures, 'empty_page_max_frame_ms' | 'empty_page_frame_p95_ms' | 'empty_page_keystroke_p95_ms'>> {
	const page = await chat.view.context.newPage();
	await watchMainThread(page);
	await page.waitForTimeout(seconds * 1000);
	const { max, p95 } = await heldUp(page);
	await page.setContent('<textarea id="msg"></textarea>');
	const empty_page_keystroke_p95_ms = await keystrokes(page, keys);
	await page.close();
	return { empty_page_max_frame_ms: max, empty_page_frame_p95_ms: p95, empty_page_keystroke_p95_ms };
}
