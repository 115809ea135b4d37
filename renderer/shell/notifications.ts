import { useEffect, useEffectEvent, useRef } from 'react';
import type { RunSummary } from '../../src/domain/run.ts';
import { onRunChanged, shell, useConnection, useSessions } from '../connection/index.ts';
import { useSay } from '../ui/strings.tsx';

/** What is worth a word to an owner who looks elsewhere. They know of a reply that they stopped themselves. */
const TOLD = { waiting: 'notify.waiting', done: 'notify.done', failed: 'notify.failed', interrupted: 'notify.interrupted' } as const;

/**
 * Hands the shell a notification when a reply ends or needs the owner, by the chat's title and never by its words: a lock screen may
 * show it. The shell decides whether the owner wants it and looks at Hearth already.
 */
export function useNotifications(): void {
	const say = useSay();
	const takeInbox = useInboxNotice();
	const tell = useEffectEvent(({ sessionId, status, kind, title }: RunSummary) => {
		if (status === 'running' || status === 'sleeping' || status === 'stopped') return;
		// How delegated work ends is told by the run that delegated it.
		if (kind === 'child' && status !== 'waiting') return;
		const chat = useSessions.getState().byId[sessionId]?.title ?? (kind === 'workflow' ? title : '');
		const count = takeInbox();
		const body = count === 0 ? chat : say('notify.inboxToo', { chat, count });
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

/** How long more of a burst may come, in milliseconds; and a reply that ends meanwhile says it along. */
const BURST_MS = 2_500;

/**
 * One word for all that came to wait in the inbox while the owner looked elsewhere, however much it was, and no second one before they
 * have looked. Returns a function that takes what was not told yet, for who tells it along.
 */
function useInboxNotice(): () => number {
	const say = useSay();
	const waiting = useConnection((state) => state.inbox?.proposals);
	const known = useRef(waiting);
	const fresh = useRef(0);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const told = useRef(false);
	const take = (): number => {
		clearTimeout(timer.current);
		timer.current = undefined;
		const count = told.current ? 0 : fresh.current;
		fresh.current = 0;
		if (count > 0) told.current = true;
		return count;
	};
	const tell = useEffectEvent(() => {
		const count = take();
		if (count > 0) void shell?.notify({ title: say('notify.inbox', { count }), body: '', command: 'inbox' });
	});
	useEffect(() => {
		const before = known.current;
		known.current = waiting;
		if (!shell || document.hasFocus() || before === undefined || waiting === undefined || waiting <= before) return;
		fresh.current += waiting - before;
		timer.current ??= setTimeout(() => tell(), BURST_MS);
	}, [waiting]);
	useEffect(() => {
		const looked = (): void => {
			told.current = false;
			fresh.current = 0;
		};
		window.addEventListener('focus', looked);
		return () => {
			window.removeEventListener('focus', looked);
			clearTimeout(timer.current);
		};
	}, []);
	return take;
}
