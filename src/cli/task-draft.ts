import { type Command, InvalidArgumentError, Option } from 'commander';
import { terminal } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import { Schedule } from '../domain/schedule.ts';
import { TaskDraft, Trigger } from '../domain/task.ts';
import { parseModel } from './commands/models.ts';
import { wholeNumber } from './memory-commands.ts';
import { oneLine } from './memory-text.ts';
import { problemsOf } from './problems.ts';
import { localTimeOf, momentOf, secondsOf } from './times.ts';
import { inputOf } from './workflow-commands.ts';

/** Everything of a task as options of a command. What is left out stays as the sentence, or the task, has it; else it has its usual value. */
export interface DraftOptions {
	readonly title?: string;
	readonly at?: string;
	readonly every?: number;
	readonly anchor?: number;
	readonly cron?: string;
	readonly rrule?: string;
	readonly start?: string;
	readonly zone?: string;
	readonly jitter?: number;
	readonly hours?: { from: string; to: string };
	readonly from?: number;
	readonly until?: number;
	readonly on?: Trigger;
	readonly names?: string;
	readonly mine?: boolean;
	readonly quiet?: number;
	readonly prompt?: string;
	readonly remind?: string;
	readonly workflow?: string;
	readonly set?: Record<string, Json>;
	readonly session?: 'each' | 'one';
	readonly model?: string;
	readonly tools?: string[];
	readonly result?: Record<string, unknown>;
	readonly missed?: Record<string, unknown>;
	readonly overlap?: string;
	readonly budget?: Record<string, number>;
	readonly tries?: number;
	readonly retryAfter?: number;
	readonly stopAfter?: number;
}

const WHEN = 'When it runs:';
const WHAT = 'What it does:';
const HOW = 'How it runs:';

export function draftOptions(command: Command): Command {
	const add = (group: string, flags: string, description: string, parse?: (given: string, before: never) => unknown): void => {
		const option = new Option(flags, description).helpGroup(group);
		command.addOption(parse ? option.argParser(parse as (given: string) => unknown) : option);
	};
	const choice = (group: string, flags: string, description: string, choices: string[]): void => {
		command.addOption(new Option(flags, description).choices(choices).helpGroup(group));
	};
	add(WHEN, '--at <time>', 'once: 2026-12-03T09:00 on the wall; with Z or +01:00 after it, at that moment');
	add(WHEN, '--every <span>', 'again and again: 15m, 2h, 1d', secondsOf);
	add(WHEN, '--anchor <time>', 'for --every: one of its times (default: midnight)', momentOf);
	add(WHEN, '--cron <expression>', 'by a cron expression of 5 fields, or 6 with seconds first');
	add(WHEN, '--rrule <rule>', 'by a rule of RFC 5545, such as FREQ=MONTHLY;BYDAY=-1FR; needs --start');
	add(WHEN, '--start <time>', 'for --rrule: its first day, and its time of day', localTimeOf);
	add(WHEN, '--zone <zone>', 'of these times, such as Europe/Berlin (default: yours, wherever you are then)');
	add(WHEN, '--jitter <seconds>', 'up to so much later, each time by another amount', wholeNumber);
	add(WHEN, '--hours <from-to>', 'only then: 08:00-22:00', hoursOf);
	add(WHEN, '--from <time>', 'not before', momentOf);
	add(WHEN, '--until <time>', 'not after', momentOf);
	add(
		WHEN,
		'--on <event>',
		'on an event: files:PATH, finding, finding:SOURCE, workflow:NAME:STATE, app_start, wake, unlock:MINUTES, signal:NAME',
		triggerOf,
	);
	add(WHEN, '--names <pattern>', 'for files: only names such as *.pdf');
	add(WHEN, '--mine', 'for files: what lies there is your own');
	add(WHEN, '--quiet <seconds>', 'for events: those that come so soon after one another are one run', wholeNumber);
	add(WHAT, '--prompt <text>', 'what the agent is to do');
	add(WHAT, '--remind <text>', 'what you are to be told');
	add(WHAT, '--workflow <name>', 'a workflow to start');
	add(
		WHAT,
		'--set <name=value>',
		'an input of the workflow; may be given several times',
		inputOf as (given: string, before: never) => unknown,
	);
	add(WHAT, '--title <title>', 'its name in lists');
	choice(HOW, '--session <which>', 'a session of its own for each run, or one that goes on', ['each', 'one']);
	add(HOW, '--model <model>', 'PROVIDER/MODEL (default: the one for background work)');
	add(HOW, '--tools <names...>', 'only these tools');
	add(HOW, '--result <where>', 'chat, notification, inbox, or file:PATH below workspace/; {date} and {time} stand for the run’s', resultOf);
	add(HOW, '--missed <policy>', 'what was missed: skip, once:HOURS, every:COUNT, ask', missedOf);
	choice(HOW, '--overlap <policy>', 'where the run before is not over', ['queue', 'skip', 'replace']);
	add(HOW, '--budget <limit...>', 'of one run: tokens=N, usd=N, minutes=N', budgetOf as (given: string, before: never) => unknown);
	add(HOW, '--tries <count>', 'of one run that fails', wholeNumber);
	add(HOW, '--retry-after <span>', 'before the second try; twice as long before each further one', secondsOf);
	add(HOW, '--stop-after <count>', 'so many failed runs in a row', wholeNumber);
	return command;
}

