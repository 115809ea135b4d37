import type { Message } from '../../domain/message.ts';
import { cutCodePoints } from '../../domain/text.ts';

/** Messages as text for a model that writes notes on them: numbered, without what attachments hold. Pure. */

/** Of a result, in UTF-16 units. */
const SHOWN_RESULT = 1_500;

export function transcriptOf(messages: readonly Message[], number: number): string {
	return messages
		.map((message, index) => {
			const lines = message.parts.flatMap((part) => {
				switch (part.type) {
					case 'text':
						return part.text.trim() === '' ? [] : [part.text.trim()];
					case 'attachment':
						return [`(attached: ${part.attachment.name})`];
					case 'tool':
						return [
							`(used ${part.tool} ${cutCodePoints(JSON.stringify(part.args), SHOWN_RESULT)}: ${cutCodePoints(part.result?.text ?? part.status, SHOWN_RESULT)})`,
						];
					default:
						return [];
				}
			});
			return lines.length === 0 ? '' : `[${number + index}] ${message.role === 'user' ? 'Owner' : 'Agent'}: ${lines.join('\n')}`;
		})
		.filter((text) => text !== '')
		.join('\n\n');
}
