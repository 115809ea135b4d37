import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { systemCode } from '../../base/system-code.ts';
import { cutCodePoints } from '../../domain/text.ts';
import { EMBEDDED_MODEL, MOST_PIECES } from '../embedded-model.ts';
import { EmbedOrder, EmbedStart, type EmbedWord } from './embedded-words.ts';
import { NativeGuard } from './native-guard.ts';

/**
 * The embedded model, in a thread of its own: a text takes the processor for milliseconds, and the runtime must not wait. This file is
 * both: the module that tells where the thread's code lies, also in a built app, and that code.
 */
export const workerUrl = new URL(import.meta.url);

/** UTF-16 units that are looked at; 256 word pieces of ordinary text are a tenth of it. */
const MOST_CHARS = 10_000;

class Refusal extends Error {
	readonly fault: (EmbedWord & { type: 'refused' })['fault'];
	constructor(fault: Refusal['fault'], cause: unknown) {
		super(String(cause));
		this.fault = fault;
	}
}

/** Of the file whose content is as it should be, where it lies. */
async function checked(folder: string, name: keyof typeof EMBEDDED_MODEL.files): Promise<string> {
	const file = path.join(folder, name);
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash).catch((error: unknown) => {
		throw new Refusal(systemCode(error) === 'ENOENT' ? 'missing' : 'changed', error);
	});
	const found = hash.digest('hex');
	if (found !== EMBEDDED_MODEL.files[name]) throw new Refusal('changed', `${file} has the hash ${found}`);
	return file;
}

interface Loaded {
	release(): Promise<void>;
	embed(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>>;
}

async function load(folder: string, guard: NativeGuard): Promise<Loaded> {
	const model = await checked(folder, 'model.onnx');
	const vocabulary: unknown = JSON.parse(await readFile(await checked(folder, 'tokenizer.json'), 'utf8'));
	try {
		const runtime = await import('onnxruntime-node');
		const { Tokenizer } = await import('@huggingface/tokenizers');
		const tokenizer = new Tokenizer(vocabulary as object, {});
		const options: InferenceSession.SessionOptions = {
			intraOpNumThreads: 1,
			interOpNumThreads: 1,
			// An arena would keep what the longest text once needed.
			enableCpuMemArena: false,
		};
		const session = await guard.run(() => runtime.InferenceSession.create(model, options));
		const row = (values: readonly number[]): Tensor => new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);

		async function embedInto(vector: Float32Array, text: string): Promise<void> {
			const { ids } = tokenizer.encode(cutCodePoints(text, MOST_CHARS));
			const end = ids.at(-1);
			const pieces = ids.length <= MOST_PIECES || end === undefined ? ids : [...ids.slice(0, MOST_PIECES - 1), end];
			const feeds = {
				input_ids: row(pieces),
				attention_mask: row(pieces.map(() => 1)),
				token_type_ids: row(pieces.map(() => 0)),
			};
			const answer = await guard.run(() => session.run(feeds));
			addUp(vector, answer.last_hidden_state?.data as Float32Array);
			scaleToUnit(vector);
		}

		return {
			release: () => guard.run(() => session.release()),
			// One by one: activations are quantised by the largest of a call, so in company a text would get another vector.
			async embed(texts) {
				const { dims } = EMBEDDED_MODEL;
				const values = new Float32Array(texts.length * dims);
				for (const [at, text] of texts.entries()) await embedInto(values.subarray(at * dims, (at + 1) * dims), text);
				return values;
			},
		};
	} catch (error) {
		throw new Refusal('runtime', error);
	}
}

/** The sum of the pieces' vectors: scaled to unit length it is their mean's direction. */
function addUp(sum: Float32Array, pieces: Float32Array): void {
	for (let start = 0; start < pieces.length; start += sum.length) {
		for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (pieces[start + at] ?? 0);
	}
}

function scaleToUnit(vector: Float32Array): void {
	const length = Math.hypot(...vector) || 1;
	for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length;
}

async function serve(port: MessagePort, { folder, guard }: EmbedStart): Promise<void> {
	const say = (word: EmbedWord, transfer: ArrayBuffer[] = []): void => port.postMessage(word, transfer);
	let loaded: Loaded;
	try {
		loaded = await load(folder, new NativeGuard(guard));
	} catch (error) {
		const fault = error instanceof Refusal ? error.fault : 'changed';
		say({ type: 'refused', fault, cause: String(error) });
		return;
	}
	port.on('message', (message: unknown) => {
		const order = EmbedOrder.parse(message);
		if (order.type === 'end') {
			port.close();
			void loaded.release();
			return;
		}
		loaded.embed(order.texts).then(
			(values) => say({ type: 'vectors', values }, [values.buffer]),
			(error: unknown) => say({ type: 'failed', cause: String(error) }),
		);
	});
	say({ type: 'ready' });
}

const given = parentPort ? EmbedStart.safeParse(workerData) : undefined;
if (given?.success && parentPort) await serve(parentPort, given.data);
