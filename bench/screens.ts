import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { closeBrowser } from '../test/e2e/support/browser.ts';
import { openMemory } from '../test/e2e/support/memory.ts';
import { inboxFigures } from './inbox-screen.ts';
import { frameProcessorMs, heldUp, turnWheel, watchMainThread } from './main-thread.ts';
import { median, quantile } from './numbers.ts';

/**
 * The memory screen with 10,000 entries, and the inbox with 500 findings, in a headless Chromium, each against a real runtime in a process of
 * its own. README.md beside this file says what each figure means. Everything is done once without being counted before it is measured.
 */
const ENTRIES = 10_000;
const ROUNDS = 3;
/** Pixels of one turn of the wheel. */
const NOTCH = 240;

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({
		args,
		options: {
			seconds: { type: 'string', default: '5' },
			keys: { type: 'string', default: '40' },
			meaning: { type: 'boolean', default: false },
		},
	});
	const load_before = loadavg()[0] ?? Number.NaN;
	console.error(`${ENTRIES} entries are written; the page opens`);
	const memory = await openMemory({ 'MEMORY.md': entries() });
	const { page, list } = memory;
	try {
		await memory.entry('Fact 0:').first().waitFor({ timeout: 60_000 });
		if (!values.meaning) {
			const { rpc, close } = await memory.rpc();
			await rpc.memory.chooseEmbedding({ kind: 'off' });
			close();
		}
		// The index is made in the background and would share the processor with what is measured.
		await page.getByText(values.meaning ? 'All entries can be found' : 'Found by words only').waitFor({ timeout: 900_000 });
		await list.hover();
		await scroll(page, 1, NOTCH);
		const cpu = await frameProcessorMs(memory.view.context, page, () => turnWheel(page, Number(values.seconds), NOTCH));
		const wheel = await scroll(page, Number(values.seconds), NOTCH);
		const fast = await scroll(page, Number(values.seconds), NOTCH * 20);
		console.error(
			`frames: by the wheel p95 ${wheel.p95.toFixed(1)}, longest ${wheel.max.toFixed(0)} ms; fast p95 ${fast.p95.toFixed(1)} ms`,
		);
		await typeKeys(page, 10);
		const rounds: number[] = [];
		for (let round = 0; round < ROUNDS; round++) rounds.push(await typeKeys(page, Number(values.keys)));
		console.error(`keys: p95 ${rounds.map(Math.round).join(', ')} ms`);
		const empty = await memory.view.context.newPage();
		await watchMainThread(empty);
		await empty.waitForTimeout(Number(values.seconds) * 1000);
		const nothing = await heldUp(empty);
		await empty.close();
		const inbox = await inboxFigures(Number(values.seconds), ROUNDS);
		const figures = {
			memory_10000_frame_p95_ms: wheel.p95,
			memory_10000_frame_cpu_ms: cpu,
			memory_10000_frame_max_ms: wheel.max,
			memory_10000_fast_frame_p95_ms: fast.p95,
			memory_10000_search_key_p95_ms: median(rounds),
			empty_page_frame_p95_ms: nothing.p95,
			memory_10000_rows: await page.getByRole('article').count(),
			...inbox,
			load_before,
			load_after: loadavg()[0] ?? Number.NaN,
		};
		return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 1000) / 1000]));
	} finally {
		await memory.close();
		await closeBrowser();
	}
}

/** Entries of one to three lines under a hundred headings. */
function entries(): string {
	const words = ['the boiler', 'a window seat', 'the spare key', 'bread on Fridays', 'the tax office', 'a green bicycle', 'two cats'];
	const lines: string[] = [];
	for (let index = 0; index < ENTRIES; index++) {
		if (index % 100 === 0) lines.push('', `## Part ${index / 100}`, '');
		const text = Array.from({ length: 1 + (index % 9) }, (_, word) => words[(index + word * 3) % words.length]).join(', then ');
		lines.push(`- Fact ${index}: ${text}.`);
	}
	return `# Everything\n${lines.join('\n')}\n`;
}

/** Several rounds of `turnWheel`: the median of their 95th percentiles, and the longest time of all. */
async function scroll(page: Page, seconds: number, pixels: number): Promise<{ p95: number; max: number }> {
	const rounds: { p95: number; max: number }[] = [];
	for (let round = 0; round < ROUNDS; round++) rounds.push(await turnWheel(page, seconds, pixels));
	return { p95: median(rounds.map(({ p95 }) => p95)), max: Math.max(...rounds.map(({ max }) => max)) };
}

/** From a key's event in the search field to the frame that shows it, while results come and go. */
async function typeKeys(page: Page, keys: number): Promise<number> {
	const field = page.getByRole('searchbox', { name: 'Search memory' });
	await field.click();
	await field.evaluate((input: HTMLInputElement) => {
		const times: number[] = [];
		Object.assign(window, { times });
		input.onkeydown = ({ timeStamp }) => {
			requestAnimationFrame(() => {
				// A task that was posted in a frame runs after that frame was painted.
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => times.push(performance.now() - timeStamp);
				port2.postMessage(null);
			});
		};
	});
	const text = 'the spare key and a green bicycle ';
	for (let key = 0; key < keys; key++) await page.keyboard.press(text[key % text.length] ?? 'a', { delay: 60 });
	const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
	await field.fill('');
	await page.waitForTimeout(500);
	return quantile(times, 0.95);
}
