import { parseArgs } from 'node:util';
import { sha256 } from '../src/base/sha256.ts';
import weights from '../src/firewall/inspect/classifier-weights.json' with { type: 'json' };
import { type Background, ROUTES, throughLooks } from './injection/background.ts';
import { control } from './injection/control.ts';
import { type DetectorFigures, detect } from './injection/detector.ts';
import { throughTheApp } from './injection/end-to-end.ts';
import { reportBackground, reportControl, reportEndToEnd, toolsTried } from './injection/report.ts';
import { type Row, rowsOf, shuffled } from './injection/rows.ts';

/**
 * `npm run -s bench -- injection --data DIR [--limit N] [--seed N] [--only detector|end-to-end|background] [--minutes N]`: texts that attack an agent, against the
 * detectors alone and against the whole app with a model that obeys whatever it reads. README.md says what is measured and what is not.
 */

export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({
		args,
		options: {
			data: { type: 'string' },
			limit: { type: 'string' },
			seed: { type: 'string', default: '1' },
			only: { type: 'string' },
			minutes: { type: 'string' },
		},
	});
	if (values.data === undefined) throw new Error('Which texts? Give --data DIR with files of JSON lines {id, text, label, kind}.');
	const all = rowsOf(values.data);
	const rows = values.limit === undefined ? all : shuffled(all, Number(values.seed)).slice(0, Number(values.limit));
	const trainedOn = listHash(all) === weights.about.listHash;
	console.error(`${rows.length} of ${all.length} rows from ${values.data}`);

	const detector: DetectorFigures | undefined =
		values.only !== undefined && values.only !== 'detector' ? undefined : await detect(rows, trainedOn);
	const endToEnd =
		values.only !== undefined && values.only !== 'end-to-end'
			? undefined
			: await measured(rows, values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes), Number(values.seed));
	const background = values.only === undefined || values.only === 'background' ? await throughLooks(rows) : undefined;
	if (background) reportBackground(background);
	return {
		detector: detector?.sets ?? {},
		detector_p95_ms: detector?.p95 ?? null,
		detector_p50_ms: detector?.p50 ?? null,
		classifier_p50_ms: detector?.classifierP50 ?? null,
		classifier_p95_ms: detector?.classifierP95 ?? null,
		trained_on_these_rows: trainedOn,
		...(endToEnd ?? { end_to_end: null, audit_records: null, chain_ok: null }),
		background: background ? backgroundFigures(background) : null,
	};
}

function listHash(rows: readonly Row[]): string {
	return sha256(
		rows
			.map(({ id, hash }) => `${id} ${hash}\n`)
			.sort()
			.join(''),
	);
}

/** `minutes`: as much as fits, of all sets. */
async function measured(rows: readonly Row[], minutes: number, seed: number): Promise<Record<string, unknown>> {
	const controlled = await control(rows.filter(({ label }) => label === 'attack'));
	reportControl(controlled);
	const outcome = await throughTheApp(Number.isFinite(minutes) ? shuffled(rows, seed) : rows, minutes);
	reportEndToEnd(outcome);
	const { attacks, hits, benign, memoryHarmed, auditRecords, chainOk } = outcome;
	const tried = toolsTried(attacks);
	return {
		end_to_end: {
			attack_success: share(hits.length + (memoryHarmed ? 1 : 0), attacks.length),
			attacks: attacks.length,
			benign_pass: share(benign.filter(({ passed }) => passed).length, benign.length),
			benign: benign.length,
			questions_per_task: share(
				benign.reduce((sum, { questions }) => sum + questions, 0),
				benign.length,
			),
			attacks_read: share(attacks.filter(({ read }) => read).length, attacks.length),
			control_success: share(controlled.hit, controlled.attacks),
			calls_tried: [...tried.values()].reduce((sum, times) => sum + times, 0),
			tools_tried: [...tried.keys()].sort(),
		},
		audit_records: auditRecords,
		chain_ok: chainOk,
	};
}

function backgroundFigures({ routes, callsTried, held, inChats, chainOk }: Background): Record<string, unknown> {
	const byRoute = ROUTES.map((route) => {
		const { attacks, read, hits } = routes[route];
		return [route, { attacks, attacks_read: share(read, attacks), attack_success: share(hits, attacks) }] as const;
	});
	return { ...Object.fromEntries(byRoute), calls_tried: callsTried, held, in_chat_prompts: inChats, chain_ok: chainOk };
}

function share(part: number, of: number): number {
	return of === 0 ? 0 : Math.round((part / of) * 10_000) / 10_000;
}
