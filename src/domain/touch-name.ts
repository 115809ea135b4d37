import { assertNever } from './assert-never.ts';
import type { Touch } from './sink.ts';

/** What a call touches, in one line for the audit log and a terminal: names, an address without its query, of a command what is to run; never what is written. */
export function touchName(touch: Touch): string {
	switch (touch.sink) {
		case 'memory':
			return 'memory';
		case 'forget':
			return 'memory, to forget';
		case 'skill':
			return `skills/${touch.name}`;
		case 'file':
			return touch.path;
		case 'shell':
			return touch.command;
		case 'network':
			return `${touch.method} ${touch.url.split(/[?#]/, 1)[0] ?? touch.host}`;
		case 'message':
			return `${touch.via}: ${touch.to.join(', ')}`;
		case 'server':
			return `${touch.server} · ${touch.tool}`;
		case 'task':
			return `task: ${touch.title}`;
		default:
			return assertNever(touch);
	}
}
