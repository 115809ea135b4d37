import { sentences } from './made-notes.ts';
import { seeded } from './numbers.ts';

/** Long conversations with things in them that must not get lost: made from small grammars, different in each session, the same in each run. */

export type PlantedKind = 'decision' | 'commitment' | 'question' | 'note' | 'number' | 'name';
export interface Planted {
	readonly kind: PlantedKind;
	/** Word for word as it stands in the message. */
	readonly text: string;
	/** It says what it is: `Decision: …`. */
	readonly marked: boolean;
}
export interface Turn {
	readonly owner: string;
	readonly agent: string;
	readonly planted: readonly Planted[];
}

type Language = 'en' | 'de';
type Random = () => number;

const list = (text: string): readonly string[] => text.split('|').map((part) => part.trim());
const THINGS = {
	en: list(
		'the kitchen|the north wing|the newsletter|the invoice export|the bicycle shed|the summer camp|the choir tour|the water meter|the tenants’ list|the archive|the greenhouse|the ticket shop|the staff canteen|the roof terrace|the library card',
	),
	de: list(
		'die Küche|der Nordflügel|der Rundbrief|der Rechnungsexport|der Fahrradschuppen|das Sommerlager|die Chorreise|der Wasserzähler|die Mieterliste|das Archiv|das Gewächshaus|der Kartenverkauf|die Kantine|die Dachterrasse|der Bibliotheksausweis',
	),
};
const PEOPLE = list('Petra|Mr. Ito|Anna|Jonas|Dr. Haddad|Ms. Okafor|Ben|Priya|Lea|Tom');
const HOW = {
	en: list(
		'dark green|in two stages|without a deposit|on Fridays only|with the old supplier|by hand|in Lisbon|under one roof|with a waiting list|for members first|at the side entrance|by lottery',
	),
	de: list(
		'dunkelgrün|in zwei Schritten|ohne Anzahlung|nur freitags|mit dem alten Lieferanten|von Hand|in Lissabon|unter einem Dach|mit Warteliste|zuerst für Mitglieder|am Seiteneingang|per Los',
	),
};

/** As people say such things; some of it no rule will know. */
const UNMARKED: Readonly<Record<Language, Readonly<Record<PlantedKind, readonly string[]>>>> = {
	en: {
		decision: list(
			'We decided that {thing} is done {how}.|So it is agreed: {thing}, {how}.|Let’s go with {person} for {thing}.|We will do {thing} {how}.|I have settled on {how} for {thing}.|From now on {person} handles {thing}.|No, drop {thing}, we do it {how} instead.|{person} it is, then, for {thing}.|The board approved {thing}, {how}.|Fine, {thing} {how}, and that is final.',
		),
		commitment: list(
			'I will send {person} the draft of {thing} tomorrow.|{person} promised to look after {thing} by Friday.|I’ll call {person} about {thing}.|You have to renew {thing} before the end of the month.|Remind me of {thing} on Monday.|{person} takes care of {thing} until I am back.',
		),
		question: list(
			'Who pays {person} for {thing}?|Is {thing} insured at all?|When does {person} hand over {thing}?|What happens to {thing} if {person} leaves?',
		),
		note: list('Never mention {thing} to {person}.|Always copy {person} when you write about {thing}.|I prefer {thing} {how}.'),
		number: list(
			'{thing} costs {n},{m}00 € a year.|The contract for {thing} has the number KD-{n}{m}8{n}.|{person} wants {m} % of {thing}.|The handover of {thing} is on {d} October 2027.|{person} can be reached at 030 {n}{m}44{n}.|There are {n}{m} people waiting for {thing}.',
		),
		name: list(
			'It is all in plans/{word}-{n}.pdf if you need it.|I put the table into {word}{n}_final.xlsx for {person}.|See https://example.org/{word}/{n} for {thing}.|The log is at /var/log/{word}/{n}.log on the old machine.',
		),
	},
	de: {
		decision: list(
			'Wir haben entschieden, dass es {how} gemacht wird: {thing}.|Dann ist vereinbart: {thing}, {how}.|Wir nehmen {person} für {thing}.|Es bleibt dabei: {thing}, {how}.|Ab jetzt kümmert sich {person} darum: {thing}.|Nein, {thing} streichen wir.|Dann eben {person}: {thing}.|Der Vorstand hat es genehmigt: {thing}, {how}.|Gut, {thing} {how}, dabei bleibt es.',
		),
		commitment: list(
			'Ich schicke {person} morgen den Entwurf: {thing}.|{person} hat mir das bis Freitag versprochen: {thing}.|Ich rufe {person} deswegen an: {thing}.|Das muss bis Ende des Monats erneuert werden: {thing}.|Erinnere mich am Montag daran: {thing}.',
		),
		question: list(
			'Wer bezahlt {person} eigentlich dafür: {thing}?|Ist das überhaupt versichert: {thing}?|Wann übergibt {person} das alles?|Was passiert damit, wenn {person} geht?',
		),
		note: list(
			'Schreib {person} nie darüber: {thing}.|Setz bei diesem Thema immer {person} in Kopie: {thing}.|Am liebsten {how}: {thing}.',
		),
		number: list(
			'Das kostet {n}.{m}00 € im Jahr: {thing}.|Der Vertrag dazu hat die Nummer KD-{n}{m}8{n}.|{person} möchte {m} % davon.|Die Übergabe ist am {d}. Oktober 2027: {thing}.|{person} erreicht man unter 030 {n}{m}44{n}.|Es warten {n}{m} Personen: {thing}.',
		),
		name: list(
			'Steht alles in plaene/{word}-{n}.pdf, falls du es brauchst.|Die Tabelle liegt als {word}{n}_final.xlsx bei {person}.|Siehe https://example.org/{word}/{n} dazu.|Das Protokoll liegt unter /var/log/{word}/{n}.log auf dem alten Rechner.',
		),
	},
};
/** What stands between these is planted; a name is only the name. */
const NAME = /(?:https?:\/\/|\/var\/)[^\s]+|[\w/-]+\.(?:pdf|xlsx)/;

