/** Times as this machine's clock and calendar show them. */

/** `2026-11-30` */
export function localDay(at: number): string {
	const date = new Date(at);
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `2026-11-30 09:05` */
export function localMinute(at: number): string {
	const date = new Date(at);
	return `${localDay(at)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(part: number): string {
	return String(part).padStart(2, '0');
}
