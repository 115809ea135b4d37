/** HEARTBEAT.md as lines that say what to watch for, and what not. Pure. */

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const FENCE = /^ {0,3}(?:```|~~~)/;
const HEADING = /^ {0,3}#{1,6}\s/;
const RULE = /^ {0,3}(?:[-*_]\s*){3,}$/;
const FRONT_MATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/;
/** List marks, boxes to tick, quote marks. */
const MARKS = /^\s*(?:>\s*)*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?/;
const LONGEST_LINE = 1_000;
const MOST_LINES = 200;

/** What the owner wrote to be read: without comments, front matter and empty lines at its ends. */
export function withoutComments(heartbeat: string): string {
	return heartbeat
		.replace(FRONT_MATTER, '')
		.replace(COMMENT, '')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}

export interface HeartbeatLine {
	readonly text: string;
	/** The nearest heading above it. */
	readonly under: string;
}

/** A list item or a paragraph each; what is indented below a list item, or goes on in the next line, belongs to it. */
export function linesOf(heartbeat: string): HeartbeatLine[] {
	const lines: { text: string; under: string }[] = [];
	let under = '';
	let isOpen = false;
	for (const line of withoutComments(heartbeat).split(/\r?\n/)) {
		if (line.trim() === '' || RULE.test(line) || FENCE.test(line)) isOpen = false;
		else if (HEADING.test(line)) {
			under = line
				.replace(HEADING, '')
				.replace(/\s#+\s*$/, '')
				.trim();
			isOpen = false;
		} else {
			const text = plainLine(line);
			const last = lines.at(-1);
			if (isOpen && last && !isItem(line)) last.text = `${last.text} ${text}`.slice(0, LONGEST_LINE);
			else if (text !== '') lines.push({ text, under });
			isOpen = true;
		}
	}
	return lines.slice(0, MOST_LINES);
}

function isItem(line: string): boolean {
	return /^\s*(?:>\s*)*(?:[-*+•]|\d{1,3}[.)])\s+/.test(line);
}

function plainLine(line: string): string {
	return line
		.replace(MARKS, '')
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/(\*\*|__|`)(.*?)\1/g, '$2')
		.replace(/\s+/g, ' ')
		.trim()
		.slice(0, LONGEST_LINE);
}
