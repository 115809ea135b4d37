import { expect, test } from 'vitest';
import { OwnerDoors } from '../../../src/app/owner-doors.ts';
import { contract } from '../../../src/contract/contract.ts';

const methods = Object.entries(contract).flatMap(([noun, of]) => Object.keys(of).map((name) => [noun, name]));

test('B3 while a program without a sandbox runs nothing that decides comes in over the socket; all doors are open otherwise', () => {
	const doors = new OwnerDoors();
	const open = (door: 'window' | 'web' | 'socket') =>
		methods.filter((path) => {
			try {
				doors.check(door, path);
				return true;
			} catch {
				return false;
			}
		});
	expect(open('socket')).toEqual(methods);
	const ends = [doors.withoutSandbox('run_command'), doors.withoutSandbox('server notes')];
	expect(open('window')).toEqual(methods);
	expect(open('web')).toEqual(methods);
	const left = open('socket').map((path) => path.join('.'));
	// Reading, and ending something: nothing whose name says that it gives, writes, sends or answers.
	expect(
		left.filter((name) =>
			/\.(?:answer|approve|reject|undo|rebase|add|save|set|send|grant|remove|create|delete|restore|fork|resume|signal|start|retry|export|openWeb|unlock|choose|import|accept|write|test)$/.test(
				name,
			),
		),
	).toEqual([]);
	expect(left).toContain('chat.stop');
	expect(left).toContain('permissions.revoke');
	expect(() => doors.check('socket', ['chat', 'answer'])).toThrow('run_command, server notes');
	// A method that is made tomorrow is refused until somebody says that it is harmless.
	expect(() => doors.check('socket', ['permissions', 'somethingNew'])).toThrow();
	ends[0]?.();
	expect(open('socket').length).toBeLessThan(methods.length);
	ends[1]?.();
	expect(open('socket')).toEqual(methods);
});
