import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { CRASH_POINTS, type CrashPointName } from '../src/base/crash-point.ts';
import { newId } from '../src/base/ids.ts';
import { type ModelServer, startModelServer } from '../test/support/model-server/index.ts';
import { type LedgerLine, readLedger } from '../test/support/test-tools.ts';
import { type Arm, chores, cutLog, type Death, fullDisk, killAtPoints } from './crash-arms.ts';
import { finishedModelCalls, type Held, lookAt, lostEvents, toolsOf } from './crash-look.ts';
import { EFFECTS, FINAL, LAST_CALL, ledgerOf, placeOf, STEPS, TOOLS } from './crash-work.ts';
import { quantile, seeded } from './numbers.ts';

/**
 * Kills the whole runtime with SIGKILL again and again while it does a work of twenty steps, and starts it anew on the same profile until
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
	resumes: number[];
	covered: Set<CrashPointName>;
}

interface Stage {
	readonly server: ModelServer;
	readonly work: number;
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
			seed: { type: 'string' },
		},
	});
	const seed = Number(values.seed ?? Date.now() % 1_000_000);
	console.error(`seed ${seed}`);
	const random = seeded(seed);
	const server = await startModelServer();
	server.script((request) => placeOf(request).reply);
	const tally: Tally = {
		kills: 0,
		untold_losses: 0,
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
			[chores(), values.chores],
			[cutLog(), values['cut-log']],
			[fullDisk(random), values['full-disk']],
		] as const) {
			const missing = arm.missing?.();
			if (missing) console.error(`${arm.name} is left out: ${missing}`);
			else wanted += Number(kills);
			for (let work = 0; tally.kills < wanted; work += 1) await doWork({ server, work, random, tally, wanted, arm });
		}
	} finally {
		await server.close();
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
	const { server, work, random, tally, wanted, arm } = stage;
	const home = arm.home();
	const ledger = (): LedgerLine[] => readLedger(ledgerOf(home));
	const requestId = newId<string>();
	let before: Held = new Map();
	let lostEventsToTell = 0;
	server.log.requests.length = 0;
	for (let lives = 0; ; lives += 1) {
		if (lives > MOST_LIVES) throw new Error(`a work did not end after ${MOST_LIVES} lives; it lies in ${home}`);
		const known = toolsOf(before);
		const asked = finishedModelCalls(before);
		const linesBefore = ledger().length;
		const requestsBefore = server.log.requests.length;
		const kill = tally.kills < wanted;
		const { die: chosen, chores = false } = arm.target(random, tally.covered);
		const die = rarePoint(lives, known.effectUnderWay, tally.covered) ?? chosen;
		const life = await live({ home, modelUrl: server.openaiUrl, requestId, chores, ...(kill && die && { die }) }, arm, kill);
		const after = lookAt(home);
		// Nothing that was committed is gone, and nothing that had ended is asked or done again.
		const gone = lostEvents(before, after);
		const askedAgain = server.log.requests.slice(requestsBefore).filter((request) => {
			const { run, call } = placeOf(request);
			// A fork makes the last call of the copied work its own.
			return run !== 'chore' && call < Math.min(asked[run], chores ? LAST_CALL : Infinity);
		}).length;
		const doneAgain = ledger()
			.slice(linesBefore)
			.filter(({ value }) => known.finished.has(value)).length;
		if (gone + askedAgain + doneAgain > 0)
			console.error(`lost: ${gone} events gone, ${askedAgain} model calls and ${doneAgain} tools again`);
		tally.lost_steps += gone + askedAgain + doneAgain;
		const questions = life.lines.filter((line) => line.what === 'asked' && line.kind === 'did_it_happen').length;
		tally.owner_questions += questions;
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
			before = arm.afterKill(home, random) ? lookAt(home) : after;
			lostEventsToTell = lostEvents(after, before);
			continue;
		}
		if (life.code !== 0 && arm.refused?.()) {
			before = after;
			continue;
		}
		if (life.code !== 0) throw new Error(`a life ended with code ${life.code}; the profile is ${home}`);
		judge(life, after, ledger(), tally, arm.ends ?? ['done']);
		console.error(`${arm.name}, work ${work + 1}: ${lives + 1} lives, ${tally.kills} kills, ${tally.covered.size} points`);
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
function judge(life: Life, held: Held, ledger: readonly LedgerLine[], tally: Tally, fine: readonly string[]): void {
	const over = life.lines.find((line) => line.what === 'over');
	const parts = (over?.parts ?? []) as { type: string; tool?: string; status?: string; text?: string }[];
	const tools = parts.filter((part) => part.type === 'tool');
	if (over?.status !== 'done' || parts.findLast((part) => part.type === 'text')?.text !== FINAL) tally.silent_skips += 1;
	tally.silent_skips += TOOLS.filter((tool, index) => tools[index]?.tool !== tool || !fine.includes(tools[index]?.status ?? '')).length;
	for (const value of EFFECTS) {
		const times = ledger.filter((line) => line.value === value).length;
		if (times === 0) tally.silent_skips += 1;
		tally.duplicate_effects += Math.max(0, times - 1);
	}
	const work = [...held.values()].find(({ kind }) => kind === 'chat');
	if (work?.checkpoints !== STEPS) tally.lost_steps += Math.abs(STEPS - (work?.checkpoints ?? 0));
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
