// @vitest-environment happy-dom
import { afterEach, describe, expect, test } from 'vitest';
import { acceleratorOf, acceleratorText } from '../../../renderer/settings/accelerator.ts';
import { COMMAND_IDS, commandInfo, provideCommand, runCommand } from '../../../renderer/shell/commands.ts';
import { listenForKeys, pressedKeys } from '../../../renderer/shell/keys.ts';
import { ShellCommand } from '../../../src/contract/shell.ts';
import { en } from '../../../src/contract/strings/index.ts';

const plain = { key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const undo: (() => void)[] = [];
afterEach(() => {
	for (const stop of undo.splice(0)) stop();
});

describe('commands', () => {
	test('each has a name, and no two have the same keys', () => {
		const keys = COMMAND_IDS.map((id) => commandInfo(id).keys).filter(Boolean);
		expect(new Set(keys).size).toBe(keys.length);
		for (const id of COMMAND_IDS) expect(en[commandInfo(id).title], id).toBeTruthy();
	});

	test('the shell’s menu and tray commands are all in the table', () => {
		for (const command of ShellCommand.options) expect(COMMAND_IDS).toContain(command);
	});

	test('the newest provider runs, and the one before it again when it leaves', () => {
		const ran: string[] = [];
		undo.push(provideCommand('search', () => void ran.push('everywhere')));
		const leave = provideCommand('search', () => void ran.push('here'));
		runCommand('search');
		leave();
		runCommand('search');
		expect(ran).toEqual(['here', 'everywhere']);
		expect(runCommand('stop')).toBe(false);
	});
});

describe('keys', () => {
	test('are named as in the table', () => {
		expect(pressedKeys({ ...plain, key: 'f', ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+F');
		expect(pressedKeys({ ...plain, key: ',', ctrlKey: true })).toBe('Mod+Comma');
		expect(pressedKeys({ ...plain, key: 'Escape' })).toBe('Escape');
	});

	test('run their command, but not while an input method composes, nor when a control used them', () => {
		let ran = 0;
		undo.push(
			listenForKeys(window),
			provideCommand('new_chat', () => void ran++),
		);
		const press = (more: KeyboardEventInit, before?: (event: KeyboardEvent) => void): void => {
			const event = new KeyboardEvent('keydown', { key: 'n', ctrlKey: true, cancelable: true, bubbles: true, ...more });
			before?.(event);
			window.dispatchEvent(event);
		};
		press({});
		press({ isComposing: true });
		press({}, (event) => event.preventDefault());
		expect(ran).toBe(1);
	});

	test('do nothing behind an open dialog', () => {
		let ran = 0;
		undo.push(
			listenForKeys(window),
			provideCommand('new_chat', () => void ran++),
		);
		const dialog = document.createElement('div');
		dialog.className = 'dialog';
		dialog.dataset.open = '';
		document.body.append(dialog);
		undo.push(() => dialog.remove());
		window.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', ctrlKey: true }));
		expect(ran).toBe(0);
	});
});

describe('the hotkey of the quick window', () => {
	test('is an Electron accelerator made of the physical key', () => {
		expect(acceleratorOf({ ...plain, key: ' ', code: 'Space', ctrlKey: true, shiftKey: true }, false)).toEqual({
			accelerator: 'Control+Shift+Space',
		});
		expect(acceleratorOf({ ...plain, key: 'å', code: 'KeyA', altKey: true }, false)).toEqual({ accelerator: 'Alt+A' });
		expect(acceleratorOf({ ...plain, key: 'k', code: 'KeyK', metaKey: true }, true)).toEqual({ accelerator: 'Command+K' });
		expect(acceleratorOf({ ...plain, key: 'F9', code: 'F9' }, false)).toEqual({ accelerator: 'F9' });
	});

	test('never takes a plain key from every other program', () => {
		expect(acceleratorOf({ ...plain, key: 'a', code: 'KeyA' }, false)).toBe('no_modifier');
		expect(acceleratorOf({ ...plain, key: 'A', code: 'KeyA', shiftKey: true }, false)).toBe('no_modifier');
		expect(acceleratorOf({ ...plain, key: 'Control', code: 'ControlLeft', ctrlKey: true }, false)).toBe('waiting');
	});

	test('is shown as people read it', () => {
		expect(acceleratorText('CommandOrControl+Shift+Space')).toBe('Ctrl Shift Space');
	});
});
