/** The time in them is the same for those made together. */
const SHORTEST = 13;

/** How each of these ids is written in a list: the shortest beginning that is its own there. */
export function shortIds(ids: readonly string[]): (id: string) => string {
	const distinct = [...new Set(ids)];
	let length = SHORTEST;
	while (new Set(distinct.map((id) => id.slice(0, length))).size < distinct.length) length += 1;
	return (id) => id.slice(0, length).replace(/-$/, '');
}
