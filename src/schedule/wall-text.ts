import type { LocalTime } from '../domain/schedule.ts';

/** A wall, milliseconds since 1970 by the clock on it, and how it is written. */

export function wallOf(local: LocalTime): number {
	return Date.parse(`${local}Z`);
}

/** `2026-12-03T09:00`, with seconds where there are any. */
export function localText(wall: number): LocalTime {
	const text = new Date(wall).toISOString();
	return text.slice(0, text.slice(17, 19) === '00' ? 16 : 19);
}

/** `+01:00` */
export function offsetText(offset: number): string {
	const seconds = Math.abs(offset) / 1000;
	const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), ...(seconds % 60 ? [seconds % 60] : [])];
	return (offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':');
}
