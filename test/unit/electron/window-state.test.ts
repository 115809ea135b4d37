import { expect, test } from 'vitest';
import { fitToDisplays } from '../../../electron/main/window-state.ts';

const laptop = { x: 0, y: 0, width: 1440, height: 860 };
const screen = { x: 1440, y: 0, width: 2560, height: 1400 };

test('a window comes back where it was', () => {
	const bounds = { x: 1600, y: 100, width: 1300, height: 900 };
	expect(fitToDisplays(bounds, [laptop, screen])).toEqual(bounds);
});

test('where its display is gone it comes up in the middle of the first, no larger than that', () => {
	const fitted = fitToDisplays({ x: 1600, y: 100, width: 2200, height: 1200 }, [laptop]);
	expect(fitted).toEqual({ x: 0, y: 0, width: 1440, height: 860 });
});

test('a title bar that can’t be reached counts as gone', () => {
	expect(fitToDisplays({ x: 100, y: -500, width: 800, height: 700 }, [laptop])).toEqual({ x: 320, y: 80, width: 800, height: 700 });
	expect(fitToDisplays({ x: 1400, y: 10, width: 800, height: 700 }, [laptop]).x).toBe(320);
});

test('the first start takes the usual size, and a display smaller than the least size is filled', () => {
	expect(fitToDisplays(undefined, [laptop])).toEqual({ x: 120, y: 30, width: 1200, height: 800 });
	expect(fitToDisplays(undefined, [{ x: 0, y: 0, width: 320, height: 400 }])).toEqual({ x: 0, y: 0, width: 320, height: 400 });
	expect(fitToDisplays(undefined, [])).toEqual({ x: 0, y: 0, width: 1200, height: 800 });
});
