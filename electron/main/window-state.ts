import { z } from 'zod';

const Bounds = z.object({
	x: z.number().int(),
	y: z.number().int(),
	width: z.number().int().positive(),
	height: z.number().int().positive(),
});
export type Bounds = z.infer<typeof Bounds>;

export const WindowState = z.object({ bounds: Bounds, maximised: z.boolean() });
export type WindowState = z.infer<typeof WindowState>;

export const SMALLEST = { width: 420, height: 480 };
const USUAL = { width: 1200, height: 800 };
/** This much of the title bar must be on some display, so that the window can be grabbed. */
const VISIBLE = { width: 120, height: 40 };

/**
 * Bounds that can be seen and grabbed. Where the display they were on is gone, the window comes up in the middle of the
 * first one, no larger than it. Pure.
 */
export function fitToDisplays(wanted: Bounds | undefined, displays: readonly Bounds[]): Bounds {
	const first = displays[0] ?? { x: 0, y: 0, ...USUAL };
	const bounds = wanted ?? { ...USUAL, x: Number.NaN, y: Number.NaN };
	const home = displays.find((area) => showsTitleBar(bounds, area));
	const area = home ?? first;
	const width = Math.max(Math.min(bounds.width, area.width), Math.min(SMALLEST.width, area.width));
	const height = Math.max(Math.min(bounds.height, area.height), Math.min(SMALLEST.height, area.height));
	if (home) return { x: bounds.x, y: bounds.y, width, height };
	return { x: Math.round(area.x + (area.width - width) / 2), y: Math.round(area.y + (area.height - height) / 2), width, height };
}

function showsTitleBar(bounds: Bounds, area: Bounds): boolean {
	const across = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
	return across >= VISIBLE.width && bounds.y >= area.y && bounds.y + VISIBLE.height <= area.y + area.height;
}
