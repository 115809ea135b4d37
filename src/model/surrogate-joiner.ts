import { repairSurrogates } from '../domain/text.ts';

/** Puts emoji together that a server cut in two between deltas, so that no half of one is ever shown or stored (chat-4). */
export function createSurrogateJoiner(): { push(delta: string): string; end(): string } {
	let held = '';
	return {
		push: (delta) => {
			const text = held + delta;
			held = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
			return repairSurrogates(held === '' ? text : text.slice(0, -1));
		},
		end: () => {
			const rest = repairSurrogates(held);
			held = '';
			return rest;
		},
	};
}
