import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import { terminal } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import { Json } from '../domain/json.ts';
import type { ToolState } from '../tools/port.ts';
import { readToolState, readToolStates, writeToolState } from './tool-state-store.ts';

const LONGEST_KEY = 200;
/** UTF-16 units of a value as JSON. */
const LARGEST_VALUE = 65_536;

/** The notes of a tool during one call. `write` puts what was set into the transaction of the call's outcome, event number `seq`. */
export interface OpenToolState {
	readonly state: ToolState;
	write(tx: WriteDb, seq: number): void;
}

/** `seqNow`: number of the run's newest event, under which `save` writes. `clean`: takes secrets out of a value as JSON (S3). */
export function openToolState(
	db: StateDb,
	runId: RunId,
	tool: string,
	{ seqNow, clean }: { seqNow: () => number; clean: (json: string) => string },
): OpenToolState {
	/** As JSON; undefined removes. */
	const unsaved = new Map<string, string | undefined>();
	const write = (tx: WriteDb, seq: number): void => {
		for (const [key, value] of unsaved) writeToolState(tx, { runId, tool, key, seq }, value);
	};
	const state: ToolState = {
		get: (key) => {
			if (!unsaved.has(key)) return readToolState(db.read, runId, tool, key);
			const value = unsaved.get(key);
			return value === undefined ? undefined : Json.parse(JSON.parse(value));
		},
		entries: () => {
			const values = new Map(readToolStates(db.read, runId, tool).map(({ key, value }) => [key, value]));
			for (const [key, value] of unsaved) {
				if (value === undefined) values.delete(key);
				else values.set(key, Json.parse(JSON.parse(value)));
			}
			return [...values].toSorted(([a], [b]) => (a < b ? -1 : 1));
		},
		set: (key, value) => {
			if (key === '' || key.length > LONGEST_KEY) throw badNote(tool, `Its key has to have 1 to ${LONGEST_KEY} characters.`);
			const json = value === undefined ? undefined : clean(JSON.stringify(value));
			if (json !== undefined && json.length > LARGEST_VALUE)
				throw badNote(tool, `“${key}” would be ${json.length} characters, and may be ${LARGEST_VALUE}.`);
			unsaved.set(key, json);
		},
		save: async () => {
			if (unsaved.size === 0) return;
			db.write((tx) => write(tx, seqNow()));
			unsaved.clear();
		},
	};
	return { state, write };
}

function badNote(tool: string, why: string) {
	return terminal('invalid_input', `${tool} can't keep this note. ${why}`, { safe: 'What it noted before is kept.' });
}
