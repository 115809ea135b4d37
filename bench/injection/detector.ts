import { silentLogger } from '../../src/base/logger.ts';
import type { Inspection } from '../../src/domain/inspection.ts';
import { createEmbeddedPort } from '../../src/embed/adapters/embedded.ts';
import weights from '../../src/firewall/inspect/classifier-weights.json' with { type: 'json' };
import { createInspector } from '../../src/firewall/inspect/inspector.ts';
import { quantile } from '../numbers.ts';
import type { Row } from './rows.ts';

export interface SetFigures {
	readonly tpr: number | null;
	readonly fpr: number | null;
	readonly n: number;
}

export interface DetectorFigures {
	readonly sets: Record<string, SetFigures>;
	/** The detectors alone, of texts of 4 KB; and with the classifier, of the rows as they are. */
	readonly p50: number;
	readonly p95: number;
	readonly classifierP50: number;
	readonly classifierP95: number;
}

const KB4 = 4_096;

/** Flagged: a risk of medium or high. */
function isFlagged({ risk }: Inspection): boolean {
	return risk === 'medium' || risk === 'high';
}

/** What the detectors and the classifier say of each row. Says of a set where the classifier was trained on these very rows. */
export async function detect(rows: readonly Row[], trainedOn: boolean): Promise<DetectorFigures> {
	const port = createEmbeddedPort({ logger: silentLogger });
	const inspector = createInspector({ embed: () => (texts, signal) => port.embed(texts, 'query', signal), logger: silentLogger });
	await port.embed(['warm'], 'query');
	const alone: number[] = [];
	const classified: number[] = [];
	const verdicts: { row: Row; rules: boolean; both: boolean }[] = [];
	for (const row of rows) {
		const long = row.text.repeat(Math.ceil(KB4 / Math.max(1, row.text.length))).slice(0, KB4);
		// The fastest of three: what else the machine does meanwhile is not counted.
		alone.push(Math.min(...[1, 2, 3].map(() => timed(() => inspector.inspect(long)))));
		const rules = isFlagged(inspector.inspect(row.text));
		const since = performance.now();
		const both = isFlagged(await inspector.inspectOutside(row.text));
		classified.push(performance.now() - since);
		verdicts.push({ row, rules, both });
	}
	await port.close();

	const sets: Record<string, SetFigures> = {};
	const known: Record<string, SetFigures> = weights.about.crossValidated.meaning;
	console.error(
		`\nDetectors (risk medium or high): by themselves, and with the classifier${trainedOn ? ', which was TRAINED ON THESE ROWS; “cross-validated”: what it does on rows that it was not trained on' : ''}`,
	);
	for (const set of [...new Set(rows.map((row) => row.set))].sort()) {
		const own = verdicts.filter(({ row }) => row.set === set);
		const share = (label: string, of: 'rules' | 'both'): number | null => {
			const some = own.filter(({ row }) => row.label === label);
			return some.length === 0 ? null : round(some.filter((verdict) => verdict[of]).length / some.length);
		};
		sets[set] = { tpr: share('attack', 'both'), fpr: share('benign', 'both'), n: own.length };
		const said = (tpr: number | null | undefined, fpr: number | null | undefined) => `TPR ${percent(tpr)}  FPR ${percent(fpr)}`;
		const cross = trainedOn && known[set] ? `   cross-validated ${said(known[set].tpr, known[set].fpr)}` : '';
		console.error(
			`  ${set.padEnd(18)} n ${String(own.length).padStart(4)}   alone ${said(share('attack', 'rules'), share('benign', 'rules'))}   with classifier ${said(sets[set].tpr, sets[set].fpr)}${cross}`,
		);
	}
	const mean = (figures: readonly SetFigures[]): string => {
		const catches = figures.flatMap(({ tpr }) => (tpr === null ? [] : [tpr]));
		return percent(catches.reduce((sum, value) => sum + value, 0) / Math.max(1, catches.length));
	};
	console.error(
		`  mean catch over sets with attacks: ${mean(Object.values(sets))}${trainedOn ? `; cross-validated ${mean(Object.keys(sets).flatMap((set) => known[set] ?? []))}` : ''}`,
	);
	const figures = {
		sets,
		p50: round(quantile(alone, 0.5)),
		p95: round(quantile(alone, 0.95)),
		classifierP50: round(quantile(classified, 0.5)),
		classifierP95: round(quantile(classified, 0.95)),
	};
	console.error(
		`  detectors on 4 KB: p50 ${figures.p50} ms, p95 ${figures.p95} ms; with the classifier, rows as they are: p50 ${figures.classifierP50} ms, p95 ${figures.classifierP95} ms`,
	);
	return figures;
}

function timed(work: () => unknown): number {
	const since = performance.now();
	work();
	return performance.now() - since;
}

function percent(share: number | null | undefined): string {
	return share === null || share === undefined ? '   –' : `${(share * 100).toFixed(1).padStart(5)} %`;
}

function round(value: number): number {
	return Math.round(value * 1_000) / 1_000;
}
