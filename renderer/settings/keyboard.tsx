import { COMMAND_IDS, commandInfo } from '../shell/commands.ts';
import { Kbd } from '../ui/kbd.tsx';
import { type StringId, useSay } from '../ui/strings.tsx';
import { SectionHead } from './row.tsx';

/** Keys that belong to a field or a list, not to a command. */
const HINTS = [
	{ group: 'chat', title: 'command.hint.send', keys: ['Enter'] },
	{ group: 'chat', title: 'command.hint.newLine', keys: ['Shift+Enter'] },
	{ group: 'chat', title: 'command.hint.close', keys: ['Escape'] },
	{ group: 'inbox', title: 'inbox.keys.next', keys: ['J', 'ArrowDown'] },
	{ group: 'inbox', title: 'inbox.keys.previous', keys: ['K', 'ArrowUp'] },
	{ group: 'inbox', title: 'inbox.keys.open', keys: ['Enter'] },
	{ group: 'inbox', title: 'inbox.keys.approve', keys: ['A'] },
	{ group: 'inbox', title: 'inbox.keys.reject', keys: ['R'] },
	{ group: 'inbox', title: 'inbox.keys.edit', keys: ['E'] },
	{ group: 'inbox', title: 'inbox.keys.approveEdited', keys: ['Mod+Enter'] },
	{ group: 'inbox', title: 'inbox.keys.rebase', keys: ['B'] },
	{ group: 'inbox', title: 'inbox.keys.undo', keys: ['Z'] },
	{ group: 'inbox', title: 'inbox.keys.snooze', keys: ['S'] },
	{ group: 'inbox', title: 'inbox.keys.snoozeAgain', keys: ['Shift+S'] },
	{ group: 'inbox', title: 'inbox.keys.select', keys: ['X'] },
	{ group: 'inbox', title: 'inbox.keys.range', keys: ['Shift+X'] },
	{ group: 'inbox', title: 'inbox.keys.approveAll', keys: ['Shift+A'] },
	{ group: 'inbox', title: 'inbox.keys.rejectAll', keys: ['Shift+R'] },
	{ group: 'inbox', title: 'inbox.keys.unfold', keys: ['ArrowRight', 'ArrowLeft'] },
	{ group: 'memory', title: 'memory.keys.next', keys: ['J', 'ArrowDown'] },
	{ group: 'memory', title: 'memory.keys.previous', keys: ['K', 'ArrowUp'] },
	{ group: 'memory', title: 'memory.keys.first', keys: ['Home'] },
	{ group: 'memory', title: 'memory.keys.last', keys: ['End'] },
	{ group: 'memory', title: 'memory.keys.open', keys: ['Enter'] },
	{ group: 'memory', title: 'memory.keys.edit', keys: ['E'] },
	{ group: 'memory', title: 'memory.keys.save', keys: ['Mod+Enter'] },
	{ group: 'memory', title: 'memory.keys.versions', keys: ['H'] },
	{ group: 'memory', title: 'memory.keys.why', keys: ['W'] },
	{ group: 'memory', title: 'memory.keys.undo', keys: ['Z'] },
	{ group: 'memory', title: 'memory.keys.move', keys: ['M'] },
	{ group: 'memory', title: 'memory.keys.forget', keys: ['Delete'] },
	{ group: 'memory', title: 'memory.keys.add', keys: ['N'] },
	{ group: 'memory', title: 'memory.keys.search', keys: ['/'] },
	{ group: 'tasks', title: 'tasks.keys.next', keys: ['J', 'ArrowDown'] },
	{ group: 'tasks', title: 'tasks.keys.previous', keys: ['K', 'ArrowUp'] },
	{ group: 'tasks', title: 'tasks.keys.open', keys: ['Enter'] },
	{ group: 'tasks', title: 'tasks.keys.new', keys: ['N'] },
	{ group: 'tasks', title: 'tasks.keys.run', keys: ['R'] },
	{ group: 'tasks', title: 'tasks.keys.pause', keys: ['P'] },
	{ group: 'tasks', title: 'tasks.keys.edit', keys: ['E'] },
	{ group: 'tasks', title: 'tasks.keys.history', keys: ['H'] },
	{ group: 'tasks', title: 'tasks.keys.read', keys: ['Mod+Enter'] },
	{ group: 'tasks', title: 'tasks.keys.back', keys: ['Escape'] },
	{ group: 'timeline', title: 'timeline.keys.next', keys: ['J', 'ArrowDown'] },
	{ group: 'timeline', title: 'timeline.keys.previous', keys: ['K', 'ArrowUp'] },
	{ group: 'timeline', title: 'timeline.keys.open', keys: ['Enter'] },
	{ group: 'timeline', title: 'timeline.keys.back', keys: ['Escape'] },
	{ group: 'timeline', title: 'timeline.keys.inspect', keys: ['I'] },
	{ group: 'timeline', title: 'timeline.keys.restore', keys: ['R'] },
	{ group: 'timeline', title: 'timeline.keys.fork', keys: ['F'] },
] as const satisfies readonly { group: string; title: StringId; keys: readonly string[] }[];

/** The keyboard map, out of the same table that the keys themselves come from. */
export function KeyboardSection() {
	const say = useSay();
	return (
		<section>
			<SectionHead title={say('settings.keyboard')} lead={say('keyboard.lead')} />
			{(['general', 'chat', 'inbox', 'memory', 'tasks', 'timeline', 'settings'] as const).map((group) => (
				<table key={group} className="keys">
					<caption>{say(`command.group.${group}`)}</caption>
					<thead className="vh">
						<tr>
							<th scope="col">{say('keyboard.command')}</th>
							<th scope="col">{say('keyboard.keys')}</th>
						</tr>
					</thead>
					<tbody>
						{COMMAND_IDS.map((id) => ({ id, ...commandInfo(id) }))
							.filter((command) => command.group === group && command.keys && command.id !== 'stop')
							.map((command) => (
								<tr key={command.id}>
									<td>{say(command.title)}</td>
									<td>
										<Kbd keys={command.keys ?? ''} />
									</td>
								</tr>
							))}
						{HINTS.filter((hint) => hint.group === group).map(({ title, keys }) => (
							<tr key={title}>
								<td>{say(title)}</td>
								<td>
									{keys.map((key) => (
										<Kbd key={key} keys={key} />
									))}
								</td>
							</tr>
						))}
					</tbody>
				</table>
			))}
		</section>
	);
}
