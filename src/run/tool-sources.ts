import { type ContextSource, OUTSIDE_KINDS, sourceName } from '../domain/context-source.ts';
import type { Label } from '../domain/label.ts';
import type { Tool, ToolOutput } from '../tools/port.ts';

/** What a tool's result counts as where the tool itself does not say. Pure. */

type Declared = Pick<Tool, 'title' | 'sources'>;

/** Of a text that a tool gives back without a label, an error's too: who reads outside text may hand it on in any of its words. */
export function labelWithout({ sources = [] }: Pick<Tool, 'sources'>): Label {
	return sources.some((kind) => (OUTSIDE_KINDS as readonly string[]).includes(kind)) ? 'external' : 'agent';
}

/** The label and the sources of a result, or of an error where there is no output. */
export function madeFrom(
	tool: Declared,
	output: Pick<ToolOutput, 'label' | 'sources'> = {},
): { label: Label; sources: ContextSource[] | undefined } {
	const label = output.label ?? labelWithout(tool);
	if (output.sources) return { label, sources: [...output.sources] };
	const declared = tool.sources?.map((kind): ContextSource => ({ kind, name: sourceName(tool.title), label }));
	return { label, sources: declared };
}
