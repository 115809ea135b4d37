/** A text as lines and sentences, each as it is written. Pure. */

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A full stop after these ends no sentence; nor does one after a number (“am 3. Mai”). */
const GOES_ON =
	/(?:^|[\s(])(?:\p{L}|z\. ?b|d\. ?h|u\. ?a|i\. ?d|e\.g|i\.e|etc|vs|ca|bzw|inkl|exkl|usw|evtl|ggf|nr|no|abs|art|st|str|dr|prof|mr|mrs|ms|hr|fr|tel|max|min|approx|fig|vol|p|pp|\d{1,4})\.\s*$/iu;

/** In UTF-16 units; longer ones are cut where it may be. */
const LONGEST = 4_000;
const LONGEST_ABBREVIATION = 16;

/** Sentences of one line. */
export function sentencesOf(line: string): string[] {
	if (!/[.!?？。؟]\s/u.test(line)) return line.trim() === '' ? [] : [line.trim()];
	const sentences: string[] = [];
	let open = '';
	for (const { segment } of SEGMENTER.segment(line)) {
		open += segment;
		if (open.length < LONGEST && GOES_ON.test(open.slice(-LONGEST_ABBREVIATION))) continue;
		if (open.trim() !== '') sentences.push(open.trim());
		open = '';
	}
	if (open.trim() !== '') sentences.push(open.trim());
	return sentences;
}

export interface Line {
	readonly text: string;
	/** Inside a fence of code. */
	readonly isCode: boolean;
}

export function linesOf(text: string): Line[] {
	let fence: string | undefined;
	return text.split(/\r?\n/).flatMap((line): Line[] => {
		const mark = /^\s{0,3}(?<mark>`{3,}|~{3,})/.exec(line)?.groups?.mark;
		if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
			fence = fence === undefined ? mark : undefined;
			return [];
		}
		return [{ text: line, isCode: fence !== undefined }];
	});
}