/** `base`: what a sentence or the task itself says. Throws `invalid_input` for what does not fit together. */
export function draftOf(options: DraftOptions, base?: TaskDraft): TaskDraft {
	const work = workOf(options, base);
	const title = options.title ?? base?.title ?? titleOf(work);
	const { result, missed, overlap, budget, tries, retryAfter, stopAfter } = options;
	if (work.kind !== 'prompt') {
		const lost = (['result', 'session', 'model', 'tools'] as const).find((name) => options[name] !== undefined);
		if (lost !== undefined) throw unfit(`--${lost} is for what the agent does.`);
	}
	if (options.set && work.kind !== 'workflow') throw unfit('--set is for a workflow.');
	const draft = TaskDraft.safeParse({
		...base,
		title,
		when: whenOf(options, base),
		work: work.kind === 'prompt' ? { ...work, ...(result && { result }) } : work,
		...(missed && { missed }),
		...(overlap && { overlap }),
		...(budget && { budget: { ...base?.budget, ...budget } }),
		failure: {
			...base?.failure,
			...(tries !== undefined && { tries }),
			...(retryAfter !== undefined && { pauseSeconds: retryAfter }),
			...(stopAfter !== undefined && { stopAfter }),
		},
	});
	if (draft.success) return draft.data;
	throw unfit(problemsOf(draft.error));
}

/** Words that fix what of a sentence's time goes by when it is read, so that the same card comes of it later; none where nothing does. */
export function pinned({ when }: TaskDraft, options: DraftOptions): string[] {
	if (when.kind !== 'schedule' || timingOf(options)) return [];
	const { timing, from, until } = when.schedule;
	const iso = (at: number): string => new Date(at).toISOString();
	return [
		...(timing.kind === 'moment' ? ['--at', iso(timing.at)] : []),
		...(timing.kind === 'every' ? ['--every', `${timing.seconds}s`, '--anchor', iso(timing.anchor)] : []),
		...(from === undefined ? [] : ['--from', iso(from)]),
		...(until === undefined ? [] : ['--until', iso(until)]),
	];
}

function whenOf(options: DraftOptions, base: TaskDraft | undefined): unknown {
	const { on: trigger, quiet, names, mine } = options;
	const timing = timingOf(options);
	if (timing && trigger) throw unfit('It runs at times or on an event, not both.');
	const before = base?.when;
	const gathers = trigger ?? (timing || before?.kind !== 'trigger' ? undefined : before.trigger);
	if (gathers) {
		const files = gathers.kind === 'files' ? { ...(names !== undefined && { names }), ...(mine !== undefined && { mine }) } : {};
		const quietSeconds = quiet ?? (before?.kind === 'trigger' ? before.quietSeconds : undefined);
		return { kind: 'trigger', trigger: { ...gathers, ...files }, ...(quietSeconds !== undefined && { quietSeconds }) };
	}
	const schedule = before?.kind === 'schedule' ? before.schedule : undefined;
	if (!timing && !schedule)
		throw unfit('It is not said when it runs: say it in a sentence, or with --at, --every, --cron, --rrule or --on.');
	const { zone, jitter, hours, from, until } = options;
	const chosen = timing ?? schedule?.timing;
	if (zone !== undefined && (chosen?.kind === 'every' || chosen?.kind === 'moment'))
		throw unfit('--zone is for times on the wall: --at without an offset, --cron, --rrule.');
	return {
		kind: 'schedule',
		schedule: {
			...schedule,
			timing: zone === undefined ? chosen : { ...chosen, zone },
			...(jitter !== undefined && { jitterSeconds: jitter }),
			...(hours && { hours }),
			...(from !== undefined && { from }),
			...(until !== undefined && { until }),
		},
	};
}

