import { Worker } from 'node:worker_threads';
import type { z } from 'zod';
import { Sequencer } from './sequencer.ts';

export interface JobThreadOptions<Answer> {
	/** Where its code lies: that file listens to messages, each a job, and posts one answer to each. */
	readonly load: () => Promise<URL>;
	/** Its `workerData`: what it is for. */
	readonly purpose: string;
	readonly answer: z.ZodType<Answer>;
	/** Of its JavaScript heap. */
	readonly heapMb: number;
}

/** Of its heap, for new objects: what that grows to is kept while the thread waits. */
const YOUNG_MB = 24;

/** To start a thread takes longer than most jobs: it is kept so long for the next one. */
const IDLE_MS = 10_000;

/**
 * A thread that reads what others made, where a hostile text can block or exhaust nothing but itself. One job at a time, so that many at once
 * need no more memory than one.
 */
export class JobThread<Job, Answer> {
	readonly #options: JobThreadOptions<Answer>;
	readonly #sequencer = new Sequencer();
	#thread: Worker | undefined;
	#idle: NodeJS.Timeout | undefined;
	/** Takes the answer to the job under way. */
	#settle: ((answer: Answer | undefined) => void) | undefined;

	constructor(options: JobThreadOptions<Answer>) {
		this.#options = options;
	}

	/** Undefined where the thread could not do it, or was not done in time: then it is ended. */
	run(job: Job, timeMs: number): Promise<Answer | undefined> {
		return this.#sequencer.run('job', () => this.#do(job, timeMs));
	}

	async #do(job: Job, timeMs: number): Promise<Answer | undefined> {
		clearTimeout(this.#idle);
		this.#thread ??= await this.#start();
		const worker = this.#thread;
		let timer: NodeJS.Timeout | undefined;
		const answer = await new Promise<Answer | undefined>((resolve) => {
			this.#settle = resolve;
			timer = setTimeout(() => resolve(undefined), timeMs);
			worker.postMessage(job);
		});
		clearTimeout(timer);
		this.#settle = undefined;
		if (answer === undefined) await this.#end();
		else this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
		return answer;
	}

	async #start(): Promise<Worker> {
		const { load, purpose, answer, heapMb } = this.#options;
		const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB };
		// What the libraries print stays in the thread.
		const worker = new Worker(await load(), { workerData: purpose, resourceLimits, stdout: true, stderr: true });
		// An older one that is just ending says nothing of the job that is done now.
		const told = (said: Answer | undefined) => void (this.#thread === worker && this.#settle?.(said));
		worker.on('message', (message: unknown) => told(answer.safeParse(message).data));
		worker.on('error', () => told(undefined));
		worker.on('exit', () => {
			told(undefined);
			if (this.#thread === worker) this.#thread = undefined;
		});
		// It keeps nothing alive by itself: whoever waits for an answer holds a timer.
		worker.unref();
		return worker;
	}

	async #end(): Promise<void> {
		const ended = this.#thread;
		this.#thread = undefined;
		await ended?.terminate();
	}
}
