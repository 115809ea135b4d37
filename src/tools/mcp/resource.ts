import type { ReadResourceResult } from '@modelcontextprotocol/client';

/** One content of a resource: text, or bytes. */
export interface ResourcePart {
	readonly uri: string;
	/** Empty where the server does not say. */
	readonly mimeType: string;
	readonly text?: string;
	readonly bytes?: Uint8Array;
}

export function partsOf({ contents }: Pick<ReadResourceResult, 'contents'>): ResourcePart[] {
	return contents.map((part) => ({
		uri: part.uri,
		mimeType: part.mimeType ?? '',
		...('text' in part ? { text: part.text } : { bytes: Buffer.from(part.blob, 'base64') }),
	}));
}
