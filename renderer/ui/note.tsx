import type { ReactNode } from 'react';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { Icon, type IconName } from './icon.tsx';

type Tone = 'plain' | 'ask' | 'failed' | 'missed';
const ICON: Record<Tone, IconName> = { plain: 'info', ask: 'alert', failed: 'failed', missed: 'missed' };

interface NoteProps {
	tone?: Tone;
	icon?: IconName;
	title?: ReactNode;
	children?: ReactNode;
	actions?: ReactNode;
	/** Announced when it appears: `alert` at once, `status` when the reader is free. */
	role?: 'alert' | 'status';
}

export function Note({ tone = 'plain', icon, title, children, actions, role }: NoteProps) {
	return (
		<div className={tone === 'plain' ? 'note' : `note ${tone}`} role={role}>
			<Icon name={icon ?? ICON[tone]} size="m" />
			<div className="grow">
				{title ? <p className="note-title">{title}</p> : null}
				{children}
			</div>
			{actions ? <div className="note-actions">{actions}</div> : null}
		</div>
	);
}

/** An error in three parts: what happened, what is safe, what to do (S5). */
export function ErrorNote({ error, actions, children }: { error: ErrorShape; actions?: ReactNode; children?: ReactNode }) {
	return (
		<Note tone={error.kind === 'needs_owner' ? 'ask' : 'failed'} title={error.message} actions={actions} role="alert">
			{error.safe ? <p>{error.safe}</p> : null}
			{error.action ? <p>{error.action}</p> : null}
			{children}
		</Note>
	);
}
