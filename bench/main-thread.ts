import type { BrowserContext, Page } from 'playwright-core';
import { quantile } from './numbers.ts';

/** Begins to note for how long the page's main thread answers nothing: timers of 0 ms that come late. */
export async function watchMainThread(page: Page): Promise<void> {
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
export async function heldUp(page: Page): Promise<{ max: number; p95: number }> {
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

/** Turns the wheel sixty times a second and says for how long the page's main thread was held up meanwhile. */
export async function turnWheel(page: Page, seconds: number, pixels: number): Promise<{ p95: number; max: number }> {
	await watchMainThread(page);
	const end = performance.now() + seconds * 1000;
	while (performance.now() < end) {
		await page.mouse.wheel(0, pixels);
		await page.waitForTimeout(1000 / 60);
	}
	return heldUp(page);
}

/** Processor time of the page's main thread for each frame that it laid out: what other work on the machine does not change. */
export async function frameProcessorMs(context: BrowserContext, page: Page, work: () => Promise<unknown>): Promise<number> {
	const session = await context.newCDPSession(page);
	await session.send('Performance.enable', { timeDomain: 'threadTicks' });
	const look = async (name: string): Promise<number> => {
		const { metrics } = await session.send('Performance.getMetrics');
		return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
	};
	const before = { seconds: await look('TaskDuration'), frames: await look('LayoutCount') };
	await work();
	const used = (await look('TaskDuration')) - before.seconds;
	const frames = (await look('LayoutCount')) - before.frames;
	await session.detach();
	return (used * 1000) / frames;
}
