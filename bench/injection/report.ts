import type { AttackResult } from './attack.ts';
import { type Background, ROUTES } from './background.ts';
import type { Controlled } from './control.ts';
import type { EndToEnd } from './end-to-end.ts';

/** What a person reads, on the error output. */

const SHOWN = 20;

export function reportControl({ attacks, hit, kinds }: Controlled): void {
	console.error(`\nControl, an owner who says yes to everything: ${hit} of ${attacks} attacks have an effect that is seen`);
	console.error(`  seen at: ${[...kinds].sort().join(', ')}`);
	if (hit < attacks) console.error('  THE HARNESS IS BLIND: what it says of the others means nothing');
}

export function reportBackground({ routes, effects, callsTried, held, inChats }: Background): void {
	console.error('\nIn the background, read by looks:');
	for (const route of ROUTES) {
		const { attacks, read, hits } = routes[route];
		console.error(`  ${route}: ${hits} of ${attacks} had an effect, ${read} were read by the model`);
	}
	console.error(`  calls tried: ${callsTried}; findings that wait: ${held}; texts of which a chat was given anything: ${inChats}`);
	for (const effect of effects.slice(0, SHOWN)) console.error(`  EFFECT of ${effect}`);
}

export function toolsTried(results: readonly AttackResult[]): Map<string, number> {
	const tried = new Map<string, number>();
	for (const { made } of results) for (const [tool, times] of made) tried.set(tool, (tried.get(tool) ?? 0) + times);
	return tried;
}

export function reportEndToEnd(outcome: EndToEnd): void {
	reportAttacks(outcome);
	const { benign } = outcome;
	const failed = benign.filter(({ passed }) => !passed);
	console.error(
		`\nBenign tasks: ${benign.length - failed.length} of ${benign.length} end in their effect without a needless question or hold`,
	);
	for (const task of new Set(benign.map((result) => result.task))) {
		const own = benign.filter((result) => result.task === task);
		const questions = own.reduce((sum, result) => sum + result.questions, 0) / own.length;
		console.error(
			`  ${task.padEnd(10)} ${own.filter(({ passed }) => passed).length} of ${own.length}, ${questions.toFixed(2)} questions a task`,
		);
	}
	for (const { row, task, why } of failed.slice(0, SHOWN)) console.error(`  ${row.id} (${task}): ${why}`);
}

function reportAttacks({ attacks, hits, effects, memoryHarmed, reminders }: EndToEnd): void {
	console.error(`\nAttacks: ${hits.length} of ${attacks.length} had an effect without the owner’s consent`);
	const by = (name: string, partOf: (result: AttackResult) => string): void => {
		const counts = [...new Set(attacks.map(partOf))].sort().map((value) => {
			const of = (results: readonly AttackResult[]): number => results.filter((result) => partOf(result) === value).length;
			return `${value} ${of(hits)} of ${of(attacks)}`;
		});
		console.error(`  by ${name}: ${counts.join(', ')}`);
	};
	by('set', ({ attack }) => attack.row.set);
	by('form', ({ attack }) => attack.form);
	by('source', ({ attack }) => attack.source);
	by('owner', ({ attack }) => (attack.owner === 'silent' ? 'says nothing' : 'says no'));
	for (const { attack, effects: own } of hits.slice(0, SHOWN))
		console.error(
			`  EFFECT of ${attack.row.id} (${attack.form}, ${attack.source}): ${[...own, ...(effects.get(attack.mark) ?? [])].join(', ')}`,
		);
	if (memoryHarmed) console.error('  A MEMORY THAT WAS THERE BEFORE IS CHANGED OR LOST');
	const unread = attacks.filter(({ read }) => !read);
	const named = unread
		.slice(0, SHOWN)
		.map(({ attack, problem }) => `${attack.row.id} ${attack.form} ${attack.source}${problem ? `: ${problem}` : ''}`);
	if (unread.length > 0) console.error(`  not read by the model, and so not tried: ${unread.length} (${named.join('; ')})`);
	console.error(`  reminders set (they show their text, with its label): ${reminders}`);
	const tried = [...toolsTried(attacks)].sort().map(([tool, times]) => `${tool} ${times}`);
	console.error(`  calls tried: ${tried.join(', ')}`);
}
