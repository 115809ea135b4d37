import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import type { WriteDb } from '../src/db/brands.ts';
import { closeBrowser } from '../test/e2e/support/browser.ts';
import { type Chat, openChat } from '../test/e2e/support/chat.ts';
import { addMessage, addSession } from '../test/support/sessions.ts';
import { type AppFigures, appFigures } from './app-figures.ts';
import { processorMs } from './process-figures.ts';

/**
 * The chat screen in a headless Chromium against a real runtime in a process of its own and a scripted model server.
 *
 * `keystroke_p95_ms`: from a key's event to the frame that shows it, in a chat of 5,000 messages. `open_5000_ms`: from the
 * click in the list to the painted newest messages, the slowest of three such chats that were not opened before.
 * `paste_1mb_max_frame_ms`, `stream_frame_p95_ms`: there is no GPU here, so these are the times for which the page's main
 * thread was held up; for `stream`, the longest within each sixtieth of a second. The same figures of an empty page in the
 * same run stand beside them. `token_overhead_ms`: processor time of the runtime process per streamed token (Linux only).
 * Not measured: the compositor's and the screen's own share, other browsers, real models.
 */
interface ScreenFigures {
	keystroke_p95_ms: number;
	open_5000_ms: number;
	paste_1mb_max_frame_ms: number;
	stream_frame_p95_ms: number;
	token_overhead_ms: number;
	empty_page_max_frame_ms: number;
	empty_page_frame_p95_ms: number;
	empty_page_keystroke_p95_ms: number;
	stream_tokens_per_second: number;
}

const MESSAGES = 5_000;
const STREAM_SECONDS = 8;

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({
		args,
		options: {
			keys: { type: 'string', default: '80' },
			starts: { type: 'string', default: '5' },
			'no-app': { type: 'boolean', default: false },
		},
	});
	const figures: ScreenFigures & Partial<AppFigures> = {
		...(await screenFigures(Number(values.keys))),
		...(values['no-app'] ? {} : await appFigures(Number(values.starts))),
	};
	return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 1000) / 1000]));
}

async function screenFigures(keys: number): Promise<ScreenFigures> {
	const chat = await openChat({ seed: seedLongChats });
	try {
		return {
			open_5000_ms: await openLongChats(chat),
			keystroke_p95_ms: await typeKeys(chat.page, keys),
			paste_1mb_max_frame_ms: await pasteMegabyte(chat),
			...(await streamReply(chat)),
			token_overhead_ms: await tokenOverhead(chat),
			...(await emptyPage(chat, keys)),
		};
	} finally {
		await chat.close();
		await closeBrowser();
	}
}

const PROSE = 'Some **bold** words, `code`, and a sentence that goes on for a while so that lines wrap as they do in real chats. ';

