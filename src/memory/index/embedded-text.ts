import { parseSpeaker, withoutVocatives } from '../search/speakers.ts';

/** Characters of a window: models of this size read some 250 word pieces and ignore the rest. */
const WINDOW = 700;
/** A long table or listing is not worth more vectors than these; words find the rest. */
const MAX_WINDOWS = 32;

/**
 * What of an entry is turned into vectors: its words without speaker, marks and names called out, under its nearest heading; a long entry
 * in several windows, cut at lines, else at sentences or words. `people`: who speaks in the same file.
 */
export function embeddedTexts(body: string, headingPath: readonly string[], people: readonly string[]): string[] {
	const { said } = parseSpeaker(body);
	const plain = plainWords(withoutVocatives(said, people));
	const heading = headingPath.at(-1);
	const about = heading && !plain.includes(heading) ? `${plainWords(heading)}: ` : '';
	return windowsOf(plain === '' ? body : plain).map((window) => `${about}${window}`);
}

/** Without Markdown's marks: they are noise to a model of sentences. */
function plainWords(text: string): string {
	return text
		.replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/gu, '$1')
		.replace(/(^|\s)[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}(?=[\s.,;:!?)]|$)/gu, '$1')
		.replace(/^\s*(?:#{1,6}|>|[-*+])\s+/gmu, '')
		.replace(/^\s*\|?[\s:|-]{3,}\|?\s*$/gmu, '')
		.replace(/\s*\|\s*/gu, ' | ')
		.trim();
}

function windowsOf(text: string): string[] {
	if (text.length <= WINDOW) return [text];
	const windows: string[] = [];
	let current = '';
	for (const piece of text.split('\n').flatMap(shortPieces)) {
		if (current !== '' && current.length + piece.length + 1 > WINDOW) {
			windows.push(current);
			current = '';
			if (windows.length === MAX_WINDOWS) return windows;
		}
		current = current === '' ? piece : `${current}\n${piece}`;
	}
	if (current.trim() !== '') windows.push(current);
	return windows;
}

function shortPieces(line: string): string[] {
	if (line.length <= WINDOW) return line.trim() === '' ? [] : [line];
	const pieces: string[] = [];
	for (let rest = line; rest.length > 0; ) {
		const cut = rest.length <= WINDOW ? rest.length : cutBefore(rest);
		pieces.push(rest.slice(0, cut).trim());
		rest = rest.slice(cut).trimStart();
	}
	return pieces.filter((piece) => piece !== '');
}

/** The last end of a sentence in the second half of the window, else the last space, else the window's end between two characters. */
function cutBefore(text: string): number {
	const window = text.slice(0, WINDOW);
	const sentence = Math.max(window.lastIndexOf('. '), window.lastIndexOf('! '), window.lastIndexOf('? '), window.lastIndexOf('。'));
	if (sentence > WINDOW / 2) return sentence + 1;
	const space = window.lastIndexOf(' ');
	if (space > WINDOW / 2) return space;
	return /[\uD800-\uDBFF]$/u.test(window) ? WINDOW - 1 : WINDOW;
}
