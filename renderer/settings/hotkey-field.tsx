import { type KeyboardEvent, useState } from 'react';
import { shell } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { IS_MAC } from '../ui/kbd.tsx';
import { useSay } from '../ui/strings.tsx';
import { acceleratorOf, acceleratorText } from './accelerator.ts';
import { Row } from './row.tsx';

/** Captures the quick window's hotkey: press the button, then the keys. The old one stays where the system refuses the new one. */
export function HotkeyField({ value, onSave }: { value: string; onSave: (accelerator: string) => void }) {
	const say = useSay();
	const [capturing, setCapturing] = useState(false);
	const [problem, setProblem] = useState<'general.hotkeyNeedsModifier' | 'general.hotkeyRefused'>();

	const save = async (accelerator: string): Promise<void> => {
		setCapturing(false);
		// Nothing registers keys in a browser; the desktop app does at its next start.
		const taken = shell ? await shell.setHotkey(accelerator) : true;
		setProblem(taken ? undefined : 'general.hotkeyRefused');
		if (taken) onSave(accelerator);
		else await shell?.setHotkey(value);
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (!capturing || isComposing(event) || event.key === 'Tab') return;
		event.preventDefault();
		event.stopPropagation();
		if (event.key === 'Escape') {
			setCapturing(false);
			return;
		}
		const result = acceleratorOf(event, IS_MAC);
		if (result === 'waiting') return;
		if (result === 'no_modifier') setProblem('general.hotkeyNeedsModifier');
		else void save(result.accelerator);
	};
	const hint = problem ? <span className="field-error">{say(problem)}</span> : say(shell ? 'general.hotkeyHint' : 'general.hotkeyLater');
	return (
		<Row title={say('general.hotkey')} hint={<span role="status">{hint}</span>}>
			<button
				type="button"
				className="select hotkey"
				aria-label={`${say('general.hotkey')}: ${value ? acceleratorText(value) : say('general.hotkeyNone')}`}
				aria-pressed={capturing}
				onClick={() => {
					setProblem(undefined);
					setCapturing(true);
				}}
				onKeyDown={onKeyDown}
				onBlur={() => setCapturing(false)}
			>
				{capturing ? say('general.hotkeyPress') : value ? acceleratorText(value) : say('general.hotkeyNone')}
			</button>
			{value ? (
				<Button kind="ghost" onClick={() => void save('')}>
					{say('general.hotkeyClear')}
				</Button>
			) : null}
		</Row>
	);
}
