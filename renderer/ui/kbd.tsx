export const IS_MAC = /mac/i.test(navigator.platform);

const MAC_NAMES: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };
const PLAIN_NAMES: Record<string, string> = { Mod: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Comma: ',', Slash: '/' };

/** `Mod+Shift+F` as this system writes it: "Ctrl Shift F" or "⌘ ⇧ F". */
export function keysText(keys: string): string {
	return keys
		.split('+')
		.map((key) => (IS_MAC ? MAC_NAMES[key] : undefined) ?? PLAIN_NAMES[key] ?? key)
		.join(' ');
}

export function Kbd({ keys }: { keys: string }) {
	return <kbd>{keysText(keys)}</kbd>;
}
