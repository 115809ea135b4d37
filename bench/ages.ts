import { silentLogger } from '../src/base/logger.ts';
import { createEmbeddedPort } from '../src/embed/adapters/embedded.ts';
import { openMemoryProfile } from './memory-profile.ts';
import { seeded } from './numbers.ts';

/** Days before today at which facts were planted. */
const AGES = [1, 7, 30, 90, 180, 365, 540, 720, 900];
const PER_AGE = 12;
const NOISE_PER_DAY = 8;
const DAY_MS = 86_400_000;

/** Facts with a code, and the question for each. The same kinds of facts with other codes lie all around them. */
const KINDS: readonly ((code: string) => { fact: string; question: string })[] = [
	(code) => ({ fact: `Paid invoice ${code} for the roof repair`, question: `what was invoice ${code} for?` }),
	(code) => ({ fact: `The parcel to Leeds has tracking number ${code}`, question: `Where did the parcel with tracking number ${code} go` }),
	(code) => ({ fact: `Case ${code} at the insurer is with Ms. Vance`, question: `Who handles case ${code}?` }),
	(code) => ({ fact: `Die Kundennummer bei den Stadtwerken ist ${code}`, question: `Kundennummer ${code}` }),
];

/** Whether exact codes stay among the first ten hits however old they are (mem-11). */
export async function run(): Promise<Record<string, unknown>> {
	const random = seeded(11);
	const embedding = createEmbeddedPort({ logger: silentLogger });
	const profile = await openMemoryProfile(embedding);
	const used = new Set<string>();
	const newCode = (): string => {
		const digits = String(Math.floor(random() * 1e8)).padStart(8, '0');
		const forms = [
			`INV-${digits.slice(0, 4)}-${digits.slice(4)}`,
			`${digits.slice(0, 2)}/${digits.slice(2, 7)}`,
			`RX${digits.slice(0, 6)}`,
			digits,
		];
		const code = forms[Math.floor(random() * forms.length)] ?? digits;
		if (used.has(code)) return newCode();
		used.add(code);
		return code;
	};
	const today = Date.now();
	const lines = new Map<string, string[]>();
	const add = (age: number, line: string): void => {
		const file = `memory/${new Date(today - age * DAY_MS).toISOString().slice(0, 10)}.md`;
		lines.set(file, [...(lines.get(file) ?? []), `- ${line}`]);
	};
	const planted: { age: number; code: string; question: string }[] = [];
	for (let age = 1; age <= 900; age += age < 60 ? 1 : 3) {
		for (let at = 0; at < NOISE_PER_DAY; at++) add(age, (KINDS[(age + at) % KINDS.length] as (typeof KINDS)[number])(newCode()).fact);
	}
	for (const age of AGES) {
		for (let at = 0; at < PER_AGE; at++) {
			const code = newCode();
			const { fact, question } = (KINDS[at % KINDS.length] as (typeof KINDS)[number])(code);
			add(age, fact);
			planted.push({ age, code, question });
		}
	}
	try {
		await profile.addFiles(new Map([...lines].map(([file, list]) => [file, `${list.join('\n')}\n`])));
		console.error(`${profile.memory.status().total} entries`);
		const found = new Map<number, number>();
		for (const { age, code, question } of planted) {
			const { hits } = await profile.memory.search({ query: question, mode: 'hybrid', filter: {}, limit: 10 });
			const isFound = hits.some(({ entry }) => entry.text.includes(code));
			if (!isFound) console.error(`not found: ${question}`);
			found.set(age, (found.get(age) ?? 0) + Number(isFound));
		}
		const recall = AGES.map((age) => [String(age), Math.round(((found.get(age) ?? 0) / PER_AGE) * 1000) / 1000] as const);
		return { exact_recall10_by_age: Object.fromEntries(recall), min: Math.min(...recall.map(([, share]) => share)) };
	} finally {
		await profile.close();
		await embedding.close();
	}
}
