import type { Logger } from '../../base/logger.ts';
import type { RunId } from '../../domain/ids.ts';
import { type Inspection, worstRisk } from '../../domain/inspection.ts';
import type { Inspector } from '../ports.ts';
import { inspectArguments } from './arguments.ts';
import { classify } from './classifier.ts';
import { inspect, MOST_FLAGS } from './inspect.ts';

export interface InspectorDeps {
	/** The embedded model, where it is in use; not waited for longer than a moment. */
	readonly embed: () => ((texts: string[], signal: AbortSignal) => Promise<readonly Float32Array[]>) | undefined;
	/** A chosen model's word on what is neither clear nor harmless; undefined where none is chosen. Never rejects: what fails is risky. */
	readonly secondOpinion?: (() => ((text: string, runId?: RunId) => Promise<'risky' | 'harmless'>) | undefined) | undefined;
	readonly logger: Logger;
}

/** Loading the model takes half a second, a long text some 200 ms. */
const EMBED_MS = 3_000;
/** Scores between are the ambiguous band. */
const BAND = { from: 0.25, to: 0.85 };

export function createInspector({ embed, secondOpinion, logger }: InspectorDeps): Inspector {
	async function scored(text: string): Promise<Inspection> {
		const found = inspect(text);
		const make = embed();
		const { score, flags } = await withMeaning(text, make).catch((error: unknown) => {
			logger.warn('classifier_without_meaning', { error });
			return classify(text);
		});
		const risk = flags.length > 0 ? worstRisk(found.risk, 'medium') : found.risk;
		return { risk, flags: [...found.flags, ...flags].slice(0, MOST_FLAGS), score };
	}

	return {
		inspect: (text) => inspect(text),
		inspectArguments,
		inspectOutside: async (text, runId) => {
			const inspection = await scored(text);
			const ask = secondOpinion?.();
			const score = inspection.score ?? 0;
			const isAmbiguous = inspection.risk !== 'high' && (inspection.risk !== 'none' || score >= BAND.from) && score < BAND.to;
			if (!ask || !isAmbiguous) return inspection;
			// It only adds: a model that is talked into "harmless" takes nothing back.
			return (await ask(text, runId)) === 'risky' ? { ...inspection, risk: worstRisk(inspection.risk, 'medium') } : inspection;
		},
	};
}

function withMeaning(text: string, make: ReturnType<InspectorDeps['embed']>): ReturnType<typeof classify> {
	const signal = AbortSignal.timeout(EMBED_MS);
	return classify(text, make && ((texts) => make(texts, signal)));
}
