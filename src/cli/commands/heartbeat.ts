import { setTimeout as sleep } from 'node:timers/promises';
import type { HearthClient } from '../../contract/contract.ts';
import type { HeartbeatStatus } from '../../contract/methods/heartbeat.ts';
import { usedBudgetOf } from '../../contract/used-budget.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { HeartbeatTick, SendQuestion } from '../../domain/heartbeat.ts';
import { ask, atTerminal } from '../ask.ts';
import { type CommandContext, dueText, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findSource } from '../find-source.ts';
import { table } from '../output.ts';

/** How often it looks whether the look is over. */
const LOOK_MS = 100;
const SHOWN_LOOKS = 5;

export async function showHeartbeat({ rpc, output }: CommandContext): Promise<number> {
	const status = await rpc.heartbeat.status();
	const ticks = await rpc.heartbeat.ticks({ limit: SHOWN_LOOKS });
	output.result(
		{ ...status, ticks },
		[statusText(status), ticks.length === 0 ? '' : tickTable(ticks)].filter((text) => text !== '').join('\n\n'),
	);
	return EXIT.ok;
}

/** Looks now and stays until it is over, or held. */
export async function runHeartbeat(context: CommandContext, source: string | undefined): Promise<number> {
	const { rpc, output } = context;
	const begun = await rpc.heartbeat.run(source === undefined ? {} : { sourceId: (await findSource(rpc, source)).id });
	const tick = await untilOver(rpc, begun);
	const { asks, digest } = await rpc.heartbeat.status();
	const waiting =
		digest.waiting === 0 ? '' : ` ${digest.waiting === 1 ? 'One finding waits' : `${digest.waiting} findings wait`}: hearth findings list`;
	const asked = asks ? ' Answer first: hearth heartbeat answer' : '';
	output.result(tick, `${tickText(tick)}${waiting}${asked}`);
	if (tick.outcome === 'held' || tick.endedAt === undefined) return EXIT.needsOwner;
	return tick.outcome === 'failed' ? EXIT.failed : EXIT.ok;
}

export async function stopHeartbeat({ rpc, output }: CommandContext): Promise<number> {
	await rpc.heartbeat.stop();
	output.result({ stopped: true }, 'No look is under way now. What was not considered waits for the next one.');
	return EXIT.ok;
}

export async function switchHeartbeat({ rpc, door, output }: CommandContext, on: boolean): Promise<number> {
	await rpc.settings.set({ heartbeat: on });
	const status = await rpc.heartbeat.status();
	const nobody = on && door.own ? '\nHearth does not run now: start the app, or `hearth web`; or look now: hearth heartbeat run' : '';
	output.result(status, `${statusText(status)}${nobody}`);
	return EXIT.ok;
}

export async function goOnHeartbeat({ rpc, output }: CommandContext): Promise<number> {
	const status = await rpc.heartbeat.goOn();
	output.result(status, statusText(status));
	return EXIT.ok;
}

/** The owner's word on where text of others may go: only at a terminal, after all of the question was shown there (B3). */
export async function answerHeartbeat({ rpc, door, output }: CommandContext): Promise<number> {
	const { asks } = await rpc.heartbeat.status();
	if (!asks) throw terminal('not_found', 'Nothing is asked.', { action: 'See: hearth heartbeat status' });
	if (!atTerminal()) {
		throw needsOwner('unauthorised', 'An answer is taken only from you, at a terminal or in the app.', {
			safe: 'Nothing was sent.',
			action: 'Run this command in a terminal, or answer in Hearth’s window.',
		});
	}
	output.note(questionText(asks));
	const word = (await ask('Type “yes” to allow it from now on, “no” to refuse it; Enter leaves it open: ')).trim().toLowerCase();
	if (word !== 'yes' && word !== 'no') {
		output.result({ answered: false }, 'Left open; nothing is sent.');
		return EXIT.needsOwner;
	}
	const { current } = await rpc.heartbeat.answer({ shownHash: asks.shownHash, allow: word === 'yes' });
	// Where this command is the runtime, the look that had waited for the answer goes on only as long as it stays.
	if (door.own && current) await untilOver(rpc, current);
	const status = await rpc.heartbeat.status();
	output.result(status, statusText(status));
	return EXIT.ok;
}

/** Of a place that `status` names, all answers. */
export async function withdrawHeartbeat({ rpc, output }: CommandContext, place: string): Promise<number> {
	const { consents } = await rpc.heartbeat.status();
	const named = consents.filter(({ providerId, host }) => place === providerId || place === host);
	if (named.length === 0)
		throw terminal('not_found', `You gave no answer about ${place}.`, {
			safe: 'Nothing was changed.',
			action: 'See: hearth heartbeat status',
		});
	for (const { providerId, host } of named) await rpc.heartbeat.withdrawConsent({ providerId, host });
	output.result(
		{ withdrawn: named },
		`Withdrawn: ${named.map(({ providerId, host }) => `${providerId} at ${host}`).join(', ')}. Nothing is sent there until you are asked again.`,
	);
	return EXIT.ok;
}

async function untilOver(rpc: HearthClient, begun: HeartbeatTick): Promise<HeartbeatTick> {
	for (;;) {
		const tick = await rpc.heartbeat.tick({ tickId: begun.id });
		if (tick.endedAt !== undefined) return tick;
		const work = await rpc.work.status();
		// Its run waits for that to end; the look goes on then.
		if (work.paused || usedBudgetOf(work, 'heartbeat')) return tick;
		await sleep(LOOK_MS);
	}
}