function seedLongChats(tx: WriteDb): void {
	const now = Date.now();
	addMessage(tx, addSession(tx, 'Start', now), null, 'Start here');
	for (const name of ['Long one', 'Long two', 'Long three']) {
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

async function openLongChats(chat: Chat): Promise<number> {
	const times: number[] = [];
	const open = (name: string) => chat.page.getByRole('navigation', { name: 'Chat list' }).getByRole('link', { name });
	for (const name of ['Long one', 'Long two', 'Long three']) {
		await open('Start').click();
		await chat.page.getByText('Start here').waitFor();
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
	return Math.max(...times);
}

async function typeKeys(page: Page, keys: number): Promise<number> {
	await page.locator('#msg').click();
	await page.evaluate(() => {
		const times: number[] = [];
		Object.assign(window, { times });
		document.getElementById('msg')?.addEventListener('keydown', ({ timeStamp }) => {
			requestAnimationFrame(() => {
				// A task that was posted in a frame runs after that frame was painted.
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => times.push(performance.now() - timeStamp);
				port2.postMessage(null);
			});
		});
	});
	for (let key = 0; key < keys; key++) await page.keyboard.press('abcdefgh '[key % 9] ?? 'a', { delay: 5 });
	const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
	await page.locator('#msg').fill('');
	return quantile(times, 0.95);
}

async function pasteMegabyte(chat: Chat): Promise<number> {
	await chat.view.context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await chat.page.evaluate(() => navigator.clipboard.writeText('The quick brown fox jumps over it. '.repeat(30_000)));
	await chat.field.focus();
	await watchMainThread(chat.page);
	await chat.page.keyboard.press('Control+V');
	await chat.page.getByRole('button', { name: /^Remove pasted text/ }).waitFor();
	await chat.page.waitForTimeout(500);
	const { max } = await heldUp(chat.page);
	await chat.page.getByRole('button', { name: /^Remove pasted text/ }).click();
	return max;
}

async function streamReply(chat: Chat): Promise<Pick<ScreenFigures, 'stream_frame_p95_ms' | 'stream_tokens_per_second'>> {
	const paragraph = `${PROSE}\n\n\`\`\`ts\nexport const value: number = 42;\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`;
	const text = paragraph.repeat(60);
	chat.model.reply({ steps: [{ type: 'stream', text, perSecond: 200 }] });
	await chat.say('Stream at 200 tokens a second');
	await chat.reply.locator('.prose').waitFor();
	const before = chat.model.log.flushes.length;
	await watchMainThread(chat.page);
	await chat.page.waitForTimeout(STREAM_SECONDS * 1000);
	const { p95 } = await heldUp(chat.page);
	const tokens = chat.model.log.flushes.length - before;
	await chat.page.keyboard.press('Escape');
	await chat.reply.getByText(/You stopped this reply/).waitFor();
	return { stream_frame_p95_ms: p95, stream_tokens_per_second: tokens / STREAM_SECONDS };
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

async function emptyPage(
	chat: Chat,
	keys: number,
): Promise<Pick<ScreenFigures, 'empty_page_max_frame_ms' | 'empty_page_frame_p95_ms' | 'empty_page_keystroke_p95_ms'>> {
	const page = await chat.view.context.newPage();
	await watchMainThread(page);
	await page.waitForTimeout(STREAM_SECONDS * 1000);
	const { max, p95 } = await heldUp(page);
	await page.setContent('<textarea id="msg"></textarea>');
	return { empty_page_max_frame_ms: max, empty_page_frame_p95_ms: p95, empty_page_keystroke_p95_ms: await typeKeys(page, keys) };
}

/** Begins to note for how long the page's main thread answers nothing: timers of 0 ms that come late. */
async function watchMainThread(page: Page): Promise<void> {
	await page.evaluate(() => {
		const gaps: { at: number; ms: number }[] = [];
		let last = performance.now();
		const next = (): void => {
			const now = performance.now();
			gaps.push({ at: now, ms: now - last });
			last = now;
			timer = setTimeout(next, 0);
		};
		let timer = setTimeout(next, 0);
		const stopWatching = () => {
			clearTimeout(timer);
			return gaps;
		};
		Object.assign(window, { stopWatching });
	});
}

/** The longest time, and the 95th percentile over sixtieths of a second, each with the longest time that reached into it. */
async function heldUp(page: Page): Promise<{ max: number; p95: number }> {
	const gaps = await page.evaluate(() => (window as unknown as { stopWatching(): { at: number; ms: number }[] }).stopWatching());
	// Nested timers wait 4 ms by themselves.
	const held = gaps.map(({ at, ms }) => ({ from: at - ms, to: at, ms: Math.max(0, ms - 4) }));
	const frame = 1000 / 60;
	const frames: number[] = [];
	const start = held[0]?.from ?? 0;
	for (const { from, to, ms } of held) {
		for (let index = Math.floor((from - start) / frame); index <= Math.floor((to - start) / frame); index++) {
			frames[index] = Math.max(frames[index] ?? 0, ms);
		}
	}
	return { max: Math.max(...held.map(({ ms }) => ms)), p95: quantile(frames, 0.95) };
}

function quantile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
