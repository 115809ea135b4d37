/** Addresses that stand in a text, as URLs are written. Pure, in linear time. */

const WITH_SCHEME = /\bhttps?:\/\/[^\s<>"'`]+/giu;
/** `example.com/path`: what people type. Both schemes are meant. */
const WITHOUT_SCHEME = /(?<![\p{L}\p{N}@/._-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.)+\p{L}{2,24}(?::\d{1,5})?(?:\/[^\s<>"'`]*)?/giu;
/** Endings of files that are also ends of host names: `notes.md` alone is a file. */
const FILE = /^[^/:]+\.(?:md|sh|py|rs|pl|ps|cc|so|zip|mov|bz|gz|tf|vi)$/i;
/** What ends a sentence or a bracket around an address, and not the address. */
const TRAILING = /[.,;:!?)\]}*_]+$/u;
const MOST_TEXT = 100_000;

export function addressesIn(text: string): ReadonlySet<string> {
	const found = new Set<string>();
	const head = text.slice(0, MOST_TEXT);
	for (const [address] of head.matchAll(WITH_SCHEME)) add(found, address);
	for (const [address] of head.matchAll(WITHOUT_SCHEME))
		if (!FILE.test(address)) for (const scheme of ['https', 'http']) add(found, `${scheme}://${address}`);
	return found;
}

/** As it stands, and without what may belong to the sentence: which of the two was meant can't be told. */
function add(found: Set<string>, address: string): void {
	for (const form of [address, address.replace(TRAILING, '')]) if (URL.canParse(form)) found.add(new URL(form).href);
}
