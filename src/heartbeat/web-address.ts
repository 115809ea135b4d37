const LONGEST = 2_000;

/** An address of the web as others wrote it, whole; undefined where it is none, or senselessly long. */
export function webAddress(written: string | undefined, base?: string): string | undefined {
	const text = written?.trim();
	if (!text || !URL.canParse(text, base)) return undefined;
	const url = new URL(text, base);
	return /^https?:$/.test(url.protocol) && url.href.length <= LONGEST ? url.href : undefined;
}
