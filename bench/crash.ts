import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { CRASH_POINTS, type CrashPointName } from '../src/base/crash-point.ts';
import { newId } from '../src/base/ids.ts';
import { type ModelServer, startModelServer } from '../test/support/model-server/index.ts';
import { type Arm, chores, cutLog, type Death, fullDisk, killAtPoints, outside } from './crash-arms.ts';
import { auditProblem, finishedModelCalls, type Held, lookAt, lostEvents, toolsOf } from './crash-look.ts';
import { type Faults, OUTSIDE, type Outside, startOutside } from './crash-outside.ts';
import { placeOf } from './crash-place.ts';
import { effectsOf, ledgerOf, TWENTY_STEPS, type Work } from './crash-work.ts';
import { quantile, seeded } from './numbers.ts';

/**
 * Kills the whole runtime with SIGKILL again and again while it does a work of twenty steps, or one that reaches outside, and starts it anew on the same profile until
 * the work is done; then the next work, in a new profile. `crash-arms.ts` says when it is killed and what is done to it besides. What must hold is looked at from outside: the ledger of effects, the server's log, state.db between two lives.
 */

interface Line {
	what: string;
	[key: string]: unknown;
}

interface Life {
	lines: Line[];
	signal: NodeJS.Signals | null;
	code: number | null;
}

interface Tally {
	kills: number;
	lost_steps: number;
	duplicate_effects: number;
	silent_skips: number;
	owner_questions: number;
	unneeded_questions: number;
	/** Starts on a cut write-ahead log that did not say that something may be missing. */
	untold_losses: number;
	/** Deaths after which the audit log is not whole. */
	audit_breaks: number;
	resumes: number[];
	covered: Set<CrashPointName>;
}

interface Stage {
	readonly server: ModelServer;
	readonly world: Outside;
	readonly number: number;
	readonly random: () => number;
	readonly tally: Tally;
	/** Kills after which the works go to their end. */
	readonly wanted: number;
	readonly arm: Arm;
}

const LIFE = join(import.meta.dirname, 'crash-life.ts');
/** A packaged runtime is one compiled file; here each life takes the compiled modules of the life before. */
const ENVIRONMENT = { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '.tmp', 'compile-cache') };
/** A work that does not end after so many lives has lost its way. */
const MOST_LIVES = 400;

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({
		args,
		options: {
			kills: { type: 'string', default: '500' },
			'full-disk': { type: 'string', default: '40' },
			'cut-log': { type: 'string', default: '60' },
			chores: { type: 'string', default: '60' },
			outside: { type: 'string', default: '60' },
			seed: { type: 'string' },
		},
	});
	const seed = Number(values.seed ?? Date.now() % 1_000_000);
	console.error(`seed ${seed}`);
	const random = seeded(seed);
	const server = await startModelServer();
	const world = await startOutside();
	server.script((request) => placeOf(request).reply);
	const tally: Tally = {
		kills: 0,
		untold_losses: 0,
		audit_breaks: 0,
		lost_steps: 0,
		duplicate_effects: 0,
		silent_skips: 0,
		owner_questions: 0,
		unneeded_questions: 0,
		resumes: [],
		covered: new Set(),
	};
	try {
		let wanted = 0;
		for (const [arm, kills] of [
			[killAtPoints(), values.kills],
			[outside(), values.outside],
			[chores(), values.chores],
			[cutLog(), values['cut-log']],
			[fullDisk(random), values['full-disk']],
		] as const) {
			const missing = arm.missing?.();
			if (missing) console.error(`${arm.name} is left out: ${missing}`);
			else wanted += Number(kills);
			for (let number = 1; tally.kills < wanted; number += 1) await doWork({ server, world, number, random, tally, wanted, arm });
		}
	} finally {
		await server.close();
		await world.close();
	}
	const { resumes, covered, ...counts } = tally;
	const missed = CRASH_POINTS.filter((name) => !covered.has(name));
	if (missed.length > 0) console.error(`not passed by this work: ${missed.join(', ')}`);
	return {
		...counts,
		points_covered: covered.size,
		points_total: CRASH_POINTS.length,
		resume_p50_ms: Math.round(quantile(resumes, 0.5)),
		resume_p95_ms: Math.round(quantile(resumes, 0.95)),
		seed,
	};
}