const MARKS: Readonly<Record<Language, Readonly<Partial<Record<PlantedKind, readonly string[]>>>>> = {
	en: {
		decision: list(
			'Decision: {it}|**Decision:** {it}|- Decided: {it}|> Decision: {it}|Agreed: {it}|Decision (final): {it}|Good. Decision: {it}',
		),
		question: list('Open question: {it}|- **Open question:** {it}|Unresolved: {it}'),
		commitment: list('Commitment: {it}|To-do: {it}|- [ ] {it}|Action item: {it}'),
		note: list('Remember: {it}|Important: {it}'),
	},
	de: {
		decision: list(
			'Entscheidung: {it}|**Entscheidung:** {it}|- Beschlossen: {it}|> Beschluss: {it}|Vereinbart: {it}|Gut. Entscheidung: {it}',
		),
		question: list('Offene Frage: {it}|- **Offene Frage:** {it}|Zu klären: {it}'),
		commitment: list('Zusage: {it}|To-do: {it}|- [ ] {it}|Aufgabe: {it}'),
		note: list('Merke dir: {it}|Wichtig: {it}'),
	},
};
const BARE: Readonly<Record<Language, readonly string[]>> = {
	en: list('{thing} {how}, by {person}.|{person} does {thing} {how}.|{thing}: {how}.|no more {thing} without {person}'),
	de: list('{thing} {how}, durch {person}.|{person} macht es {how}: {thing}.|{thing}: {how}.|nichts mehr ohne {person}: {thing}'),
};
const FILLER_DE = list(
	'Gestern war es lange hell, und im Hof spielten noch Kinder.|Der Bus kam wieder zu spät, aber das kennt man ja.|Im Garten blühen die Astern, und die Amseln sind laut.|Zum Frühstück gab es Brot mit Quittengelee.|Die Nachbarin erzählte von ihrer Reise an die See.|Das Radio lief leise, während draußen der Regen fiel.|Auf dem Markt roch es nach Kaffee und Zimt.|Am Fluss lagen die Boote kieloben im Gras.|Er las die Zeitung von hinten nach vorn, wie immer.|Die Katze schlief auf der Fensterbank in der Sonne.|Abends saßen alle noch lange am Tisch.|Der Weg führt an einer Mauer entlang zum Teich.',
);

