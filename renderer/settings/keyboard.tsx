import { COMMAND_IDS, commandInfo } from '../shell/commands.ts';
import { Kbd } from '../ui/kbd.tsx';
import { useSay } from '../ui/strings.tsx';
import { SectionHead } from './row.tsx';

/** Keys that belong to a field, not to a command. */
const HINTS = [
	{ id: 'send', keys: 'Enter' },
	{ id: 'newLine', keys: 'Shift+Enter' },
	{ id: 'close', keys: 'Escape' },
] as const;

/** The keyboard map, out of the same table that the keys themselves come from. */
export function KeyboardSection() {
	const say = useSay();
	return (
		<section>
			<SectionHead title={say('settings.keyboard')} lead={say('keyboard.lead')} />
			{(['general', 'chat', 'settings'] as const).map((group) => (
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
						{group === 'chat'
							? HINTS.map(({ id, keys }) => (
									<tr key={id}>
										<td>{say(`command.hint.${id}`)}</td>
										<td>
											<Kbd keys={keys} />
										</td>
									</tr>
								))
							: null}
					</tbody>
				</table>
			))}
		</section>
	);
}
