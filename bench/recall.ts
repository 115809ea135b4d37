import { parseArgs } from 'node:util';
import { silentLogger } from '../src/base/logger.ts';
import { createEmbeddedPort } from '../src/embed/adapters/embedded.ts';
import type { EmbeddingPort } from '../src/embed/port.ts';
import { readConversations } from './locomo.ts';
import { type MemoryProfile, openMemoryProfile } from './memory-profile.ts';
import { readNotes } from './notes.ts';
import { quantile } from './numbers.ts';
import { CATEGORIES, DEPTH, MODES, RecallFigures } from './recall-figures.ts';

interface Asked {
	readonly question: string;
	readonly category: number;
	/** Ids of entries. */
	readonly evidence: readonly string[];
}

/** Evidence recall of the product's own search. `--data FILE`: conversations like LoCoMo's; `--notes`: notes written for this. */
export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({ args, options: { data: { type: 'string' }, notes: { type: 'boolean', default: false } } });
	if (values.data === undefined && !values.notes) throw new Error('Give --data FILE (conversations in the format of LoCoMo), or --notes.');
	const embedding = createEmbeddedPort({ logger: silentLogger });
	const figures = new RecallFigures();
	const times: number[] = [];
	let questions = 0;
	try {
		if (values.data !== undefined) {
			for (const { files, turns, questions: asked } of readConversations(values.data)) {
				await inProfile(embedding, files, async (profile) => {
					const ids = new Map<string, string>();
					for (const [file, names] of turns) {
						const entries = profile.entriesOf(file);
						if (entries.length !== names.length) throw new Error(`${file} has ${entries.length} entries for ${names.length} turns.`);
						names.forEach((name, index) => {
							ids.set(name, entries[index]?.id as string);
						});
					}
					const usable = asked
						.map((one) => ({ ...one, evidence: [...new Set(one.evidence.flatMap((turn) => ids.get(turn) ?? []))] }))
						.filter(({ evidence, category }) => evidence.length > 0 && CATEGORIES[category] !== undefined);
					questions += usable.length;
					await ask(profile, usable, figures, times);
				});
			}
		} else {
			const { files, questions: asked } = readNotes();
			await inProfile(embedding, files, async (profile) => {
				const entries = [...files.keys()].flatMap((file) => profile.entriesOf(file).map((entry) => ({ ...entry, file })));
				const usable = asked.map((one) => ({
					...one,
					evidence: one.evidence.map(({ file, text }) => {
						const found = entries.filter((entry) => entry.file === file && entry.text.includes(text));
						if (found.length !== 1) throw new Error(`${file} has ${found.length} entries with "${text}", not one.`);
						return found[0]?.id as string;
					}),
				}));
				console.error(`${entries.length} entries in ${files.size} files`);
				questions += usable.length;
				await ask(profile, usable, figures, times);
			});
		}
	} finally {
		await embedding.close();
	}
	return { ...figures.result(), p50_ms: round(quantile(times, 0.5)), p95_ms: round(quantile(times, 0.95)), questions };
}

async function inProfile(embedding: EmbeddingPort, files: ReadonlyMap<string, string>, work: (profile: MemoryProfile) => Promise<void>) {
	const profile = await openMemoryProfile(embedding);
	try {
		await profile.addFiles(files);
		await work(profile);
	} finally {
		await profile.close();
	}
}

/** Hybrid first, so that its time holds the embedding of the question. */
async function ask(profile: MemoryProfile, asked: readonly Asked[], figures: RecallFigures, times: number[]): Promise<void> {
	for (const { question, category, evidence } of asked) {
		for (const mode of MODES) {
			const started = performance.now();
			const { hits, mode: done } = await profile.memory.search({ query: question, mode, filter: {}, limit: DEPTH });
			if (mode === 'hybrid') times.push(performance.now() - started);
			if (done !== mode) throw new Error(`Asked for ${mode}, searched by ${done}.`);
			figures.add(
				mode,
				category,
				hits.map(({ entry }) => entry.id),
				evidence,
			);
		}
	}
	console.error(`${asked.length} questions asked`);
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