export interface Talk {
	readonly language: Language;
	readonly turns: readonly Turn[];
}

/** `marked`, `unmarked`: planted in every hundred turns. */
export function talk(turns: number, seed: number, { marked, unmarked }: { marked: number; unmarked: number }): Talk {
	const random = seeded(seed);
	const language: Language = random() < 0.5 ? 'en' : 'de';
	const filler = language === 'en' ? sentences(turns * 5, seed) : undefined;
	const someFiller = (at: number, count: number): string =>
		Array.from({ length: count }, (_, index) => filler?.[(at * 5 + index) % filler.length] ?? pick(FILLER_DE, random)).join(' ');
	let made = 0;
	const plant = (isMarked: boolean): Planted => {
		made += 1;
		const words = { language, random, number: made };
		return isMarked ? markedOne(words) : unmarkedOne(words);
	};
	return {
		language,
		turns: Array.from({ length: turns }, (_, at): Turn => {
			const planted: Planted[] = [];
			for (const [share, isMarked] of [
				[marked, true],
				[unmarked, false],
			] as const)
				for (let left = share / 100; left > 0; left -= 1) if (random() < left) planted.push(plant(isMarked));
			// What is planted stands in either message, on a line of its own where it is marked.
			const inOwner = planted.filter(({ kind }) => kind === 'question' || random() < 0.6);
			const inAgent = planted.filter((one) => !inOwner.includes(one));
			return { owner: said(inOwner, someFiller(at, 1), random), agent: said(inAgent, someFiller(at, 4), random), planted };
		}),
	};
}

function said(planted: readonly Planted[], filler: string, random: Random): string {
	const inline = planted.filter(({ marked, kind }) => !marked && kind !== 'name').map(({ text }) => text);
	const names = planted.filter(({ kind }) => kind === 'name').map(({ text }) => `(${text})`);
	const lines = planted.filter(({ marked }) => marked).map(({ text }) => text);
	const running = random() < 0.5 ? [filler, ...inline, ...names] : [...inline, ...names, filler];
	return [running.join(' '), ...lines].join('\n');
}

interface Words {
	readonly language: Language;
	readonly random: Random;
	/** So that nothing is planted twice. */
	readonly number: number;
}

function markedOne(words: Words): Planted {
	const { language, random } = words;
	const kind = pick(['decision', 'decision', 'decision', 'question', 'commitment', 'note'] as const, random);
	const mark = pick(MARKS[language][kind] ?? [], random);
	const line = mark.replace(
		'{it}',
		filled(kind === 'question' ? pick(UNMARKED[language].question, random) : pick(BARE[language], random), words),
	);
	// What is said before the mark is no part of it.
	return { kind, text: line.replace(/^(?:Good|Gut)\. /, ''), marked: true };
}

function unmarkedOne(words: Words): Planted {
	const { language, random } = words;
	const kind = pick(['decision', 'decision', 'commitment', 'question', 'note', 'number', 'name'] as const, random);
	const text = filled(pick(UNMARKED[language][kind], random), words);
	return { kind, text: kind === 'name' ? (NAME.exec(text)?.[0] ?? text) : text, marked: false };
}

function filled(pattern: string, { language, random, number }: Words): string {
	return pattern
		.replaceAll('{thing}', `${pick(THINGS[language], random)} ${number}`)
		.replaceAll('{how}', pick(HOW[language], random))
		.replaceAll('{person}', pick(PEOPLE, random))
		.replaceAll('{word}', pick(list('boiler|lease|choir|minutes|budget|tender'), random))
		.replaceAll('{n}', String(10 + (number % 90)))
		.replaceAll('{m}', String(1 + Math.floor(random() * 9)))
		.replaceAll('{d}', String(1 + Math.floor(random() * 28)));
}

function pick<T>(from: readonly T[], random: Random): T {
	const found = from[Math.floor(random() * from.length)];
	if (found === undefined) throw new Error('nothing to pick from');
	return found;
}
