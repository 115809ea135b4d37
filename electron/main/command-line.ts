import os from 'node:os';
import path from 'node:path';
import { ProfileName } from '../../src/contract/methods/profile.ts';

/** Said by the system that starts Hearth at a login: the window waits until it is wanted. */
export const HIDDEN = '--hidden';

export interface CommandLine {
	home: string;
	profile: string;
	/** The name given for the profile where there can be none of that name. */
	badProfile?: string;
}

/** The value of `--name value` or `--name=value`; the last one counts. */
function option(words: readonly string[], name: string): string | undefined {
	let value: string | undefined;
	words.forEach((word, index) => {
		if (word.startsWith(`--${name}=`)) value = word.slice(name.length + 3);
		else if (word === `--${name}`) value = words[index + 1];
	});
	return value;
}

/** Which profile of which home this start is for. `--home` wins over `HEARTH_HOME`, which wins over `~/.hearth`. */
export function readCommandLine(words: readonly string[], environment: Record<string, string | undefined>): CommandLine {
	const home = path.resolve(option(words, 'home') || environment.HEARTH_HOME || path.join(os.homedir(), '.hearth'));
	const name = option(words, 'profile') ?? 'default';
	return ProfileName.safeParse(name).success ? { home, profile: name } : { home, profile: 'default', badProfile: name };
}

/** The words to start the app again with, for another profile. */
export function wordsForProfile(words: readonly string[], profile: string): string[] {
	const kept: string[] = [];
	for (let index = 0; index < words.length; index++) {
		const word = words[index] ?? '';
		if (word === '--profile') index++;
		else if (!word.startsWith('--profile=') && word !== HIDDEN) kept.push(word);
	}
	return [...kept, '--profile', profile];
}
