import { z } from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { HearthError, needsOwner, retryable, terminal } from '../../domain/errors.ts';
import type { ServerId } from '../../domain/tool-server.ts';
import type { ResourcePart } from '../../tools/mcp/resource.ts';
import { textOfAnswer } from '../../tools/web/page-text.ts';
import type { SourceReader } from '../ports.ts';
import { checkWanted } from './stopped.ts';

/** Asks a tool server for one of its resources; `ToolServers.readResource`. */
export type ReadResource = (server: ServerId, uri: string, signal: AbortSignal) => Promise<readonly ResourcePart[]>;

const Cursor = z.object({ hash: z.string() });

/** A resource of a tool server: an item whenever it holds something else than before. */
export function createResourceReader({ readResource }: { readResource: ReadResource }): SourceReader<'resource'> {
	return {
		kind: 'resource',
		read: async ({ place, cursor, known, signal, limits }) => {
			checkWanted(signal);
			const parts = await readResource(place.server, place.uri, signal).catch((error: unknown) => Promise.reject(inOwnWords(error)));
			const bytes = parts.reduce((sum, part) => sum + sizeOf(part), 0);
			if (bytes > limits.maxBytes)
				throw terminal('source_unreadable', 'The resource is larger than what is read of a source.', { action: 'Take a smaller one.' });
			const texts: string[] = [];
			let unread = 0;
			for (const part of parts) {
				const text = await textOf(part, place.uri);
				if (text === undefined) unread += 1;
				else if (text.trim() !== '') texts.push(text);
			}
			const text = texts.join('\n\n');
			const hash = sha256(JSON.stringify(parts.map(({ uri, text: words, bytes: raw }) => [uri, words ?? sha256(raw ?? '')])));
			const key = `hash:${hash}`;
			const isSame = Cursor.safeParse(cursor).data?.hash === hash || known([key]);
			const note = unread === 0 ? undefined : `${unread === 1 ? 'One part of it is' : `${unread} parts of it are`} no text.`;
			return {
				items: isSame || text === '' ? [] : [{ keys: [key], title: nameOf(place.uri), url: place.uri, text, fetchedHash: hash }],
				cursor: { hash },
				more: false,
				bytes,
				...(note !== undefined && { note }),
			};
		},
	};
}

function sizeOf({ text, bytes }: ResourcePart): number {
	return text === undefined ? (bytes?.length ?? 0) : Buffer.byteLength(text);
}

/** Undefined where it is none. */
async function textOf({ text, bytes, mimeType }: ResourcePart, uri: string): Promise<string | undefined> {
	const raw = bytes ?? Buffer.from(text ?? '');
	// What a server gives as text is text, whatever it calls it.
	const type = text !== undefined && !/html/i.test(mimeType) ? 'text/plain; charset=utf-8' : mimeType;
	const read = await textOfAnswer(raw, type, URL.canParse(uri) ? new URL(uri) : new URL('resource:unnamed'));
	return read?.text;
}

function nameOf(uri: string): string {
	return uri.replace(/^[a-z][\w+.-]*:\/*/i, '') || uri;
}

/** A server's own words belong into no message. */
function inOwnWords(error: unknown): unknown {
	if (!(error instanceof HearthError)) return error;
	const { code } = error;
	if (code === 'server_refused')
		return terminal('source_missing', 'The tool server does not give this resource.', {
			action: 'Check its address in Settings, Sources, and whether the server still offers it.',
		});
	if (code === 'not_found' || code === 'conflict' || code === 'server_not_set_up') return needsOwner(code, error.message, error.shape);
	if (code === 'server_sign_in' || error.kind === 'retryable') return error;
	return retryable('server_unreachable', 'The tool server is not connected now.');
}
