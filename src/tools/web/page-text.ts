import { HearthError } from '../../domain/errors.ts';
import { cutCodePoints, repairSurrogates } from '../../domain/text.ts';
import { readPdf } from '../../sessions/read-pdf.ts';
import { beginsPage } from './begins-page.ts';
import { decodePage } from './charset.ts';
import { readPage } from './read-page.ts';

/** What can be read of an answer. */
export interface ReadText {
	readonly title: string;
	readonly text: string;
	/** In words, each a part of the line that stands above the text. */
	readonly notes: readonly string[];
}

/** UTF-16 units of an answer that are looked at. */
const MOST_UNITS = 10_000_000;
const HTML = /^(text\/html|application\/xhtml\+xml)$/;
const TEXT = /^(text\/.+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|x-ndjson|jsonl|sql|csv|rtf|graphql|ld\+json))$/;
/** What servers call a page that they know nothing about, or take for a feed. */
const OFTEN_HTML = /^(?:text\/plain|(?:text|application)\/(?:[\w.-]+\+)?xml)$/;

/** The text of a page, a PDF or a text file, whatever the server calls it as long as that makes sense. Undefined where it is none of them. */
export async function textOfAnswer(bytes: Uint8Array, contentType: string, url: URL): Promise<ReadText | undefined> {
	const mime = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
	if (isPdf(bytes)) return pdfText(bytes, url);
	const vague = mime === '' || mime === 'application/octet-stream' || mime === 'binary/octet-stream';
	if (!vague && !HTML.test(mime) && !TEXT.test(mime)) return undefined;
	const decoded = decodePage(bytes, contentType, MOST_UNITS);
	if (decoded === undefined) return undefined;
	const isHtml = HTML.test(mime) || ((vague || OFTEN_HTML.test(mime)) && beginsPage(decoded));
	if (!isHtml) return { title: '', text: repairSurrogates(decoded), notes: [mime === '' ? 'text' : mime] };
	const { title, text, extent, hidden } = await readPage(decoded, url.href);
	const notes = extent === 'article' ? ['its main text'] : [];
	if (extent === 'bare') notes.push('its bare text, since it is too large or too broken to be read as a page: hidden text may stand in it');
	if (hidden > 0) notes.push(`${hidden === 1 ? 'one hidden passage' : `${hidden} hidden passages`} left out`);
	return { title, text, notes };
}

function isPdf(bytes: Uint8Array): boolean {
	return Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-';
}

async function pdfText(bytes: Uint8Array, url: URL): Promise<ReadText> {
	const name = cutCodePoints(decodeURIComponentSafely(url.pathname.split('/').at(-1) ?? ''), 100) || 'the PDF';
	try {
		const { text, pages, pagesRead } = await readPdf(bytes, name);
		if (!/\S/u.test(text)) return { title: '', text: '', notes: ['a PDF without text: its pages are probably pictures'] };
		const read = pagesRead < pages ? `the first ${pagesRead} of ${pages} pages` : pages === 1 ? 'one page' : `${pages} pages`;
		return { title: '', text: repairSurrogates(text).replaceAll('\0', ''), notes: [`PDF, ${read}`] };
	} catch (error) {
		if (error instanceof HearthError) return { title: '', text: '', notes: [`a PDF that can’t be read: ${error.message}`] };
		throw error;
	}
}

function decodeURIComponentSafely(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch (error) {
		if (error instanceof URIError) return text;
		throw error;
	}
}