function timingOf({ at, every, anchor, cron, rrule, start }: DraftOptions): Record<string, unknown> | undefined {
	const given = [at, every, cron, rrule].filter((one) => one !== undefined);
	if (given.length > 1) throw unfit('Say only one of --at, --every, --cron and --rrule.');
	if (at !== undefined)
		return /(Z|[+-]\d{2}:\d{2})$/i.test(at) ? { kind: 'moment', at: parsed(momentOf, at) } : { kind: 'at', local: parsed(localTimeOf, at) };
	if (every !== undefined) return { kind: 'every', seconds: every, anchor: anchor ?? new Date().setHours(0, 0, 0, 0) };
	if (cron !== undefined) return { kind: 'cron', expression: cron };
	if (rrule === undefined) return undefined;
	if (start === undefined) throw unfit('A rule needs its first day and its time of day: --start 2026-12-04T09:00.');
	return { kind: 'rrule', rule: rrule.replace(/^RRULE:/i, ''), start };
}

function workOf(options: DraftOptions, base: TaskDraft | undefined): TaskDraft['work'] {
	const { prompt, remind, workflow, set } = options;
	if ([prompt, remind, workflow].filter((one) => one !== undefined).length > 1)
		throw unfit('Say only one of --prompt, --remind and --workflow.');
	const before = base?.work;
	const text = prompt ?? (before?.kind === 'prompt' && remind === undefined && workflow === undefined ? before.text : undefined);
	if (text !== undefined) {
		const { session, model, tools } = options;
		const kept = before?.kind === 'prompt' ? before : undefined;
		return {
			kind: 'prompt',
			result: { kind: 'chat' },
			...kept,
			text,
			session: session ?? kept?.session ?? 'each',
			...(model !== undefined && { model: parseModel(model) }),
			...(tools && { tools }),
		};
	}
	if (remind !== undefined) return { kind: 'reminder', text: remind };
	const name = workflow ?? (before?.kind === 'workflow' ? before.name : undefined);
	if (name !== undefined)
		return { kind: 'workflow', name, input: { ...(before?.kind === 'workflow' && before.input), ...set } } as TaskDraft['work'];
	if (before) return before;
	throw unfit('It is not said what it does: say it in a sentence, or with --prompt, --remind or --workflow.');
}

function titleOf(work: TaskDraft['work']): string {
	return oneLine(work.kind === 'workflow' ? work.name : work.text, 60);
}

function unfit(message: string) {
	return terminal('invalid_input', message, { safe: 'Nothing was made.', action: 'See: hearth tasks add --help' });
}

/** An option that is read late, for its form says what it is. */
function parsed<T>(parse: (given: string) => T, given: string): T {
	try {
		return parse(given);
	} catch (error) {
		throw unfit(error instanceof Error ? error.message : '');
	}
}

function hoursOf(given: string): { from: string; to: string } {
	const [from = '', to = ''] = given.split('-').map((part) => part.trim());
	const hours = Schedule.shape.hours.safeParse({ from, to });
	if (!hours.success || !hours.data) throw new InvalidArgumentError('Write it as 08:00-22:00.');
	return hours.data;
}

function triggerOf(given: string): Trigger {
	const [kind = '', ...rest] = given.split(':');
	const value = rest.join(':');
	const fields: Record<string, Record<string, unknown>> = {
		files: { path: value },
		finding: value === '' ? {} : { sourceId: value },
		workflow: { workflow: rest.slice(0, -1).join(':'), state: rest.at(-1) },
		unlock: { idleMinutes: Number(value) },
		signal: { name: value },
	};
	const trigger = Trigger.safeParse({ kind, ...fields[kind] });
	if (!trigger.success) throw new InvalidArgumentError(problemsOf(trigger.error));
	return trigger.data;
}

function resultOf(given: string): Record<string, unknown> {
	if (given.startsWith('file:')) return { kind: 'file', path: given.slice('file:'.length) };
	if (['chat', 'notification', 'inbox'].includes(given)) return { kind: given };
	throw new InvalidArgumentError('Choose from: chat, notification, inbox, file:PATH.');
}

function missedOf(given: string): Record<string, unknown> {
	const [kind = '', number] = given.split(':');
	if (kind === 'skip' || kind === 'ask') return { kind };
	if (kind === 'once') return { kind, withinHours: Number(number ?? 12) };
	if (kind === 'every') return { kind, most: Number(number ?? 5) };
	throw new InvalidArgumentError('Choose from: skip, once:HOURS, every:COUNT, ask.');
}

const LIMITS: Readonly<Record<string, string>> = { tokens: 'tokens', usd: 'costUsd', minutes: 'minutes' };

function budgetOf(given: string, before: Record<string, number> = {}): Record<string, number> {
	const [name = '', number = ''] = given.split('=');
	const field = LIMITS[name];
	if (field === undefined || number === '' || !Number.isFinite(Number(number)))
		throw new InvalidArgumentError('Write it as tokens=50000, usd=0.5 or minutes=10.');
	return { ...before, [field]: Number(number) };
}
