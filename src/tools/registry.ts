import { z } from 'zod';
import { Json } from '../domain/json.ts';
import type { ModelTool } from '../model/port.ts';
import type { Tool } from './port.ts';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Tools that come and go while runs go on. */
export interface ToolSource {
	/** That can be called. Also one that can't be reached just now: an approved call may have waited for weeks. */
	find(name: string): Tool | undefined;
	/** That are offered to a model now. */
	offered(): readonly Tool[];
	/** Why a tool of this name, which there may have been, is not here now: one sentence. Undefined where nothing is known of it. */
	absence(name: string): string | undefined;
}

const NO_MORE: ToolSource = { find: () => undefined, offered: () => [], absence: () => undefined };

/** The tools that exist, by name. Those that are always there win over those that come. */
export class ToolRegistry {
	readonly #tools = new Map<string, Tool>();
	readonly #more: ToolSource;

	constructor(tools: Iterable<Tool>, more: ToolSource = NO_MORE) {
		for (const tool of tools) {
			if (!NAME.test(tool.name)) throw new Error(`tool name ${tool.name} is not snake_case`);
			if (this.#tools.has(tool.name)) throw new Error(`two tools are named ${tool.name}`);
			this.#tools.set(tool.name, tool);
		}
		this.#more = more;
	}

	find(name: string): Tool | undefined {
		return this.#tools.get(name) ?? this.#more.find(name);
	}

	names(): string[] {
		return this.#offered().map(({ name }) => name);
	}

	/** What a model is told of them. */
	forModel(): ModelTool[] {
		return this.#offered().map(modelTool);
	}

	/** Why there is no tool of this name now, where more is known than that. */
	absence(name: string): string | undefined {
		return this.find(name) ? undefined : this.#more.absence(name);
	}

	#offered(): Tool[] {
		const own = [...this.#tools.values()].filter((tool) => tool.offered?.() !== false);
		return [...own, ...this.#more.offered().filter(({ name }) => NAME.test(name) && !this.#tools.has(name))];
	}
}

export function modelTool({ name, description, schema, parameters, describedBy }: Tool): ModelTool {
	return { name, description, parameters: parameters ?? parametersOf(schema), ...(describedBy && { describedBy }) };
}

const Parameters = z.record(z.string(), Json);

function parametersOf(schema: z.ZodType): ModelTool['parameters'] {
	const { $schema: _, ...parameters } = Parameters.parse(z.toJSONSchema(schema, { io: 'input' }));
	return parameters;
}
