import type { MessagePart, NoticePart, ToolPart } from '../../../src/domain/message.ts';

/** The parts of a reply as they are shown: neighbouring tool calls share one box. `key` is the first part's number. */
export type ReplyBlock =
	| { kind: 'text'; key: number; text: string }
	| { kind: 'reasoning'; key: number; text: string }
	| { kind: 'notice'; key: number; notice: NoticePart }
	| { kind: 'tools'; key: number; calls: ToolPart[] };

/** Pure. Empty text and thinking show nothing; attachments belong to what the owner said, memories to the line under it. */
export function replyBlocks(parts: readonly MessagePart[]): ReplyBlock[] {
	const blocks: ReplyBlock[] = [];
	// A reply of very many steps is told as a summary again and again: the newest notice says it.
	const toldLast = parts.findLast(isOwnSummary);
	for (const [key, part] of parts.entries()) {
		const before = blocks.at(-1);
		switch (part.type) {
			case 'text':
			case 'reasoning':
				if (part.text.trim() !== '') blocks.push({ kind: part.type, key, text: part.text });
				break;
			case 'notice':
				if (!isOwnSummary(part) || part === toldLast) blocks.push({ kind: 'notice', key, notice: part });
				break;
			case 'tool':
				if (before?.kind === 'tools') before.calls.push(part);
				else blocks.push({ kind: 'tools', key, calls: [part] });
				break;
			case 'attachment':
			case 'memory':
				break;
		}
	}
	return blocks;
}

function isOwnSummary(part: MessagePart): boolean {
	return part.type === 'notice' && part.code === 'compacted' && part.values.of === 'reply';
}
