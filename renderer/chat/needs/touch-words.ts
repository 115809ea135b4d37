import type { Touch } from '../../../src/domain/sink.ts';
import type { Say } from '../../ui/strings.tsx';

/** What is touched, letter by letter; undefined where words say all of it. */
export function exactly(touch: Touch): string | undefined {
	switch (touch.sink) {
		case 'file':
			return touch.path;
		case 'shell':
			return touch.command;
		case 'network':
			return touch.url;
		case 'message':
			return touch.to.join('\n');
		case 'task':
			return touch.restated;
		case 'server':
			return touch.tool;
		default:
			return undefined;
	}
}

/** What the tool does with it, in words. */
export function touchWords(say: Say, touch: Touch, tool: string): string {
	switch (touch.sink) {
		case 'memory':
		case 'forget':
			return say(`needs.touch.${touch.sink}`);
		case 'skill':
			return say('needs.touch.skill', { name: touch.name });
		case 'file':
			return say(`needs.touch.${touch.access}`, { tool });
		case 'shell':
			return say('needs.touch.command', { cwd: touch.cwd });
		case 'network':
			return say(touch.method === 'GET' ? 'needs.touch.fetch' : 'needs.touch.send');
		case 'message':
			return say('needs.touch.message', { via: touch.via });
		case 'task':
			return say('needs.touch.task', { zone: touch.zone });
		case 'server':
			return say(touch.readOnly ? 'needs.touch.serverReads' : 'needs.touch.server', { server: touch.server });
	}
}

/** All that a call would touch in one line, for a row of a list. Undefined where it touches nothing. */
export function touchLine(say: Say, touches: readonly Touch[], tool: string): string | undefined {
	const [first, ...more] = touches;
	if (!first) return undefined;
	const line = lineOf(say, first, tool);
	return more.length === 0 ? line : say('needs.row.more', { line, count: more.length });
}

function lineOf(say: Say, touch: Touch, tool: string): string {
	switch (touch.sink) {
		case 'file':
			return say(`needs.row.${touch.access}`, { path: touch.path, tool });
		case 'shell':
			return say('needs.row.command', { command: touch.command });
		case 'network':
			return say(touch.method === 'GET' ? 'needs.row.fetch' : 'needs.row.send', { url: touch.url });
		case 'message':
			return say('needs.row.message', { via: touch.via, to: touch.to.join(', ') });
		case 'task':
			return say('needs.row.task', { title: touch.title });
		case 'server':
			return say('needs.row.server', { server: touch.server, tool: touch.tool });
		default:
			return touchWords(say, touch, tool);
	}
}
