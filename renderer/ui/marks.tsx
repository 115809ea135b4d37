import type { ReactNode } from 'react';
import type { Label } from '../../src/domain/label.ts';
import { Icon, type IconName } from './icon.tsx';
import { useSay } from './strings.tsx';

export type State = 'done' | 'failed' | 'missed' | 'running' | 'waiting' | 'scheduled' | 'stale' | 'pending' | 'alert';
const STATE_ICON: Record<State, IconName> = {
	done: 'done',
	failed: 'failed',
	missed: 'missed',
	running: 'running',
	waiting: 'waiting',
	scheduled: 'scheduled',
	stale: 'stale',
	pending: 'alert',
	alert: 'alert',
};

/** A state as icon, word and colour. With `quiet`, the word is for assistive technology only. */
export function StateMark({
	state,
	icon,
	quiet = false,
	children,
}: {
	state: State;
	icon?: IconName;
	quiet?: boolean;
	children: ReactNode;
}) {
	return (
		<span className={`state ${state}`}>
			<Icon name={icon ?? STATE_ICON[state]} />
			<span className={quiet ? 'vh' : undefined}>{children}</span>
		</span>
	);
}

/** `unknown`: nobody knows any more where it came from. */
export type ShownLabel = Label | 'unknown';
const LABEL_ICON: Record<ShownLabel, IconName> = {
	owner: 'user',
	agent: 'agent',
	workspace: 'folder',
	approved: 'check',
	external: 'globe',
	unknown: 'info',
};

/** The trust of a piece of text: icon and outline first, then the word, then the colour. */
export function TrustLabel({ label, quiet = false }: { label: ShownLabel; quiet?: boolean }) {
	const say = useSay();
	return (
		<span className={`label ${label}${quiet ? ' quiet' : ''}`}>
			<Icon name={LABEL_ICON[label]} />
			{say(`label.${label}`)}
		</span>
	);
}
