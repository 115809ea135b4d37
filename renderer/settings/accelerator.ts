/** Pressed keys as an Electron accelerator, such as `CommandOrControl+Shift+Space`. */

const NAMED: Record<string, string> = {
	' ': 'Space',
	ArrowUp: 'Up',
	ArrowDown: 'Down',
	ArrowLeft: 'Left',
	ArrowRight: 'Right',
	Enter: 'Return',
	Escape: 'Esc',
	'+': 'Plus',
};
const SAME = new Set(['Tab', 'Home', 'End', 'PageUp', 'PageDown', 'Insert', 'Delete', 'Backspace']);

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

function keyName({ key, code }: Pressed): string | undefined {
	if (NAMED[key]) return NAMED[key];
	if (SAME.has(key) || /^F([1-9]|1\d|2[0-4])$/.test(key)) return key;
	// The physical letter or digit: with Alt or Shift `key` may be another character.
	const plain = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
	if (plain) return plain;
	return /^[!-~]$/.test(key) ? key.toUpperCase() : undefined;
}

/** `waiting`: only modifiers are down yet. `no_modifier`: such keys would be taken from every program. */
export function acceleratorOf(pressed: Pressed, isMac: boolean): { accelerator: string } | 'waiting' | 'no_modifier' {
	if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'].includes(pressed.key)) return 'waiting';
	const key = keyName(pressed);
	if (key === undefined) return 'waiting';
	const modifiers = [
		pressed.metaKey ? (isMac ? 'Command' : 'Super') : '',
		pressed.ctrlKey ? 'Control' : '',
		pressed.altKey ? 'Alt' : '',
		pressed.shiftKey ? 'Shift' : '',
	].filter(Boolean);
	const strong = modifiers.some((modifier) => modifier !== 'Shift') || /^F\d/.test(key);
	return strong ? { accelerator: [...modifiers, key].join('+') } : 'no_modifier';
}

const SHOWN: Record<string, string> = {
	Control: 'Ctrl',
	CommandOrControl: 'Ctrl',
	CmdOrCtrl: 'Ctrl',
	Command: '⌘',
	Super: 'Super',
	Return: 'Enter',
	Plus: '+',
};

/** An accelerator as people read it: "Ctrl Shift Space". */
export function acceleratorText(accelerator: string): string {
	return accelerator
		.split('+')
		.map((key) => SHOWN[key] ?? key)
		.join(' ');
}
