import { memo, useId, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';
import { LongText } from './long-text.tsx';

/** The model's thinking, folded: it is kept apart from the answer and read only on demand (chat-8). */
export const Reasoning = memo(function Reasoning({ text, thinking }: { text: string; thinking: boolean }) {
	const say = useSay();
	const [open, setOpen] = useState(false);
	const id = useId();
	return (
		<div className="reasoning">
			<button type="button" className="fold" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
				<Icon name={thinking ? 'running' : open ? 'down' : 'right'} size="s" className={thinking ? 'spin' : undefined} />
				{say(thinking ? 'chat.reasoningNow' : 'chat.reasoning')}
			</button>
			<div id={id} hidden={!open}>
				{open ? <LongText text={text} className="reasoning-text" /> : null}
			</div>
		</div>
	);
});
