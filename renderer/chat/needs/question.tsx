import { type KeyboardEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { isComposing } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';
import type { NeedProps } from './needs-you.tsx';
import { StopButton } from './stop-button.tsx';

/** The model asks the owner something: by choice, or in the owner's own words. */
export function Question({ interrupt, busy, onAnswer }: NeedProps<'question'>) {
	const say = useSay();
	const id = useId();
	const [text, setText] = useState('');
	const { question, choices = [] } = interrupt.detail;
	const reply = (words: string): void => {
		if (words.trim() !== '' && !busy) onAnswer({ type: 'reply', text: words });
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
		event.preventDefault();
		reply(text);
	};
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				reply(text);
			}}
		>
			<header>
				<Icon name="alert" size="m" />
				<h2>{say('needs.question')}</h2>
			</header>
			<p className="need-question" dir="auto">
				{question}
			</p>
			{choices.length > 0 ? (
				<div className="need-choices">
					{choices.map((choice) => (
						<Button key={choice} dir="auto" disabled={busy} onClick={() => reply(choice)}>
							{choice}
						</Button>
					))}
				</div>
			) : null}
			<label className="vh" htmlFor={id}>
				{say('needs.reply')}
			</label>
			<textarea
				id={id}
				className="field area"
				rows={2}
				dir="auto"
				maxLength={20_000}
				placeholder={say('needs.reply')}
				value={text}
				onChange={(event) => setText(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			<footer>
				<StopButton interrupt={interrupt} busy={busy} onStop={() => onAnswer({ type: 'stop' })} />
				<span className="grow" />
				<Button onClick={() => onAnswer({ type: 'skip' })} disabled={busy}>
					{say('needs.noAnswer')}
				</Button>
				<Button kind="primary" type="submit" busy={busy} disabled={text.trim() === ''}>
					{say('needs.send')}
				</Button>
			</footer>
		</form>
	);
}
