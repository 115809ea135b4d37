import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../src/base/logger.ts';
import { createEmbeddedPort } from '../src/embed/adapters/embedded.ts';
import type { EmbeddingPort } from '../src/embed/port.ts';
import { questions, sentences } from './made-notes.ts';
import { seeded } from './numbers.ts';

export const DIMS = 384;
/** Sentences with real vectors; further entries have one of these vectors, disturbed. */
const REAL = 10_000;
const TIMED = 1000;
export const QUESTIONS = 200;
/** Length of the disturbance beside a vector's own length of 1: the disturbed one is as near as a paraphrase (cosine 0.8). */
const DISTURBANCE = 0.75;

export interface RealVectors {
	readonly documents: Float32Array[];
	readonly questions: ReadonlyMap<string, Float32Array>;
}

/** Vectors of the embedded model, made once and kept in the system's temporary folder. `timed`: prints how fast the model makes such. */
export async function realVectors({ timed }: { timed: boolean }): Promise<RealVectors> {
	const asked = questions(QUESTIONS, 5);
	const texts = [...sentences(REAL, 1), ...asked];
	const port = createEmbeddedPort({ logger: silentLogger });
	const key = createHash('sha256')
		.update(JSON.stringify([port.id, texts]))
		.digest('hex')
		.slice(0, 16);
	const folder = join(tmpdir(), 'hearth-bench-vectors');
	const file = join(folder, `${key}.f32`);
	if (!existsSync(file)) {
		mkdirSync(folder, { recursive: true });
		const documents = await port.embed(texts.slice(0, REAL), 'document');
		const made = [...documents, ...(await port.embed(asked, 'query'))];
		writeFileSync(`${file}.new`, Buffer.concat(made.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength))));
		renameSync(`${file}.new`, file);
	}
	if (timed) {
		await port.embed(['warm'], 'query');
		const started = performance.now();
		await port.embed(texts.slice(0, TIMED), 'document');
		console.error(`real embedding throughput: ${Math.round((TIMED / (performance.now() - started)) * 1000)} entries a second`);
	}
	await port.close();
	const bytes = readFileSync(file);
	const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
	const row = (at: number) => all.subarray(at * DIMS, (at + 1) * DIMS);
	return {
		documents: Array.from({ length: REAL }, (_, at) => row(at)),
		questions: new Map(asked.map((question, at) => [question, row(REAL + at)])),
	};
}

/** The vector of the n-th entry: real for the first ones, then a real one, disturbed. The same in each run. */
export function vectorOf(real: RealVectors, number: number): Float32Array {
	const base = real.documents[number % REAL] as Float32Array;
	if (number < REAL) return base;
	const random = seeded(number);
	const vector = new Float32Array(DIMS);
	const scale = (DISTURBANCE / Math.sqrt(DIMS)) * Math.sqrt(12);
	let length = 0;
	for (let at = 0; at < DIMS; at++) {
		const value = (base[at] as number) + (random() - 0.5) * scale;
		vector[at] = value;
		length += value * value;
	}
	length = Math.sqrt(length);
	for (let at = 0; at < DIMS; at++) vector[at] = (vector[at] as number) / length;
	return vector;
}

/** A model that knows the vectors of the entries by the number in front of their text, and those of the questions. */
export function knownModel(real: RealVectors): EmbeddingPort {
	return {
		id: 'bench-vectors',
		dims: DIMS,
		embed: async (texts, kind) =>
			texts.map((text) => {
				if (kind === 'query') return real.questions.get(text) ?? vectorOf(real, 0);
				return vectorOf(real, Number(/^\d+/.exec(text)?.[0] ?? 0));
			}),
		close: async () => undefined,
	};
}
