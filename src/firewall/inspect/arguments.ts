import type { Inspection } from '../../domain/inspection.ts';
import type { Json } from '../../domain/json.ts';
import type { Finding } from './finding.ts';
import { findingsOf, weighed } from './inspect.ts';

/**
 * What the detectors say of a call's arguments on their way to a sink: of each text, name and number by itself, since what stands side by side
 * in the JSON is no sentence. Spans are UTF-16 offsets of `JSON.stringify(args)`. `commands`: texts that are for a shell. Pure; never throws.
 */
export function inspectArguments(args: Json, commands: readonly string[] = []): Inspection {
	const findings = textsOf(args).flatMap(({ text, at, isQuoted }) => {
		const found = findingsOf(text, { direction: 'out', command: commands.includes(text.trim()) });
		return moved(found, isQuoted ? text : '', at);
	});
	return weighed(findings);
}

interface Placed {
	readonly text: string;
	/** Where its first sign stands in the JSON. */
	readonly at: number;
	/** A string, in which the JSON may escape signs. */
	readonly isQuoted: boolean;
}

function textsOf(args: Json): Placed[] {
	const found: Placed[] = [];
	let place = 0;
	const quoted = (text: string): void => {
		found.push({ text, at: place + 1, isQuoted: true });
		place += JSON.stringify(text).length;
	};
	/** With the brackets, and what stands between two of them. */
	const each = <Item>(of: readonly Item[], one: (item: Item) => void): void => {
		place += 1;
		for (const item of of) {
			one(item);
			place += 1;
		}
		if (of.length === 0) place += 1;
	};
	const walk = (value: Json): void => {
		if (typeof value === 'string') quoted(value);
		else if (Array.isArray(value)) each(value, walk);
		else if (typeof value === 'object' && value !== null)
			each(Object.entries(value), ([name, one]) => {
				quoted(name);
				place += 1;
				walk(one);
			});
		else {
			const text = JSON.stringify(value);
			if (typeof value === 'number') found.push({ text, at: place, isQuoted: false });
			place += text.length;
		}
	};
	walk(args);
	return found;
}

/** To their places in the JSON, where what is escaped in `quoted` takes more of them. */
function moved(findings: readonly Finding[], quoted: string, at: number): Finding[] {
	if (findings.length === 0) return [];
	const isPlain = quoted === '' || JSON.stringify(quoted).length === quoted.length + 2;
	const places = isPlain ? undefined : placesIn(quoted, new Set(findings.flatMap(({ start, end }) => [start, end])));
	const placeOf = (unit: number): number => at + (places?.get(unit) ?? unit);
	return findings.map((finding) => ({ ...finding, start: placeOf(finding.start), end: placeOf(finding.end) }));
}

/** In one pass over the text, however many there are. */
function placesIn(text: string, units: ReadonlySet<number>): Map<number, number> {
	const places = new Map<number, number>();
	let from = 0;
	let place = 0;
	for (const unit of [...units].sort((a, b) => a - b)) {
		// Half of a pair would be written as an escape.
		const to = (text.codePointAt(unit - 1) ?? 0) > 0xffff ? unit - 1 : unit;
		place += JSON.stringify(text.slice(from, to)).length - 2;
		from = to;
		places.set(unit, place);
	}
	return places;
}
