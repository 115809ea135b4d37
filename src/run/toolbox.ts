import type { RunId } from '../domain/ids.ts';
import type { ModelTool } from '../model/port.ts';
import type { Tool } from '../tools/port.ts';
import { modelTool, type ToolRegistry } from '../tools/registry.ts';
import type { RunTerms } from './events.ts';

/** The tools of one run: those that exist, as far as its terms name them, and those that are made for it alone. */
export class Toolbox {
	readonly #registry: ToolRegistry;
	readonly #own: (runId: RunId) => readonly Tool[];

	/** `own`: of that run alone, such as the ways out of a workflow's state. Asked anew each time: it must follow from what is stored. */
	constructor(registry: ToolRegistry, own: (runId: RunId) => readonly Tool[] = () => []) {
		this.#registry = registry;
		this.#own = own;
	}

	/** Undefined where there is none, or where the run may not use it. */
	find(runId: RunId, name: string, terms?: RunTerms): Tool | undefined {
		const own = this.#own(runId).find((tool) => tool.name === name);
		if (own) return own;
		return terms && !this.#offers(terms, name) ? undefined : this.#registry.find(name);
	}

	names(runId: RunId, terms?: RunTerms): string[] {
		const registered = this.#registry.names().filter((name) => !terms || this.#offers(terms, name));
		return [...registered, ...this.#own(runId).map(({ name }) => name)];
	}

	/** Why a tool that there may have been is not here now, in one sentence; undefined where no more is known. */
	absence(name: string): string | undefined {
		return this.#registry.absence(name);
	}

	forModel(runId: RunId, terms: RunTerms): ModelTool[] {
		return [...this.#registry.forModel().filter(({ name }) => this.#offers(terms, name)), ...this.#own(runId).map(modelTool)];
	}

	#offers({ tools, kind = 'chat' }: RunTerms, name: string): boolean {
		if (tools !== undefined && !tools.includes(name)) return false;
		return kind === 'chat' || this.#registry.find(name)?.chatOnly !== true;
	}
}
