import type { Schedule } from '../../domain/schedule.ts';
import type { Doubt, Span } from './parts.ts';

/** What the phrases of a sentence come to: a schedule, a question, or nothing. */

/** In place of what stands there in the sentence. */
export interface Edit extends Span {
	readonly text: string;
}

export interface Question {
	readonly kind: 'asks';
	readonly question: string;
	readonly choices: readonly { readonly text: string; readonly edits: readonly Edit[] }[];
}

/** `sure`: nobody could make a card of it. */
export interface Unclear {
	readonly kind: 'unclear';
	readonly message: string;
	readonly action?: string | undefined;
	readonly sure: boolean;
}

export type Outcome = { readonly kind: 'schedule'; readonly schedule: Schedule } | Question | Unclear;

export function asks(question: string, choices: readonly (readonly [text: string, ...edits: Edit[]])[]): Question {
	return { kind: 'asks', question, choices: choices.map(([text, ...edits]) => ({ text, edits })) };
}

export function asksOf({ question, choices }: Doubt, { start, end }: Span): Question {
	return { kind: 'asks', question, choices: choices.map(({ text, phrase }) => ({ text, edits: [{ start, end, text: phrase }] })) };
}

export function unclear(message: string, action?: string): Unclear {
	return { kind: 'unclear', message, action, sure: false };
}

export function impossible(message: string, action?: string): Unclear {
	return { kind: 'unclear', message, action, sure: true };
}

export const TWO_TASKS = 'Make two tasks of it, one for each time.';

export function notUnderstood(): Unclear {
	return unclear(
		'I can’t tell when that is to be.',
		'Say it as in “every weekday at 9:00 …”, “on 3 May at 14:00 remind me …” or “when a PDF lands in ~/Scans, …”.',
	);
}
