import type { Locator, Page } from 'playwright-core';
import { openMemory } from '../test/e2e/support/memory.ts';
import { type SeededFinding, seedLooks } from '../test/support/seeded-looks.ts';
import { frameProcessorMs, heldUp, turnWheel, watchMainThread } from './main-thread.ts';
import { median } from './numbers.ts';

/** What waits, in looks of ten over the last weeks. */
const FINDINGS = 500;
const A_LOOK = 10;
const SOURCES = 20;
/** Keys a second of one that is held down, and pixels of one turn of the wheel. */
const REPEATS = 30;
const NOTCH = 240;
/** Findings that an owner decides on by keyboard, one after another. */
const REVIEWED = 50;

/** The second tab of the inbox with 500 findings: moving through with J held down, and scrolling. */
export async function inboxFigures(seconds: number, rounds: number): Promise<Record<string, number>> {
	const screen = await openMemory({ 'MEMORY.md': '# Home\n\n- Prefers tea.\n' }, { at: '/inbox', before: seed });
	const { page } = screen;
	const list = page.getByRole('region', { name: 'Inbox list' });
	try {
		await list.getByRole('link').first().waitFor({ timeout: 60_000 });
		const moved: Held[] = [];
		const scrolled: Held[] = [];
		// Once without being counted.
		for (let round = 0; round <= rounds; round++) {
			await list.getByRole('link').first().focus();
			await page.keyboard.press('Home');
			moved.push(await holdKey(page, seconds));
			await list.hover();
			scrolled.push(await turnWheel(page, seconds, NOTCH));
		}
		const { context } = screen.view;
		const wheelCpu = await frameProcessorMs(context, page, () => turnWheel(page, seconds, -NOTCH));
		await list.getByRole('link').first().focus();
		const keyCpu = await frameProcessorMs(context, page, () => holdKey(page, seconds));
		const keys = of(moved.slice(1));
		const wheel = of(scrolled.slice(1));
		const rows = await list.getByRole('listitem').count();
		const reviewed = await reviewOneByOne(page, list);
		console.error(
			`inbox: J p95 ${keys.p95.toFixed(1)}, longest ${keys.max.toFixed(0)} ms; wheel p95 ${wheel.p95.toFixed(1)}, longest ${wheel.max.toFixed(0)} ms; ${rows} rows in the page`,
		);
		return {
			inbox_500_frame_p95_ms: Math.max(keys.p95, wheel.p95),
			inbox_500_key_frame_p95_ms: keys.p95,
			inbox_500_scroll_frame_p95_ms: wheel.p95,
			inbox_500_key_frame_cpu_ms: keyCpu,
			inbox_500_scroll_frame_cpu_ms: wheelCpu,
			inbox_500_frame_max_ms: Math.max(keys.max, wheel.max),
			inbox_500_rows: rows,
			inbox_50_reviewed_s: reviewed,
		};
	} finally {
		await screen.close();
	}
}

interface Held {
	readonly p95: number;
	readonly max: number;
}

function of(rounds: readonly Held[]): Held {
	return { p95: median(rounds.map(({ p95 }) => p95)), max: Math.max(...rounds.map(({ max }) => max)) };
}

/** Moves through the list as a key does that is held down, and says for how long the page's main thread was held up meanwhile. */
async function holdKey(page: Page, seconds: number): Promise<Held> {
	await watchMainThread(page);
	const end = performance.now() + seconds * 1000;
	while (performance.now() < end) {
		await page.keyboard.down('j');
		await page.waitForTimeout(1000 / REPEATS);
	}
	await page.keyboard.up('j');
	const held = await heldUp(page);
	const place = Number.parseInt((await page.getByText(/^\d+ of 500$/).textContent()) ?? '', 10);
	// A list that did not move held nothing up either.
	if (!(place > seconds * 5)) throw new Error(`J moved no further than row ${place}`);
	return held;
}

/** Seconds for fifty findings, each approved by key once it is on the screen whole. */
async function reviewOneByOne(page: Page, list: Locator): Promise<number> {
	await list.getByRole('link').first().focus();
	await page.keyboard.press('Home');
	const shown = page.getByLabel('What is chosen', { exact: true });
	// What is open beside the list follows.
	await page.waitForTimeout(1_000);
	const began = performance.now();
	let before = '';
	for (let reviewed = 0; reviewed < REVIEWED; reviewed++) {
		let now = before;
		for (const end = performance.now() + 20_000; now === before; await page.waitForTimeout(10)) {
			if (performance.now() > end) throw new Error(`after ${reviewed} findings no other one is shown`);
			now = /Finding \d+:/.exec((await shown.textContent()) ?? '')?.[0] ?? before;
		}
		before = now;
		await page.keyboard.press('a');
	}
	const seconds = (performance.now() - began) / 1000;
	await page.getByText(new RegExp(`^\\d+ of ${FINDINGS - REVIEWED}$`)).waitFor({ timeout: 20_000 });
	return seconds;
}

function seed(profileFolder: string): void {
	const places = Object.fromEntries(
		Array.from({ length: SOURCES }, (_, index) => [
			`Source ${index}`,
			{ kind: 'feed' as const, url: `https://source-${index}.example.org/feed.xml`, secretAddress: false },
		]),
	);
	const now = Date.now();
	const looks = Array.from({ length: FINDINGS / A_LOOK }, (_, look) => ({
		at: now - (FINDINGS / A_LOOK - look) * 12 * 3_600_000,
		findings: Array.from({ length: A_LOOK }, (_each, index) => finding(look * A_LOOK + index)),
	}));
	seedLooks(profileFolder, places, looks);
}

const WORDS = ['the boiler', 'a window seat', 'the spare key', 'bread on Fridays', 'the tax office', 'a green bicycle', 'two cats'];

function finding(index: number): SeededFinding {
	const words = Array.from({ length: 4 + (index % 9) }, (_, word) => WORDS[(index + word * 3) % WORDS.length]).join(', then ');
	const text = `Finding ${index}: ${words}.`;
	return {
		source: `Source ${index % SOURCES}`,
		kind: index % 3 === 0 ? 'notice' : index % 7 === 0 ? 'task' : 'memory',
		text,
		heading: `Part ${index % 12}`,
		urgency: index % 11 === 0 ? 'high' : 'normal',
		dueAt: Date.now() + 7 * 86_400_000,
		flagged: index % 5 === 0 ? 1 : 0,
		item: { title: `Post ${index}`, text: `${text} ${'It goes on for a while. '.repeat(20)}` },
		quotes: [text],
	};
}
