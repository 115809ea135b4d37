import { parseArgs } from 'node:util';
import { silentLogger } from '../src/base/logger.ts';
import { createEmbeddedPort } from '../src/embed/adapters/embedded.ts';
import { createBuiltinPort } from '../src/model/builtin/port.ts';
import { TriageAnswer } from '../src/model/triage/answer.ts';
import { MOST_ITEMS, triageTask } from '../src/model/triage/request.ts';
import { TRIAGE_SCHEMA } from '../src/model/triage/schema.ts';
import { interestsOf } from '../src/model/triage/watch.ts';
import { type Feed, type Labelled, readFeed } from './triage/feed.ts';

/** A labelled feed against HEARTBEAT.md, through the built-in responder as a look asks it, with the embedded model. */

/** Monday, 30 November 2026, 8:00 UTC: what “by Friday” in the items is counted from. */
const NOW = Date.UTC(2026, 10, 30, 8);
const TOKENS = 20_000;

interface Told {
	readonly item: Labelled;
	/** Key of the line that the finding names. */
	readonly key: string | undefined;
}

export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({
		args,
		options: {
			tuning: { type: 'boolean', default: false },
			words: { type: 'boolean', default: false },
			show: { type: 'boolean', default: false },
		},
	});
	const feed = readFeed(values.tuning ? 'tuning' : 'measured');
	const port = createEmbeddedPort({ logger: silentLogger });
	const embed = (texts: string[], signal: AbortSignal): Promise<Float32Array[]> => port.embed(texts, 'query', signal);
	await embed(['warm'], AbortSignal.timeout(60_000));
	const started = performance.now();
	const told = await lookAt(feed, values.words ? undefined : embed);
	const ms = (performance.now() - started) / feed.items.length;
	await port.close();
	if (values.show) for (const one of told) if (isWrong(one)) console.error(`${one.key ?? '-'} for ${one.item.label}: ${one.item.title}`);
	console.error(table(feed, told));
	const all = figuresOf(told);
	return { items: feed.items.length, precision: round(all.precision), recall: round(all.recall), ms_per_item: round(ms) };
}

/** In requests of as many items as a look has. */
async function lookAt(
	{ heartbeat, keys, items }: Feed,
	embed: ((texts: string[], signal: AbortSignal) => Promise<Float32Array[]>) | undefined,
): Promise<Told[]> {
	const responder = createBuiltinPort({ now: () => NOW, embed: () => embed });
	const lines = interestsOf(heartbeat).map(({ text }) => text);
	const told: Told[] = [];
	for (let from = 0; from < items.length; ) {
		const given = items.slice(from, from + MOST_ITEMS);
		const { instructions, task, taken } = triageTask({
			heartbeat,
			items: given,
			sourceTitle: 'Feed',
			now: NOW,
			tokens: TOKENS,
			count: (text) => text.length / 4,
		});
		let answer = '';
		const request = {
			modelId: 'responder',
			system: instructions,
			messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: task }] }],
			tools: [],
			windowTokens: 64_000,
			answer: { name: 'findings' as const, schema: TRIAGE_SCHEMA },
			silenceMs: 60_000,
		};
		for await (const event of responder.stream(request, AbortSignal.timeout(600_000))) if (event.type === 'text') answer += event.text;
		const { findings } = TriageAnswer.parse(JSON.parse(answer));
		for (const [index, item] of given.slice(0, taken).entries()) {
			const finding = findings.find((one) => one.item === index + 1);
			if (finding && !finding.quotes.every((quote) => `${item.title}\n\n${item.text}`.includes(quote)))
				throw new Error(`not in the item: ${finding.quotes.join(' / ')}`);
			told.push({ item, key: finding && keys[lines.findIndex((line) => finding.why.includes(line))] });
		}
		from += taken;
	}
	return told;
}

function isWrong({ item, key }: Told): boolean {
	return key === undefined ? item.keys.length > 0 : !item.keys.includes(key);
}

/** A finding is right where the line it names is one that the item was labelled with. */
function figuresOf(told: readonly Told[]): { precision: number; recall: number; found: number; right: number; relevant: number } {
	const found = told.filter(({ key }) => key !== undefined).length;
	const right = told.filter(({ item, key }) => key !== undefined && item.keys.includes(key)).length;
	const relevant = told.filter(({ item }) => item.keys.length > 0).length;
	return { precision: found === 0 ? 0 : right / found, recall: relevant === 0 ? 0 : right / relevant, found, right, relevant };
}

function table({ keys }: Feed, told: readonly Told[]): string {
	const rows = keys.map((key) => {
		// Of one line: what was found for it, and what is labelled with it, even where it was found for another of its lines.
		const found = told.filter((one) => one.key === key);
		const relevant = told.filter(({ item }) => item.keys.includes(key));
		const right = found.filter(({ item }) => item.keys.includes(key)).length;
		const recalled = relevant.filter((one) => one.key !== undefined && one.item.keys.includes(one.key)).length;
		return `${key.padEnd(12)} precision ${share(right, found.length)}  recall ${share(recalled, relevant.length)}`;
	});
	const { found, right, relevant } = figuresOf(told);
	return [...rows, `${'all'.padEnd(12)} precision ${share(right, found)}  recall ${share(right, relevant)}`].join('\n');
}

function share(part: number, whole: number): string {
	return `${whole === 0 ? '   -' : (part / whole).toFixed(2)} (${part}/${whole})`;
}

function round(value: number): number {
	return Math.round(value * 1_000) / 1_000;
}
