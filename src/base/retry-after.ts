/** `Retry-After` (seconds or a date) or `retry-after-ms` as milliseconds from now; undefined where absent or senseless. */
export function retryAfterMs(headers: Pick<Headers, 'get'>, now: number): number | undefined {
	const exact = positive(headers.get('retry-after-ms'));
	if (exact !== undefined) return exact;
	const value = headers.get('retry-after')?.trim();
	if (!value) return undefined;
	const seconds = positive(value);
	if (seconds !== undefined) return Math.round(seconds * 1000);
	const date = Date.parse(value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function positive(text: string | null | undefined): number | undefined {
	if (text === null || text === undefined || !/^\d+(\.\d+)?$/.test(text.trim())) return undefined;
	return Number(text);
}
