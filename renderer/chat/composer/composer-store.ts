import { create } from 'zustand';
import { MAX_ATTACHMENT_BYTES } from '../../../src/contract/methods/chat.ts';
import { createStrings } from '../../../src/contract/strings/index.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import type { AttachmentInfo } from '../../../src/domain/message.ts';
import { call, shapeOf } from '../../connection/index.ts';
import { MAX_ATTACHMENTS } from './limits.ts';

const strings = createStrings();

export interface ComposerEntry {
	readonly attachments: readonly AttachmentInfo[];
	/** Names of files that are being read. */
	readonly reading: readonly string[];
	/** What went wrong last; null where nothing did. */
	readonly problem: string | null;
	readonly sending: boolean;
}

const nothing: ComposerEntry = { attachments: [], reading: [], problem: null, sending: false };

/** What goes with the text of each session's composer. The text itself lives in its field, so that a key renders nothing else. */
export const useComposers = create<{ readonly bySession: Readonly<Record<string, ComposerEntry>> }>()(() => ({ bySession: {} }));

export function composerOf(sessionId: string): ComposerEntry {
	return useComposers.getState().bySession[sessionId] ?? nothing;
}

export function useComposer(sessionId: string): ComposerEntry {
	return useComposers((state) => state.bySession[sessionId] ?? nothing);
}

export function changeComposer(sessionId: string, change: (before: ComposerEntry) => Partial<ComposerEntry>): void {
	useComposers.setState((state) => {
		const before = state.bySession[sessionId] ?? nothing;
		return { bySession: { ...state.bySession, [sessionId]: { ...before, ...change(before) } } };
	});
}

export function removeAttachment(sessionId: string, attachmentId: string): void {
	changeComposer(sessionId, ({ attachments }) => ({ attachments: attachments.filter(({ id }) => id !== attachmentId) }));
}

/** Reads files and attaches them, one after the other. Never rejects: what went wrong stands in the composer. */
export async function attachFiles(sessionId: SessionId, files: readonly File[]): Promise<void> {
	changeComposer(sessionId, () => ({ problem: null }));
	for (const file of files) {
		const { attachments, reading } = composerOf(sessionId);
		if (attachments.length + reading.length >= MAX_ATTACHMENTS) {
			changeComposer(sessionId, () => ({ problem: strings('compose.tooMany') }));
			return;
		}
		if (file.size > MAX_ATTACHMENT_BYTES) {
			changeComposer(sessionId, () => ({ problem: strings('compose.tooBig', { name: file.name }) }));
			continue;
		}
		await attachOne(sessionId, file);
	}
}

async function attachOne(sessionId: SessionId, file: File): Promise<void> {
	const { name } = file;
	changeComposer(sessionId, ({ reading }) => ({ reading: [...reading, name] }));
	try {
		const content = await base64(file);
		const info = await call((client) => client.chat.attach({ sessionId, name: name.slice(-255), mime: file.type.slice(0, 120), content }));
		changeComposer(sessionId, ({ attachments }) => ({ attachments: [...attachments, info] }));
	} catch (error) {
		const { message, action } = shapeOf(error);
		const problem = [message, action].filter(Boolean).join(' ');
		changeComposer(sessionId, () => ({ problem: strings('compose.attachFailed', { name, problem }) }));
	} finally {
		changeComposer(sessionId, ({ reading }) => {
			const at = reading.indexOf(name);
			return { reading: reading.filter((_other, index) => index !== at) };
		});
	}
}

/** The browser's own reader encodes off the page's thread: a big file blocks no frame. */
function base64(file: Blob): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.addEventListener('load', () => {
			const address = String(reader.result);
			resolve(address.slice(address.indexOf(',') + 1));
		});
		reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')));
		reader.readAsDataURL(file);
	});
}

let pasted = 0;

/** A long text as a file of its own (chat-1). */
export function textFile(text: string): File {
	pasted += 1;
	return new File([text], strings('compose.pasteName', { n: pasted }), { type: 'text/plain' });
}
