import type { Touch } from '../domain/sink.ts';

const SEEN = 'and this reply has read text that came from outside.';
/** The reason of the rule and the floor that ask for any effect after text from outside. */
export const OUTSIDE_EFFECT = `It does something, ${SEEN}`;

/** The same reason in words that fit what the call would do; any other reason stays as its rule gives it. Pure. */
export function reasonFor(reason: string, touch: Touch | undefined): string {
	return reason === OUTSIDE_EFFECT && touch ? `${doing(touch)}, ${SEEN}` : reason;
}

function doing(touch: Touch): string {
	switch (touch.sink) {
		case 'file':
			return touch.access === 'write' ? 'It changes a file' : 'It reads a file';
		case 'shell':
			return 'It runs a command';
		case 'network':
			return touch.method === 'GET' ? 'It asks a web address for something' : 'It sends something to a web address';
		case 'message':
			return 'It sends a message';
		case 'server':
			return 'It hands something to a tool server';
		case 'memory':
		case 'forget':
			return 'It changes memory';
		case 'skill':
			return 'It writes a procedure';
		case 'task':
			return 'It schedules a task';
	}
}
