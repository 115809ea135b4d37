import { Dialog as Base } from '@base-ui/react/dialog';
import type { FormEvent, ReactNode, RefObject } from 'react';
import { Button } from './button.tsx';
import { useSay } from './strings.tsx';

interface DialogProps {
	open: boolean;
	onClose: () => void;
	title: string;
	/** One or two sentences under the title. */
	lead?: ReactNode;
	children?: ReactNode;
	/** Buttons, the main one last. */
	footer?: ReactNode;
	/** Makes the dialog a form: Enter in a field submits. */
	onSubmit?: () => void;
	wide?: boolean;
	/** For what is read rather than answered. */
	size?: 'huge';
	initialFocus?: RefObject<HTMLElement | null>;
	/** Called at the end: true leaves the focus to the dialog, which gives it back to what had it before. */
	finalFocus?: () => boolean;
}

interface FormButtonsProps {
	onCancel: () => void;
	/** What the form does, in a word or two. */
	action: string;
	kind?: 'primary' | 'danger';
	busy?: boolean;
	disabled?: boolean;
}

/** The end of a dialog that is a form: Cancel, and what it does. */
export function FormButtons({ onCancel, action, kind = 'primary', busy, disabled }: FormButtonsProps) {
	const say = useSay();
	return (
		<>
			<Button onClick={onCancel}>{say('common.cancel')}</Button>
			<Button kind={kind} type="submit" busy={busy} disabled={disabled}>
				{action}
			</Button>
		</>
	);
}

/** A modal question. Esc and the backdrop close it; focus goes back to what opened it. */
export function Dialog({
	open,
	onClose,
	title,
	lead,
	children,
	footer,
	onSubmit,
	wide = false,
	size,
	initialFocus,
	finalFocus,
}: DialogProps) {
	const submit = (event: FormEvent) => {
		event.preventDefault();
		onSubmit?.();
	};
	const body = (
		<>
			<Base.Title>{title}</Base.Title>
			{lead ? <Base.Description className="dialog-lead">{lead}</Base.Description> : null}
			{children}
			{footer ? <footer>{footer}</footer> : null}
		</>
	);
	return (
		<Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
			<Base.Portal>
				<Base.Backdrop className="backdrop" />
				<Base.Viewport className="dialog-viewport">
					<Base.Popup
						className={['pop dialog', wide ? 'wide' : '', size].filter(Boolean).join(' ')}
						initialFocus={initialFocus}
						finalFocus={finalFocus}
					>
						{onSubmit ? <form onSubmit={submit}>{body}</form> : body}
					</Base.Popup>
				</Base.Viewport>
			</Base.Portal>
		</Base.Root>
	);
}
