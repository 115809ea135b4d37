import {
	answerHeartbeat,
	goOnHeartbeat,
	runHeartbeat,
	showHeartbeat,
	stopHeartbeat,
	switchHeartbeat,
	withdrawHeartbeat,
} from './commands/heartbeat.ts';
import type { CommandRoots } from './memory-commands.ts';

export function addHeartbeatCommands({ group, withDoor }: CommandRoots): void {
	const heartbeat = group('heartbeat', 'looks at your sources: run, status, on, off, stop, go-on, answer, withdraw');
	heartbeat
		.command('run [source]')
		.description('look now, whatever the hour: at all sources, or at one (its name, or the beginning of its id)')
		.action((source: string | undefined) => withDoor((context) => runHeartbeat(context, source), { takeUpRuns: true })());
	heartbeat
		.command('status')
		.description('whether it is on, what holds it, what waits, and the last looks')
		.action(withDoor(showHeartbeat));
	heartbeat
		.command('on')
		.description('look at the sources by itself, from now on')
		.action(withDoor((context) => switchHeartbeat(context, true)));
	heartbeat
		.command('off')
		.description('look no more by itself')
		.action(withDoor((context) => switchHeartbeat(context, false)));
	heartbeat.command('stop').description('end the look under way').action(withDoor(stopHeartbeat));
	heartbeat.command('go-on').description('after an error that stopped it').action(withDoor(goOnHeartbeat));
	heartbeat
		.command('answer')
		.description('whether text of your sources may go to a model elsewhere; at a terminal')
		.action(withDoor(answerHeartbeat, { takeUpRuns: true }));
	heartbeat
		.command('withdraw <place>')
		.description('take such an answer back, by its provider or its host: you are asked again')
		.action((place: string) => withDoor((context) => withdrawHeartbeat(context, place))());
}
