/** Who says it, in entries of the form "Name: text": notes of meetings and talks, transcripts. All pure. */

const SPEAKER = /^(\p{Lu}[\p{L}\p{M}'’.-]*(?: \p{Lu}[\p{L}\p{M}'’.-]*){0,2}):\s+(?=\S)/u;

/** Words before a colon that are labels, never names. */
const LABELS = new Set(
	`action address answer area author birthday call cause code contact cost date deadline decision definition description done due email
	example file from goal hint how idea important info input issue key link location method mobile model name next note number open output
	owner password people person phone place plan pin point price problem question reason reminder result room rule see size source speaker
	start state status step subject summary task tel tip title to todo topic type update url user version warning website what when where
	who why adresse achtung aufgabe beispiel betreff datum entscheidung ergebnis ersteller folge frage frist geburtstag grund hinweis idee
	kosten kunde nächstes name notiz nummer offen ort passwort preis problem quelle stand telefon termin thema titel uhrzeit wann warum was
	wer wichtig wie wo ziel zusammenfassung`
		.split(/\s+/)
		.filter((word) => word !== ''),
);

export interface Said {
	readonly speaker: string | undefined;
	/** The text without the speaker. */
	readonly said: string;
}

export function parseSpeaker(text: string): Said {
	const match = SPEAKER.exec(text);
	const speaker = match?.[1];
	if (!match || speaker === undefined || LABELS.has(speaker.toLowerCase())) return { speaker: undefined, said: text };
	return { speaker, said: text.slice(match[0].length) };
}

const FIRST_PERSON = /\b(?:I|I['’]\p{L}+|my|me|mine|we|our|us|ich|mein\p{L}*|mir|mich|wir|unser\p{L}*|uns)\b/u;

/** Whether somebody speaks of themselves in it. */
export function isFirstPerson(text: string): boolean {
	return FIRST_PERSON.test(text);
}

const GREETING = 'hey|hi|hello|thanks|thank you|wow|yeah|yes|no|sure|ok|okay|bye|congrats|oh|so|well|hallo|danke|ja|nein|na|ach|also';
const cachedVocatives = new Map<string, RegExp>();

/**
 * `text` without names called out to somebody ("Thanks, Anna!"), of the given people or short forms of their names. A name there says who
 * is spoken to, not what it is about, yet would make its sentence look like one about that person.
 */
export function withoutVocatives(text: string, people: readonly string[]): string {
	if (people.length === 0) return text;
	const key = people.join('\n');
	let pattern = cachedVocatives.get(key);
	if (!pattern) {
		const names = people.flatMap(shortForms).sort((a, b) => b.length - a.length);
		pattern = new RegExp(`(^|[.!?;:,–—]\\s*|\\b(?:${GREETING})\\s+)(?:${names.join('|')})(?=\\s*(?:[,.!?;:–—]|$))`, 'giu');
		if (cachedVocatives.size > 200) cachedVocatives.clear();
		cachedVocatives.set(key, pattern);
	}
	const stripped = text
		.replace(pattern, (_, before: string) => before.replace(/,\s*$/u, ''))
		.replace(/\s+([,.!?])/gu, '$1')
		.replace(/^[\s,.!?]+/u, '')
		.trim();
	return stripped === '' ? text : stripped;
}

/** "Melanie" is also called "Mel", "Mela" … */
function shortForms(name: string): string[] {
	const first = name.split(' ')[0] ?? name;
	const forms = [name, first];
	for (let length = 3; length < first.length; length++) forms.push(first.slice(0, length));
	return [...new Set(forms)].map((form) => form.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&'));
}
