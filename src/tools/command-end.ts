import type { ProgramEnd } from './sandbox/port.ts';

/** How a command ended, in words. Pure. */

export interface CommandEnd extends ProgramEnd {
	/** What it put out. */
	readonly text: string;
	/** Who ended it: the owner this one command, its time, the end of its run, or how much it put out. */
	readonly stopped?: 'owner' | 'time' | 'run' | 'output';
	readonly timeoutSeconds: number;
}

/** Most that one command may put out. */
export const OUTPUT_BYTES = 64 * 1024 * 1024;

/** What a shell gives where a signal ended the program. */
const SIGNALLED = 128;
const SIGNAL_WORDS: Readonly<Record<number, string>> = {
	9: 'It was ended from outside.',
	15: 'It was asked to end, and did.',
	24: 'It was ended: its processor time was used up.',
	25: 'It was ended: a file grew larger than a command may write.',
};
const OVER_WORDS: Readonly<Record<NonNullable<ProgramEnd['over']>, string>> = {
	memory: 'it took more memory than a command may',
	processes: 'it started more processes than a command may',
	disk: 'it left hardly any room on the disk',
};

export function isFine({ code, stopped, over }: CommandEnd): boolean {
	return code === 0 && stopped === undefined && over === undefined;
}

export function endInWords(end: CommandEnd, seconds: number): string {
	const { stopped, over, code, signal, timeoutSeconds } = end;
	const after = `after ${inSeconds(seconds)}`;
	if (stopped === 'owner') return `The owner stopped this command ${after}. It may have done a part of its work.`;
	if (stopped === 'time') return `It was not done after ${timeoutSeconds} s and was ended. It may have done a part of its work.`;
	if (stopped === 'run') return `It was stopped ${after}.`;
	if (stopped === 'output') return `It was ended ${after}: it put out more than ${OUTPUT_BYTES / 1024 / 1024} MB.`;
	if (over) return `It was ended ${after}: ${OVER_WORDS[over]}.`;
	if (code === null) return `It was ended by ${signal ?? 'a signal'} ${after}.`;
	const more = code > SIGNALLED ? ` ${SIGNAL_WORDS[code - SIGNALLED] ?? ''}`.trimEnd() : '';
	return `Exit code ${code} ${after}.${more}`;
}

/** For the row of the call. */
export function summaryOf({ stopped, over, code }: CommandEnd, seconds: number): string {
	const how = stopped === 'time' ? 'out of time' : stopped || over || code === null ? 'stopped' : `exit code ${code}`;
	return `${how}, ${inSeconds(seconds)}`;
}

function inSeconds(seconds: number): string {
	return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}
