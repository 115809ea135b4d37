import { needsOwner } from '../domain/errors.ts';

/**
 * The owner's doors, and which of them a program of a tool could come through (B3). In the sandbox it sees neither the socket nor its token. One
 * without a sandbox can read what the owner can: while such a program runs, what comes over the socket may be its word, so nothing is decided
 * there. The window is the app's own, and a browser's session was opened before.
 */

/** `window`: the app's own view, or the command line that is the runtime itself. */
export type Door = 'window' | 'web' | 'socket';

/** What may be asked over the socket even then: it changes nothing, or only ends something. All else is refused, also what comes to be later. */
const HARMLESS = new Set([
	'system.hello',
	'system.live',
	'system.doctor',
	'system.sandbox',
	'sessions.list',
	'sessions.get',
	'sessions.search',
	'sessions.messages',
	'sessions.draft',
	'chat.stop',
	'chat.preview',
	'chat.summary',
	'chat.attachment',
	'chat.interrupts',
	'runs.list',
	'runs.get',
	'runs.step',
	'runs.state',
	'runs.content',
	'runs.restorePreview',
	'runs.stopCall',
	'models.providers',
	'models.choices',
	'secrets.status',
	'profiles.list',
	'documents.get',
	'settings.get',
	'memory.files',
	'memory.entries',
	'memory.entry',
	'memory.search',
	'memory.why',
	'memory.history',
	'memory.forgetPreview',
	'memory.verify',
	'memory.embedding',
	'skills.list',
	'skills.get',
	'reminders.list',
	'tasks.list',
	'tasks.get',
	'tasks.status',
	'tasks.preview',
	'tasks.tools',
	'tasks.testResult',
	'tasks.history',
	'tasks.coming',
	'tasks.pause',
	'tasks.stop',
	'inbox.counts',
	'inbox.list',
	'inbox.get',
	'inbox.inspected',
	'inbox.sourceTexts',
	'sources.list',
	'sources.items',
	'sources.traces',
	'heartbeat.status',
	'heartbeat.ticks',
	'heartbeat.tick',
	'heartbeat.stop',
	'backup.list',
	'backup.verify',
	'work.status',
	'work.spending',
	'work.pauseAll',
	'workflows.list',
	'workflows.ignored',
	'workflows.get',
	'workflows.validate',
	'workflows.instances',
	'workflows.instance',
	'workflows.stop',
	'audit.list',
	'audit.get',
	'audit.verify',
	'permissions.list',
	'permissions.policy',
	'permissions.revoke',
	'servers.list',
	'servers.tools',
	'outgoing.get',
]);

export class OwnerDoors {
	readonly #programs = new Map<symbol, string>();

	/** A program begins that can do all that the owner can. Returns what is to be called when it has ended. */
	withoutSandbox = (name: string): (() => void) => {
		const program = Symbol(name);
		this.#programs.set(program, name);
		return () => {
			this.#programs.delete(program);
		};
	};

	/** Throws `door_closed` where a call that comes through this door may be the word of such a program. */
	check(door: Door, path: readonly string[]): void {
		if (door !== 'socket' || this.#programs.size === 0 || HARMLESS.has(path.join('.'))) return;
		const names = [...new Set(this.#programs.values())].join(', ');
		throw needsOwner(
			'door_closed',
			`A program without a sandbox is running (${names}), so Hearth takes no decisions from the command line now.`,
			{
				safe: 'Nothing was changed.',
				action: 'Decide in Hearth’s window, or try again when that program has ended.',
			},
		);
	}
}
