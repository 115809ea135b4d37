import { useEffect, useEffectEvent } from 'react';
import type { RunSummary } from '../../src/domain/run.ts';
import { onRunChanged, shell, useSessions } from '../connection/index.ts';
import { useSay } from '../ui/strings.tsx';

/** What is worth a word to an owner who looks elsewhere. They know of a reply that they stopped themselves. */
const TOLD = { waiting: 'notify.waiting', done: 'notify.done', failed: 'notify.failed', interrupted: 'notify.interrupted' } as const;

/**
 * Hands the shell a notification when a reply ends or needs the owner, by the chat's title and never by its words: a lock screen may
 * show it. The shell decides whether the owner wants it and looks at Hearth already.
 */
export function useNotifications(): void {
	const say = useSay();
	const tell = useEffectEvent(({ sessionId, status }: RunSummary) => {
		if (status === 'running' || status === 'stopped') return;
		const body = useSessions.getState().byId[sessionId]?.title ?? '';
		void shell?.notify({ title: say(TOLD[status]), body: body.slice(0, 200), sessionId });
	});
	useEffect(() => {
		if (!shell) return;
		/** How each run stood when it was last told of: it is announced with every change of its message. */
		const known = new Map<string, RunSummary['status']>();
		return onRunChanged((run) => {
			if (known.get(run.id) === run.status) return;
			known.set(run.id, run.status);
			tell(run);
		});
	}, []);
}
