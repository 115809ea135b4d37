import { type ContextSource, joinSources } from '../../domain/context-source.ts';
import { joinLabels, type Label } from '../../domain/label.ts';

/** A label, and what it comes from. */
export interface Seen {
	readonly label: Label;
	readonly sources: readonly ContextSource[];
}

/** A program that writes in the workspace, while it does. */
export interface Meeting {
	/** What it has seen turned out to be this. */
	saw(seen: Seen): void;
	/** With what those have seen that wrote there meanwhile. */
	all(): Seen;
	end(): void;
}

interface Program {
	seen: Seen;
	readonly met: Set<Program>;
}

/** Programs that write in the workspace at the same time: nobody can tell which of them wrote what, nor which read what another wrote. */
export class Meetings {
	readonly #underWay = new Set<Program>();

	begin(seen: Seen): Meeting {
		const own: Program = { seen, met: new Set(this.#underWay) };
		for (const other of this.#underWay) other.met.add(own);
		this.#underWay.add(own);
		return {
			saw: (now) => {
				own.seen = now;
			},
			all: () => joined(allMet(own).map((one) => one.seen)),
			end: () => void this.#underWay.delete(own),
		};
	}
}

export function joined(all: readonly Seen[]): Seen {
	return { label: joinLabels(...all.map(({ label }) => label)), sources: joinSources(...all.map(({ sources }) => sources)) };
}

/** With itself. One may have read what another wrote that had read what a third one wrote. */
function allMet(own: Program): Program[] {
	const all = new Set([own]);
	for (const one of all) for (const other of one.met) all.add(other);
	return [...all];
}
