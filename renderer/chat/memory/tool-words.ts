import type { EntryId } from '../../../src/domain/memory.ts';
import type { ToolPart } from '../../../src/domain/message.ts';

/** What a row of a memory tool shows of its call: words, or the text of an entry; never an id. */
export type Glance = { readonly text: string } | { readonly entryId: EntryId };

const MEMORY_TOOLS = ['memory_search', 'memory_get', 'memory_write', 'memory_forget'];

/** Undefined for other tools. */
export function memoryGlance({ tool, args }: Pick<ToolPart, 'tool' | 'args'>): Glance | undefined {
	if (!MEMORY_TOOLS.includes(tool)) return undefined;
	if (args === null || typeof args !== 'object' || Array.isArray(args)) return { text: '' };
	const named = (name: string): string => {
		const value = args[name];
		return typeof value === 'string' ? value : '';
	};
	const words = [named('query'), named('text'), [named('file'), named('heading')].filter(Boolean).join(', '), named('day')].find(Boolean);
	if (words) return { text: words };
	const id = named('entry').split('@')[0] ?? '';
	return id === '' ? { text: '' } : { entryId: id as EntryId };
}
