import { z } from 'zod';
import { ContextSource } from '../domain/context-source.ts';
import { ErrorShape } from '../domain/errors.ts';
import type { MessageId, RunId, SessionId } from '../domain/ids.ts';
import { Label } from '../domain/label.ts';
import { type Message, MessagePart, MessageStatus } from '../domain/message.ts';
import { ModelRef, Usage } from '../domain/model.ts';
import { repairSurrogates, repairSurrogatesDeep } from '../domain/text.ts';

/** A row of `messages` as SQLite gives it, with the ids of all versions at its place. */
export interface MessageRow {
	id: string;
	session_id: string;
	parent_id: string | null;
	role: 'user' | 'assistant';
	/** JSON: MessagePart[]. */
	parts: string;
	status: string;
	error: string | null;
	run_id: string | null;
	model: string | null;
	model_name: string | null;
	usage: string | null;
	label: string;
	/** JSON: ContextSource[]. */
	sources: string | null;
	created_at: number;
	/** JSON: string[], oldest first. */
	versions: string;
}

const Parts = z.array(MessagePart);
const Versions = z.array(z.string());
const Sources = z.array(ContextSource);
/** Half of a pair, as JSON writes it; looked for before the costly repair. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** Everything of a message but its parts. */
export type MessageHead = Omit<Message, 'parts'>;

export function messageOf(row: MessageRow): Message {
	return { ...headOf(row), parts: partsOf(row.parts) };
}

export function headOf(row: Omit<MessageRow, 'parts'>): MessageHead {
	return {
		id: row.id as MessageId,
		sessionId: row.session_id as SessionId,
		parentId: row.parent_id as MessageId | null,
		role: row.role,
		status: MessageStatus.parse(row.status),
		runId: row.run_id as RunId | null,
		label: Label.parse(row.label),
		createdAt: row.created_at,
		versions: Versions.parse(JSON.parse(row.versions)) as MessageId[],
		...(row.error !== null && { error: ErrorShape.parse(JSON.parse(row.error)) }),
		...(row.model !== null && { model: ModelRef.parse(JSON.parse(row.model)) }),
		...(row.model_name !== null && { modelName: row.model_name }),
		...(row.sources !== null && { sources: Sources.parse(JSON.parse(row.sources)) }),
		...(row.usage !== null && { usage: Usage.parse(JSON.parse(row.usage)) }),
	};
}

/** chat-4: text that an older version or an import cut in the middle of an emoji is repaired whenever it is read. */
export function partsOf(json: string): MessagePart[] {
	const parts = Parts.parse(JSON.parse(json));
	return ESCAPED_SURROGATE.test(json) ? repairSurrogatesDeep(parts) : parts;
}

export function partJson(part: MessagePart): string {
	return JSON.stringify(repairSurrogatesDeep(MessagePart.parse(part)));
}

/** What full-text search sees of a message: its text and the names of its files, without the marks snippets use. */
export function searchText(parts: readonly MessagePart[]): string {
	const texts = parts.flatMap((part) => {
		if (part.type === 'text') return [part.text];
		return part.type === 'attachment' ? [part.attachment.name] : [];
	});
	return repairSurrogates(texts.join('\n\n')).replace(/[\uE000\uE001\0]/g, ' ');
}
