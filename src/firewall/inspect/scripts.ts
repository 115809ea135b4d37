/**
 * Letters of other scripts that look like Latin ones, by what they look like: the part of Unicode's confusables (UTS #39) that Latin words
 * are forged with. Full-width and mathematical letters are none of it: compatibility normalisation turns those into plain ones.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
	a: 'аɑα',
	b: 'Ьв',
	c: 'сϲ',
	d: 'ԁ',
	e: 'еєҽε',
	f: 'ϝ',
	g: 'ɡԍ',
	h: 'һհн',
	i: 'іıιɩ',
	j: 'јϳ',
	k: 'κк',
	l: 'ӏǀ',
	m: 'м',
	n: 'ոη',
	o: 'оοօσ',
	p: 'рρ',
	q: 'ԛ',
	r: 'г',
	s: 'ѕ',
	t: 'тτ',
	u: 'υսц',
	v: 'νѵ',
	w: 'ԝωш',
	x: 'хχ',
	y: 'уүγ',
	z: 'ᴢ',
	A: 'АΑ',
	B: 'ВΒ',
	C: 'СϹ',
	E: 'ЕΕ',
	H: 'НΗ',
	I: 'ІΙӀ',
	J: 'Ј',
	K: 'КΚ',
	M: 'МΜ',
	N: 'Ν',
	O: 'ОΟ',
	P: 'РΡ',
	S: 'Ѕ',
	T: 'ТΤ',
	X: 'ХΧ',
	Y: 'ҮΥУ',
	Z: 'Ζ',
};

const LATIN_FOR = new Map(Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)));

const WORD = /\p{L}[\p{L}\p{M}]*/gu;
const LATIN = /\p{Script=Latin}/u;
/** The scripts with letters that pass for Latin ones. */
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;
/** Shorter ones are units and symbols: `μm`, `πr`. */
const SHORTEST = 3;

export function latinFor(character: string): string | undefined {
	return LATIN_FOR.get(character);
}

export interface ForgedWord {
	readonly start: number;
	readonly end: number;
}

/**
 * Words in which letters of another script stand in for Latin ones: of two scripts at once, or wholly of look-alikes in a text that has no
 * plain word of that script. Words of one script, whichever it is, are none.
 */
export function forgedWords(text: string): ForgedWord[] {
	if (!FOREIGN.test(text)) return [];
	const mixed: ForgedWord[] = [];
	const whole: ForgedWord[] = [];
	let hasForeignWord = false;
	let hasLatinWord = false;
	for (const match of text.matchAll(WORD)) {
		const [word] = match;
		const isForeign = FOREIGN.test(word);
		const isLatin = LATIN.test(word);
		if (isLatin && !isForeign) hasLatinWord = true;
		if (!isForeign) continue;
		const forged = [...word].every((letter) => !FOREIGN.test(letter) || LATIN_FOR.has(letter));
		const place = { start: match.index, end: match.index + word.length };
		if (isLatin && forged && word.length >= SHORTEST) mixed.push(place);
		else if (!isLatin && forged && word.length > SHORTEST) whole.push(place);
		else hasForeignWord = true;
	}
	return hasForeignWord || !hasLatinWord ? mixed : [...mixed, ...whole].sort((a, b) => a.start - b.start);
}
