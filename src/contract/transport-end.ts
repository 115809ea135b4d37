import type { Transport } from './transport.ts';

type Message = string | Uint8Array;

/**
 * What every transport adapter keeps in mind: messages that come before anyone listens wait for the first listener, and
 * the end of the channel is told once, also to those who ask after it.
 */
export class TransportEnd {
	#listeners: ((message: Message) => void)[] = [];
	#closeListeners: (() => void)[] = [];
	#waiting: Message[] = [];
	#closed = false;

	get closed(): boolean {
		return this.#closed;
	}

	receive(message: Message): void {
		if (this.#closed) return;
		if (this.#listeners.length === 0) this.#waiting.push(message);
		else for (const listener of this.#listeners) listener(message);
	}

	onMessage(listener: (message: Message) => void): void {
		this.#listeners.push(listener);
		for (const message of this.#waiting.splice(0)) listener(message);
	}

	/** True the first time. */
	end(): boolean {
		if (this.#closed) return false;
		this.#closed = true;
		for (const listener of this.#closeListeners.splice(0)) listener();
		return true;
	}

	onClose(listener: () => void): void {
		if (this.#closed) listener();
		else this.#closeListeners.push(listener);
	}

	/** The transport over this end; `carrier` does what is particular to it. `close` is called once. */
	transport(carrier: { post(message: Message): void; close(): void; drained?(): Promise<void> }): Transport {
		return {
			post: (message) => {
				if (!this.#closed) carrier.post(message);
			},
			onMessage: (listener) => this.onMessage(listener),
			onClose: (listener) => this.onClose(listener),
			close: () => {
				if (!this.#closed) carrier.close();
				this.end();
			},
			...(carrier.drained && { drained: () => carrier.drained?.() ?? Promise.resolve() }),
		};
	}
}