/** One work from its first life to its end, in a profile of its own. */
async function doWork(stage: Stage): Promise<void> {
	const { server, world, number, random, tally, wanted, arm } = stage;
	const work = arm.outside ? OUTSIDE : TWENTY_STEPS;
	const home = arm.home();
	world.ledger = ledgerOf(home);
	const requestId = newId<string>();
	let before: Held = new Map();
	let lostEventsToTell = 0;
	let told = 0;
	server.log.requests.length = 0;
	for (let lives = 0; ; lives += 1) {
		if (lives > MOST_LIVES) throw new Error(`a work did not end after ${MOST_LIVES} lives; it lies in ${home}`);
		const known = toolsOf(before);
		const asked = finishedModelCalls(before);
		const effectsBefore = effectsOf(home);
		const requestsBefore = server.log.requests.length;
		const kill = tally.kills < wanted;
		const { die: chosen, chores = false } = arm.target(random, tally.covered);
		const die = rarePoint(lives, known.effectUnderWay, tally.covered) ?? chosen;
		const reaches = arm.outside && { outside: world.addresses };
		const life = await live({ home, modelUrl: server.openaiUrl, requestId, chores, ...reaches, ...(kill && die && { die }) }, arm, kill);
		const after = await lookAt(home);
		const broken = arm.cutsAudit ? undefined : await auditProblem(home);
		if (broken !== undefined) console.error(`the audit log is broken: ${broken}`);
		if (broken !== undefined) tally.audit_breaks += 1;
		// Nothing that was committed is gone, and nothing that had ended is asked or done again.
		const gone = lostEvents(before, after);
		const askedAgain = server.log.requests.slice(requestsBefore).filter((request) => {
			const { run, call } = placeOf(request);
			// A fork makes the last call of the copied work its own.
			return run !== 'chore' && call < Math.min(asked[run], chores ? work.lastCall : Infinity);
		}).length;
		const effects = effectsOf(home);
		const doneAgain = [...known.finished].filter((effect) => times(effects, effect) > times(effectsBefore, effect)).length;
		if (gone + askedAgain + doneAgain > 0)
			console.error(`lost: ${gone} events gone, ${askedAgain} model calls and ${doneAgain} tools again`);
		tally.lost_steps += gone + askedAgain + doneAgain;
		const questions = life.lines.filter((line) => line.what === 'asked' && line.kind === 'did_it_happen').length;
		tally.owner_questions += questions;
		tally.unneeded_questions += life.lines.filter((line) => line.isCovered === true).length;
		told += life.lines.filter((line) => line.what === 'told').length;
		if (!known.effectUnderWay && lostEventsToTell === 0) tally.unneeded_questions += questions;
		if (lostEventsToTell > 0 && !life.lines.some((line) => line.what === 'warned' && String(line.codes).includes('journal_cut')))
			tally.untold_losses += life.lines.some((line) => line.what === 'up') ? 1 : 0;
		const next = life.lines.find((line) => line.what === 'next');
		// Only where a run was at work: one that waits goes on when what it waits for has come.
		if (lives > 0 && next && [...before.values()].some(({ status }) => status === 'running')) tally.resumes.push(Number(next.ms));
		if (life.signal === 'SIGKILL') {
			tally.kills += 1;
			const died = life.lines.findLast((line) => line.what === 'dies');
			if (died) tally.covered.add(died.at as CrashPointName);
			before = arm.afterKill(home, random) ? await lookAt(home) : after;
			lostEventsToTell = lostEvents(after, before);
			continue;
		}
		if (life.code !== 0 && arm.refused?.()) {
			before = after;
			continue;
		}
		if (life.code !== 0) throw new Error(`a life ended with code ${life.code}; the profile is ${home}`);
		judge(work, life, after, effects, tally, arm.ends ?? ['done']);
		tally.duplicate_effects += Math.max(0, told - 1);
		console.error(`${arm.name}, work ${number}: ${lives + 1} lives, ${tally.kills} kills, ${tally.covered.size} points`);
		break;
	}
	arm.done(home);
	rmSync(ledgerOf(home), { force: true });
}

/** Points that only some lives pass: the first one of a profile, and one that finds an effect under way. */
function rarePoint(lives: number, effectUnderWay: boolean, covered: ReadonlySet<CrashPointName>): Death | undefined {
	if (lives === 0 && !covered.has('database.created')) return { at: 'database.created', nth: 1 };
	return effectUnderWay && !covered.has('effect.verified') ? { at: 'effect.verified', nth: 1 } : undefined;
}

/** What must hold at the end of a work. */
function judge(work: Work, life: Life, held: Held, effects: readonly string[], tally: Tally, fine: readonly string[]): void {
	const over = life.lines.find((line) => line.what === 'over');
	const parts = (over?.parts ?? []) as { type: string; tool?: string; status?: string; text?: string }[];
	const tools = parts.filter((part) => part.type === 'tool');
	if (over?.status !== 'done' || parts.findLast((part) => part.type === 'text')?.text !== work.final) tally.silent_skips += 1;
	tally.silent_skips += work.tools.filter(
		(tool, index) => tools[index]?.tool !== tool || !fine.includes(tools[index]?.status ?? ''),
	).length;
	for (const effect of work.effects) {
		const count = times(effects, effect);
		if (count === 0) tally.silent_skips += 1;
		tally.duplicate_effects += Math.max(0, count - 1);
	}
	const faults = over?.faults as Faults | undefined;
	if (faults && faults.missing.length + faults.twice.length > 0) console.error(`faults: ${JSON.stringify(faults)}`);
	tally.silent_skips += faults?.missing.length ?? 0;
	tally.duplicate_effects += faults?.twice.length ?? 0;
	const first = [...held.values()].find(({ kind }) => kind === 'chat');
	tally.lost_steps += Math.abs(work.steps - (first?.checkpoints ?? 0));
}

function times(effects: readonly string[], effect: string): number {
	return effects.filter((each) => each === effect).length;
}

function live(options: object, arm: Arm, kill: boolean): Promise<Life> {
	const child = spawn(process.execPath, ['--no-warnings', LIFE, JSON.stringify(options)], {
		stdio: ['ignore', 'pipe', 'inherit'],
		env: ENVIRONMENT,
	});
	const lines: Line[] = [];
	createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as Line));
	if (kill) arm.during?.(child);
	else arm.refused?.();
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => resolve({ lines, signal, code }));
	});
}
