import { type KeyboardEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { isComposing } from '../../ui/controls.tsx';
import { useSay } from '../../ui/strings.tsx';

/** No, with a reason where the owner wants to give one. */
export function Rejecting({ busy, onReject, onCancel }: { busy: boolean; onReject: (reason?: string) => void; onCancel: () => void }) {
	const say = useSay();
	const id = useId();
	const [reason, setReason] = useState('');
	const reject = (): void => onReject(reason.trim() === '' ? undefined : reason.trim());
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isComposing(event)) return;
		if (event.key === 'Escape') {
			event.stopPropagation();
			onCancel();
		}
		if (event.key !== 'Enter' || event.shiftKey || busy) return;
		event.preventDefault();
		reject();
	};
	return (
		<section className="need-more">
			<label htmlFor={id}>{say('needs.rejectReason')}</label>
			<textarea
				id={id}
				// biome-ignore lint/a11y/noAutofocus: the owner asked for it just now
				autoFocus
				className="field area"
				rows={2}
				dir="auto"
				maxLength={2000}
				value={reason}
				onChange={(event) => setReason(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			<div className="need-more-end">
				<span className="grow" />
				<Button onClick={onCancel} disabled={busy}>
					{say('common.cancel')}
				</Button>
				<Button kind="danger" busy={busy} onClick={reject}>
					{say('needs.rejectIt')}
				</Button>
			</div>
		</section>
	);
}
