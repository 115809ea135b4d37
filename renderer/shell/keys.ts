import { isComposing } from '../ui/controls.tsx';
import { IS_MAC } from '../ui/kbd.tsx';
import { COMMAND_IDS, type CommandId, commandInfo, runCommand } from './commands.ts';

const NAMES: Record<string, string> = { ',': 'Comma', '/': 'Slash' };

/** The pressed keys in the table's notation, such as `Mod+Shift+F`. */
export function pressedKeys(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
	const mod = IS_MAC ? event.metaKey : event.ctrlKey;
	const other = IS_MAC ? event.ctrlKey : event.metaKey;
	const key = NAMES[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
	return [mod ? 'Mod' : '', other ? 'Meta' : '', event.altKey ? 'Alt' : '', event.shiftKey ? 'Shift' : '', key].filter(Boolean).join('+');
}

const BY_KEYS = new Map<string, CommandId>();
for (const id of COMMAND_IDS) {
	const { keys } = commandInfo(id);
	if (keys) BY_KEYS.set(keys, id);
}

/** While a dialog is open only the palette's own keys work: what is behind it must not change. */
function blockedByDialog(id: CommandId): boolean {
	return id !== 'palette' && document.querySelector('.dialog[data-open], .palette[data-open]') !== null;
}

/** Listens for the keys of all commands; an input method at work and keys that a control already used are left alone. */
export function listenForKeys(target: Window): () => void {
	const onKeyDown = (event: KeyboardEvent): void => {
		if (event.defaultPrevented || isComposing(event)) return;
		const id = BY_KEYS.get(pressedKeys(event));
		if (id === undefined || blockedByDialog(id)) return;
		if (runCommand(id)) event.preventDefault();
	};
	target.addEventListener('keydown', onKeyDown);
	return () => target.removeEventListener('keydown', onKeyDown);
}
