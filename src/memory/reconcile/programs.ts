import type { Clock } from '../../base/clock.ts';
import type { WriteDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import { all, run, runOne, sql, value } from '../../db/sql.ts';
import type { RunId } from '../../domain/ids.ts';
import type { Provenance } from '../../domain/memory.ts';
import { type Outsider, ownersEdit } from '../outside.ts';
import { hasLooked, unknownOrigin } from './first-look.ts';

/** Programs under way that can reach the folder: what changes on the disk meanwhile is theirs until the owner says otherwise (bg-2). */
export interface Programs {
	/** Whose the changes are that are found on the disk now and that Hearth did not make. Nobody's that is known before the first look is done. */
	outsider(): Outsider;
	/** A row, so that what a program did before a crash is not taken for the owner's. Returns what ends it. */
	begin(runId: RunId, tool: string): () => void;
	/** After the first look at the disk: the programs of the last life have been answered for. */
	clearLeftovers(): void;
}

interface Program {
	readonly runId: RunId;
	readonly tool: string;
	readonly startedAt: number;
}

/** `unsure`: why what is found at the first look of this life may be anybody's, where it is so. */
export function createPrograms({ db, clock, unsure }: { db: StateDb; clock: Clock; unsure?: string | undefined }): Programs {
	const leftovers = readPrograms(db);
	let doubt = unsure;
	/** Of this life, in the order in which they began. */
	const running: Program[] = [];

	function end(program: Program): void {
		db.write((tx) => deleteProgram(tx, program), { makesRoom: true });
		running.splice(running.indexOf(program), 1);
	}

	return {
		outsider: () => {
			const at = clock.now();
			const program = running.at(-1) ?? leftovers.at(-1);
			if (program) return programsEdit(program, at);
			if (doubt !== undefined) return { kind: 'drift', provenance: driftOf(doubt, at) };
			return hasLooked(db.read) ? ownersEdit(at) : unknownOrigin(at);
		},
		begin: (runId, tool) => {
			const program = db.write((tx) => insertProgram(tx, { runId, tool, startedAt: clock.now() }));
			running.push(program);
			return () => end(program);
		},
		clearLeftovers: () => {
			doubt = undefined;
			if (leftovers.length === 0) return;
			db.write((tx) => leftovers.forEach((program) => void deleteProgram(tx, program)));
			leftovers.length = 0;
		},
	};
}

function programsEdit({ runId, tool }: Program, at: number): Outsider {
	const reason = `It appeared in the file while the tool “${tool}” ran.`;
	return { kind: 'drift', provenance: { ...driftOf(reason, at), runId } };
}

function driftOf(reason: string, at: number): Provenance {
	return { author: 'tool', label: 'external', origin: 'external', sources: [], reason, at };
}

function readPrograms(db: StateDb): Program[] {
	return all<Program>(db.read, sql`SELECT run_id AS runId, tool, started_at AS startedAt FROM memory_programs ORDER BY started_at`);
}

/** The same tool twice in one run at one instant are two. */
function insertProgram(tx: WriteDb, given: Program): Program {
	const { runId, tool } = given;
	const newest = value<number>(tx, sql`SELECT max(started_at) FROM memory_programs WHERE run_id = ${runId} AND tool = ${tool}`);
	const startedAt = Math.max(given.startedAt, (newest ?? -1) + 1);
	runOne(tx, sql`INSERT INTO memory_programs (run_id, tool, started_at) VALUES (${runId}, ${tool}, ${startedAt})`);
	return { runId, tool, startedAt };
}

function deleteProgram(tx: WriteDb, { runId, tool, startedAt }: Program): void {
	run(tx, sql`DELETE FROM memory_programs WHERE run_id = ${runId} AND tool = ${tool} AND started_at = ${startedAt}`);
}
