import { JobThread } from '../../base/job-thread.ts';
import type { MailPart } from '../../net/mail-reading.ts';
import { readPage } from '../../tools/web/read-page.ts';
import { MailContent, type MailJob, oneLine, READS_MAILS } from './mail-words.ts';

/** What people read of a mail, out of the pieces of it that were fetched. */

const MOST_PARTS = 4;
const MOST_NAMES = 20;
const LONGEST_NAME = 120;
/** A plain text so much shorter than the page beside it says only that there is a page. */
const STUB_SHARE = 50;
const TIME_MS = 10_000;

const thread = new JobThread<MailJob, MailContent>({
	load: async () => (await import('./mail-worker.ts')).workerUrl,
	purpose: READS_MAILS,
	answer: MailContent,
	heapMb: 256,
});

export type MailHeader = Pick<MailContent, 'subject' | 'from' | 'messageId' | 'sentAt'>;

/** In place of a text. */
export const UNREADABLE = '(The text of this mail can’t be read.)';

/** Empty where it is too much to be read. */
export async function readHeader(header: Uint8Array): Promise<MailHeader> {
	return (await contentOf(Buffer.concat([header, Buffer.from('\r\n\r\n')]))) ?? { subject: '', from: '', messageId: '' };
}

export interface ChosenParts {
	/** Parts to fetch, in their order. */
	readonly texts: readonly (MailPart & { readonly part: string })[];
	/** Of what is attached. */
	readonly names: readonly string[];
	readonly isEncrypted: boolean;
}

/** Which parts of a mail are its text, and what the others are called. Pure. */
export function chooseParts(root: MailPart): ChosenParts {
	const texts: (MailPart & { readonly part: string })[] = [];
	const names: string[] = [];
	let isEncrypted = false;
	const walk = (node: MailPart): void => {
		const type = node.type.toLowerCase();
		if (type === 'multipart/encrypted') isEncrypted = true;
		else if (type === 'multipart/alternative') {
			const best = bestOf((node.childNodes ?? []).filter((child) => !isAttached(child)));
			for (const child of node.childNodes ?? []) if (child === best || isAttached(child)) walk(child);
		} else if (type.startsWith('multipart/')) for (const child of node.childNodes ?? []) walk(child);
		else if (!isAttached(node) && (type === 'text/plain' || type === 'text/html')) {
			if (texts.length < MOST_PARTS) texts.push({ ...node, part: node.part ?? '1' });
		} else if (!/^application\/(?:pgp|(?:x-)?pkcs7)-signature$/.test(type)) names.push(nameOf(node, type));
	};
	walk(root);
	return { texts, names: names.slice(0, MOST_NAMES), isEncrypted };
}

/** What was fetched of a part, as plain text. */
export async function textOfPart(part: MailPart, content: Uint8Array): Promise<string> {
	const charset = part.parameters?.charset?.replace(/[^\w.:-]/g, '');
	const flowed = part.parameters?.format?.toLowerCase() === 'flowed' ? '; format=flowed' : '';
	const delSp = part.parameters?.delsp?.toLowerCase() === 'yes' ? '; delsp=yes' : '';
	const head = [
		`Content-Type: ${part.type.replace(/[^\w./+-]/g, '')}${charset ? `; charset="${charset}"` : ''}${flowed}${delSp}`,
		`Content-Transfer-Encoding: ${part.encoding?.replace(/[^\w-]/g, '') || '7bit'}`,
	].join('\r\n');
	return plain(await contentOf(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), content])));
}

/** Of the first bytes of a mail whose parts nobody could name. */
export async function textOfSource(source: Uint8Array): Promise<{ text: string; names: string[] }> {
	const content = await contentOf(source);
	return { text: await plain(content), names: (content?.names ?? []).map((name) => name.slice(0, LONGEST_NAME)) };
}

/** Undefined where it is too much for the thread. */
function contentOf(bytes: Uint8Array): Promise<MailContent | undefined> {
	return thread.run({ bytes: new Uint8Array(bytes) }, TIME_MS);
}

async function plain(content: MailContent | undefined): Promise<string> {
	if (!content) return UNREADABLE;
	const { text, html } = content;
	return text !== '' || html === '' ? text : (await readPage(html, 'https://mail.invalid/')).text;
}

function bestOf(alternatives: readonly MailPart[]): MailPart | undefined {
	const page = alternatives.find((node) => hasType(node, 'text/html'));
	const text = alternatives.find((node) => hasType(node, 'text/plain'));
	if (text && page && sizeOf(text) * STUB_SHARE < sizeOf(page) && sizeOf(text) < 500) return page;
	return text ?? page ?? alternatives.at(-1);
}

/** It, or one of the parts that belong together in it. */
function hasType(node: MailPart, type: string): boolean {
	return node.type.toLowerCase() === type || (node.childNodes ?? []).some((child) => !isAttached(child) && hasType(child, type));
}

function sizeOf(node: MailPart): number {
	return (node.size ?? 0) + (node.childNodes ?? []).reduce((sum, child) => sum + sizeOf(child), 0);
}

function isAttached({ disposition }: MailPart): boolean {
	return disposition?.toLowerCase() === 'attachment';
}

function nameOf(node: MailPart, type: string): string {
	const name = node.dispositionParameters?.filename ?? node.parameters?.name ?? '';
	return oneLine(name).slice(0, LONGEST_NAME) || type.slice(0, LONGEST_NAME);
}
