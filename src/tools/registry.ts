import { z } from 'zod';
import { Json } from '../domain/json.ts';
import type { ModelTool } from '../model/port.ts';
import type { Tool } from './port.ts';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** The tools that exist, by name. */
export class ToolRegistry {
	readonly #tools = new Map<string, Tool>();

	constructor(tools: Iterable<Tool>) {
		for (const tool of tools) {
			if (!NAME.test(tool.name)) throw new Error(`tool name ${tool.name} is not snake_case`);
			if (this.#tools.has(tool.name)) throw new Error(`two tools are named ${tool.name}`);
			this.#tools.set(tool.name, tool);
		}
	}

	find(name: string): Tool | undefined {
		return this.#tools.get(name);
	}

	names(): string[] {
		return [...this.#tools.keys()];
	}

	/** What a model is told of them. */
	forModel(): ModelTool[] {
		return [...this.#tools.values()].map(modelTool);
	}
}

export function modelTool({ name, description, schema }: Tool): ModelTool {
	return { name, description, parameters: parametersOf(schema) };
}

const Parameters = z.record(z.string(), Json);

function parametersOf(schema: z.ZodType): ModelTool['parameters'] {
	const { $schema: _, ...parameters } = Parameters.parse(z.toJSONSchema(schema, { io: 'input' }));
	return parameters;
}
