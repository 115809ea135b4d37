const RUNNING = 0;
const STOPPED = 1;

/**
 * Native code of ONNX Runtime that returns into a thread which is being torn down takes the whole process along (std::terminate). So the
 * thread says when it is in there, and whoever ends the process waits until it is out, and keeps it from going in again.
 */
export class NativeGuard {
	readonly shared: SharedArrayBuffer;
	readonly #flags: Int32Array<SharedArrayBuffer>;

	constructor(shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
		this.shared = shared;
		this.#flags = new Int32Array(shared);
	}

	/** In the thread: rejects without calling where nothing may begin any more. */
	async run<T>(native: () => Promise<T>): Promise<T> {
		Atomics.store(this.#flags, RUNNING, 1);
		try {
			if (Atomics.load(this.#flags, STOPPED) === 1) throw new Error('The process is ending.');
			return await native();
		} finally {
			Atomics.store(this.#flags, RUNNING, 0);
			Atomics.notify(this.#flags, RUNNING);
		}
	}

	/** Outside: nothing begins after this; blocks until what runs is over, for so many milliseconds at most. */
	stop(mostMs: number): void {
		Atomics.store(this.#flags, STOPPED, 1);
		Atomics.wait(this.#flags, RUNNING, 1, mostMs);
	}
}
