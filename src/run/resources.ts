import type { RunId } from '../domain/ids.ts';
import type { LiveResource } from '../domain/tool.ts';
import type { Appender } from './appender.ts';
import type { RunControl } from './control.ts';
import type { Gate } from './gate.ts';
import type { RunState } from './state.ts';

/**
 * Live resources are never written down, only that they were there. Before a process goes on with a run that another one left open
 * something in, their tools open them anew or they count as torn down, and the model is told. Runs that sleep or wait are not touched.
 */
export class Resources {
	readonly #gate: Gate;
	readonly #appender: Appender;
	/** Runs whose resources this process holds. */
	readonly #held = new Set<RunId>();

	constructor(gate: Gate, appender: Appender) {
		this.#gate = gate;
		this.#appender = appender;
	}

	opened(runId: RunId): void {
		this.#held.add(runId);
	}

	/** Whether there was something to write down: then the run's state is another. Rejects only where the journal can't be written. */
	async restore(runId: RunId, { progress }: RunState, control: RunControl): Promise<boolean> {
		const lost = progress.resources ?? [];
		if (lost.length === 0 || this.#held.has(runId)) return false;
		const reopened: LiveResource[] = [];
		const tornDown: LiveResource[] = [];
		for (const resource of lost) {
			const context = { runId, sessionId: progress.sessionId, signal: control.toolSignal };
			const isOpen = await this.#gate.reopen(resource, context);
			(isOpen ? reopened : tornDown).push(resource);
		}
		if (control.reason) return true;
		if ((await this.#appender.append(runId, { type: 'resources_lost', reopened, tornDown }, control)) !== undefined) this.#held.add(runId);
		return true;
	}
}
