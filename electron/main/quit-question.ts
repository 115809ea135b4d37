import type { MessageBoxOptions, MessageBoxReturnValue } from 'electron';
import type { createStrings } from '../../src/contract/strings/index.ts';
import type { ComingTold } from '../host-protocol.ts';
import { shortTitle, whenText } from './next-line.ts';

const DAY_MS = 86_400_000;
/** Tasks that are named; others are counted. */
const MOST_NAMED = 5;

type Strings = ReturnType<typeof createStrings>;

/** What comes within a day of now, by time; `more`: there are others. */
export interface Coming {
	readonly runs: readonly ComingTold[];
	readonly more: boolean;
}

export interface QuitOptions {
	readonly strings: Strings;
	/** The owner wants to be asked. */
	asks(): boolean;
	/** When the next run is due, as far as the runtime has said; undefined where none is. */
	nextAt(): number | undefined;
	/** Undefined where the runtime does not say in time: then nobody is kept from quitting. */
	coming(until: number): Promise<Coming | undefined>;
	/** There is a place in which Hearth can keep running without a window. */
	hasTray(): boolean;
	ask(question: MessageBoxOptions): Promise<MessageBoxReturnValue>;
	/** `always`: from now on a closed window leaves Hearth running. */
	keepRunning(always: boolean): void;
	quit(): void;
}

export interface Quit {
	/** Something is due within a day, so that the owner is to be asked before Hearth ends by their own hand. */
	wouldAsk(): boolean;
	/** Quits, after the question where there is one. `closed`: the window is to close, which would end it. */
	byOwner(how: 'quit' | 'closed'): void;
}

/**
 * Says before a quit what will be missed. Only where the owner quits with their own hand (menu, tray, the last window): a shutdown of the system, a
 * signal, a restart with another profile are never held up.
 */
export function createQuit(options: QuitOptions): Quit {
	let asking = false;
	const wouldAsk = (): boolean => {
		const nextAt = options.nextAt();
		return options.asks() && nextAt !== undefined && nextAt <= Date.now() + DAY_MS;
	};
	const ask = async (how: 'quit' | 'closed'): Promise<void> => {
		const now = Date.now();
		const coming = await options.coming(now + DAY_MS);
		if (!coming || coming.runs.length === 0) {
			options.quit();
			return;
		}
		const hasTray = options.hasTray();
		const { response, checkboxChecked } = await options.ask(quitQuestion(options.strings, coming, { hasTray, how, now }));
		const choice = (hasTray ? (['keep', 'quit', 'cancel'] as const) : (['quit', 'cancel'] as const))[response] ?? 'cancel';
		if (choice === 'quit') options.quit();
		else if (choice === 'keep') options.keepRunning(checkboxChecked);
	};
	return {
		wouldAsk,
		byOwner: (how) => {
			if (!wouldAsk()) {
				options.quit();
				return;
			}
			if (asking) return;
			asking = true;
			ask(how)
				.catch(() => options.quit())
				.finally(() => {
					asking = false;
				});
		},
	};
}

export function quitQuestion(
	strings: Strings,
	{ runs, more }: Coming,
	{ hasTray, how, now }: { hasTray: boolean; how: 'quit' | 'closed'; now: number },
): MessageBoxOptions {
	const byTask = new Map<string, ComingTold[]>();
	for (const run of runs) byTask.set(run.taskId, [...(byTask.get(run.taskId) ?? []), run]);
	const lines = [...byTask.values()].slice(0, MOST_NAMED).flatMap((ofTask) => {
		const [first] = ofTask;
		if (!first) return [];
		return [strings('quit.run', { title: shortTitle(first.title), when: whenText(strings, first.at, now), others: ofTask.length - 1 })];
	});
	const left = byTask.size - lines.length;
	if (left > 0 || more) lines.push(strings('quit.others', { count: left }));
	const [quit, cancel] = [strings('tray.quit'), strings('common.cancel')];
	return {
		type: 'question',
		title: strings('app.name'),
		message: strings('quit.title'),
		detail: `${lines.join('\n')}\n\n${strings('quit.rule')}`,
		buttons: hasTray ? [strings('quit.keep'), quit, cancel] : [quit, cancel],
		defaultId: 0,
		cancelId: hasTray ? 2 : 1,
		noLink: true,
		...(hasTray && how === 'closed' && { checkboxLabel: strings('quit.always') }),
	};
}