function statusText({ on, current, nextAt, held, problem, asks, consents, model, interests, file, digest }: HeartbeatStatus): string {
	const next = nextAt === undefined ? '' : `; the next look is due ${dueText(nextAt)}`;
	return [
		on ? `Background work is on${next}.` : 'Background work is off. Switch it on with: hearth heartbeat on',
		current ? `A look is under way since ${when(current.startedAt)}.` : '',
		problem
			? `It stopped: ${problem.message} ${problem.action ?? ''}\nThen go on with: hearth heartbeat go-on`
			: held
				? heldText(held, asks)
				: '',
		asks ? questionText(asks) : '',
		`It looks with ${model.name}${model.builtIn ? ', without a model: by likeness to HEARTBEAT.md' : ''}.`,
		...consents.map(
			({ providerId, host, allowed, at }) =>
				`You said ${allowed ? 'yes' : 'no'} to text of your sources going to ${providerId} at ${host} (${when(at)}); withdraw it with: hearth heartbeat withdraw ${providerId}`,
		),
		...interestLines(interests, file),
		digest.waiting === 0
			? 'No finding waits.'
			: `${counted(digest.waiting, 'finding')} ${digest.waiting === 1 ? 'waits' : 'wait'}:\n${digest.bySource.map(({ title, waiting }) => `  ${waiting} of ${title}`).join('\n')}`,
	]
		.filter((line) => line !== '')
		.join('\n');
}

function interestLines(interests: HeartbeatStatus['interests'], file: string): string[] {
	const listed = (leavesOut: boolean): string =>
		interests.flatMap((line) => (line.leavesOut === leavesOut ? [`\n  ${line.text}`] : [])).join('');
	const [wanted, left] = [listed(false), listed(true)];
	if (wanted === '' && left === '') return [`Write what should be noticed for you, one line each, into ${file}`];
	return [
		...(wanted === '' ? [] : [`It watches for:${wanted}`]),
		...(left === '' ? [] : [`It leaves out:${left}`]),
		`These are the lines of ${file}`,
	];
}

/** Without a question the owner has answered it: with no. */
function heldText(held: NonNullable<HeartbeatStatus['held']>, asks: HeartbeatStatus['asks']): string {
	if (held !== 'asks' || asks) return HELD[held];
	return 'You said no to text of your sources going to this model: withdraw that in the app (Settings, Background work), or choose another model.';
}

const HELD: Record<NonNullable<HeartbeatStatus['held']>, string> = {
	paused: 'All background work is paused. Take that back with: hearth work resume',
	active_hours: 'It is outside the active hours.',
	budget_used: 'A budget of the day is used up. See: hearth work spending',
	asks: 'You are asked first: hearth heartbeat answer',
	stopped: 'It stopped. Go on with: hearth heartbeat go-on',
	no_sources: 'There is no source to look at. Add one with: hearth sources add',
	no_interests: 'HEARTBEAT.md says nothing to watch for.',
};

function questionText({ name, host, model, remote, costsMoney, sources, items, characters }: SendQuestion): string {
	const what = `${counted(items, 'item')} (${counted(characters, 'character')}) of ${sources.join(', ')}`;
	const why = [remote ? 'leaves this machine' : '', costsMoney ? 'costs money' : ''].filter((word) => word !== '').join(' and ');
	return `May text of your sources go to ${name} (${host}), to the model ${model}? It ${why}. Now that is ${what}; later, whatever they bring. HEARTBEAT.md goes along, and nothing else of yours.`;
}

function tickText(tick: HeartbeatTick): string {
	const { outcome, why, sources, failedSources, items, findings, known, overCap, dropped, note } = tick;
	const failed = failedSources === 0 ? '' : `, ${failedSources} of which could not be read`;
	const left = [
		known === 0 ? '' : `${known} known already`,
		overCap === 0 ? '' : `${overCap} above the cap`,
		dropped === 0 ? '' : `${dropped} that did not pass the checks`,
	].filter((word) => word !== '');
	return [
		`${OUTCOMES[outcome]}${why === undefined ? '' : `: ${why}`}`,
		`${counted(sources, 'source')} read${failed}; ${counted(items, 'new item')}; ${counted(findings, 'finding')}${left.length === 0 ? '' : `; besides, ${left.join(', ')}`}.`,
		note ?? '',
	]
		.filter((line) => line !== '')
		.join('\n');
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const OUTCOMES: Record<HeartbeatTick['outcome'], string> = {
	reading: 'It reads',
	thinking: 'It considers what it read',
	done: 'Done',
	nothing_new: 'Nothing is new',
	held: 'Held',
	failed: 'It failed',
	stopped: 'Stopped',
};

function tickTable(ticks: readonly HeartbeatTick[]): string {
	const rows = ticks.map(({ startedAt, by, outcome, items, findings, why }) => [
		when(startedAt),
		by === 'owner' ? 'you' : 'its slot',
		outcome.replace('_', ' '),
		`${items}`,
		`${findings}`,
		why ?? '',
	]);
	return table([['LOOK', 'BY', 'OUTCOME', 'ITEMS', 'FINDINGS', ''], ...rows]);
}
