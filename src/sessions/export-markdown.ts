import { assertNever } from '../domain/assert-never.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Message, MessagePart, MessageStatus, ToolPart } from '../domain/message.ts';
import type { Session } from './session-store.ts';

/** The chosen branch of a session for people to read, in any Markdown viewer. */
export function exportMarkdown(session: Session, messages: readonly Message[], now: Timestamp): string {
	const count = messages.length === 1 ? '1 message' : `${messages.length} messages`;
	const head = `# ${inline(session.title)}\n\nExported from Hearth on ${dateTime(now)}. ${count}, begun on ${dateTime(session.createdAt)}.`;
	return `${[head, ...messages.map(messageMarkdown)].join('\n\n---\n\n')}\n`;
}

function messageMarkdown(message: Message): string {
	const who = message.role === 'user' ? 'You' : 'Hearth';
	const model = message.modelName === undefined ? '' : `, ${inline(message.modelName)}`;
	const blocks = [`## ${who}\n\n*${dateTime(message.createdAt)}${model}*`, ...message.parts.map(partMarkdown)];
	const remark = STATUS_REMARKS[message.status];
	if (remark) blocks.push(`*${remark}*`);
	if (message.error) blocks.push(`*${inline(message.error.message)}*`);
	return blocks.filter((block) => block !== '').join('\n\n');
}

const STATUS_REMARKS: Record<MessageStatus, string | undefined> = {
	complete: undefined,
	streaming: 'This reply was still being written when it was exported.',
	waiting: 'This reply was waiting for your answer when it was exported.',
	interrupted: 'This reply was interrupted.',
	stopped: 'This reply was stopped.',
	failed: 'This reply failed.',
};

function partMarkdown(part: MessagePart): string {
	switch (part.type) {
		case 'text':
			return part.text.trim();
		case 'reasoning':
			return folded('Reasoning', quoted(part.text.trim()));
		case 'attachment':
			return `Attached: **${inline(part.attachment.name)}** (${part.attachment.mime}, ${size(part.attachment.bytes)})`;
		case 'tool':
			return toolMarkdown(part);
		case 'notice':
		case 'memory':
			return '';
		default:
			return assertNever(part);
	}
}

function toolMarkdown(part: ToolPart): string {
	const outcome = part.result?.summary ?? part.status;
	const result = part.result ? `\n\nResult:\n\n${fenced(part.result.text, '')}` : '';
	return folded(`Tool: ${part.tool} (${outcome})`, `Arguments:\n\n${fenced(JSON.stringify(part.args, undefined, 2), 'json')}${result}`);
}

function folded(summary: string, body: string): string {
	return `<details>\n<summary>${html(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** A fence longer than any run of backticks inside, so that nothing breaks out of it. */
function fenced(text: string, language: string): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}${language}\n${text}\n${fence}`;
}

/** As a quotation, in which a closing tag of the text cannot end the fold. */
function quoted(text: string): string {
	return text
		.replace(/<(?=\/?(?:details|summary)\b)/gi, '&lt;')
		.split('\n')
		.map((line) => `> ${line}`.trimEnd())
		.join('\n');
}

/** Text of one line in which nothing is markup. */
function inline(text: string): string {
	return html(text.replace(/\s+/gu, ' ').trim()).replace(/[\\`*_[\]#|]/g, '\\$&');
}

function html(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** In UTC, so that the file says the same on every machine. */
function dateTime(at: Timestamp): string {
	return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function size(bytes: number): string {
	if (bytes < 1024) return `${bytes} bytes`;
	return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
