export const AUDIT = '/audit';

export function recordPlace(seq: number): string {
	return `${AUDIT}/${seq}`;
}

/** The record that an address names; undefined for one that names none. */
export function parseSeq(given: string | undefined): number | undefined {
	return given !== undefined && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined;
}
