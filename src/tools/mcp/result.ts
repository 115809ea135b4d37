import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { repairSurrogates } from '../../domain/text.ts';

/** What a server's tool gave, as text. What is no text is said, not shown. */
export function resultText({ content, structuredContent }: Pick<CallToolResult, 'content' | 'structuredContent'>): string {
	const blocks = content.map(blockText);
	// Servers repeat it as text, for clients that know no other.
	const isSaid = content.some(({ type }) => type === 'text');
	if (structuredContent !== undefined && !isSaid) blocks.push(JSON.stringify(structuredContent, null, 2));
	return repairSurrogates(blocks.join('\n\n')) || 'It gave back nothing.';
}

function blockText(block: ContentBlock): string {
	switch (block.type) {
		case 'text':
			return block.text;
		case 'image':
		case 'audio':
			return `[${block.type === 'image' ? 'An image' : 'Sound'}, ${block.mimeType}, ${kilobytes(block.data)}: not shown]`;
		case 'resource_link':
			return `[A link to “${block.title ?? block.name}”: ${block.uri}]${block.description ? `\n${block.description}` : ''}`;
		case 'resource': {
			const { resource } = block;
			if ('text' in resource) return `[${resource.uri}]\n${resource.text}`;
			return `[${resource.uri}, ${resource.mimeType ?? 'of unknown kind'}, ${kilobytes(resource.blob)}: not shown]`;
		}
		default:
			return '[Something that Hearth does not know: not shown]';
	}
}

function kilobytes(base64: string): string {
	return `${Math.ceil((base64.length * 3) / 4 / 1024)} KB`;
}
