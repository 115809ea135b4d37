import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import type { NotificationAnswer } from '../../src/contract/shell.ts';
import { InterruptId, type RunId, type SessionId } from '../../src/domain/ids.ts';
import type { Reminder } from '../../src/domain/reminder.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import { jumpTo } from '../chat/chat-ui-store.ts';
import { sayProblem } from '../chat/session-actions.ts';
import { call, onReminderDue, onRunChanged, shapeOf, shell, useConnection, useSessions } from '../connection/index.ts';
import { focusNeed } from '../timeline/focus.ts';
import { runPlace } from '../timeline/place.ts';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { notificationQuestion } from './notification-question.ts';
import { useFindingsNotice } from './use-findings-notice.ts';
import { useTaskNotices } from './use-task-notices.ts';

/** What is worth a word to an owner who looks elsewhere. They know of a reply that they stopped themselves. */
const TOLD = { waiting: 'notify.waiting', done: 'notify.done', failed: 'notify.failed', interrupted: 'notify.interrupted' } as const;

/**
 * Hands the shell a notification when a reply ends or needs the owner, by the chat's title and not by its words: a lock screen may show it.
 * Only where the owner's settings say so it holds a question, and its choices as buttons. The shell decides whether the owner wants
 * notifications at all and looks at Hearth already.
 */
export function useNotifications(): void {
	const say = useSay();
	const takeInbox = useInboxNotice();
	useNotificationAnswers();
	useReminderNotices();
	useFindingsNotice();
	useTaskNotices();
	const tell = useEffectEvent(async ({ id, sessionId, status, kind, title }: RunSummary) => {
		if (status === 'running' || status === 'sleeping' || status === 'stopped') return;
		// How delegated work ends is told by the run that delegated it.
		if (kind === 'child' && status !== 'waiting') return;
		// What a look found is told by the look, and what stops looks where they are set up.
		if (kind === 'heartbeat') return;
		// What became of a task's run is told by the task; what it asks meanwhile, here.
		if (kind === 'task' && status !== 'waiting') return;
		const chat = useSessions.getState().byId[sessionId]?.title ?? (kind === 'workflow' || kind === 'task' ? title : '');
		const count = takeInbox();
		const body = (count === 0 ? chat : say('notify.inboxToo', { chat, count })).slice(0, 200);
		if (status !== 'waiting') {
			void shell?.notify({ title: say(TOLD[status]), body, ...(kind === 'chat' ? { sessionId } : { runId: id }) });
			return;
		}
		const asked = await shownQuestion(id, sessionId, say('needs.reply'));
		void shell?.notify({ title: say(asked ? 'notify.asks' : TOLD.waiting), body, runId: id, ...asked });
	});
	useEffect(() => {
		if (!shell) return;
		/** How each run stood when it was last told of: it is announced with every change of its message. */
		const known = new Map<string, RunSummary['status']>();
		return onRunChanged((run) => {
			if (known.get(run.id) === run.status) return;
			known.set(run.id, run.status);
			void tell(run);
		});
	}, []);
}

/**
 * A reminder is told by its own words only where they may stand in a notification, and never as Hearth's where they came from outside: then by
 * its chat's title.
 */
function useReminderNotices(): void {
	const say = useSay();
	const [, navigate] = useLocation();
	const tell = useEffectEvent(async ({ text, label, sessionId }: Reminder) => {
		const isOutside = label === 'external';
		const place = `/chat/${sessionId}`;
		const show = sessionId && { label: say('reminders.open'), run: () => navigate(place) };
		// In its own chat it stands above the composer already.
		if (window.location.hash !== `#${place}`) showToast(isOutside ? say('reminders.toastOutside') : say('reminders.toast', { text }), show);
		const { questionsInNotifications } = await call((client) => client.settings.get(), { repeatable: true });
		const chat = (sessionId && useSessions.getState().byId[sessionId]?.title) ?? '';
		const body = (questionsInNotifications && !isOutside ? text : chat).slice(0, 200);
		void shell?.notify({ title: say('notify.reminder'), body, ...(sessionId && { sessionId }) });
	});
	useEffect(() => onReminderDue((reminder) => void tell(reminder).catch(sayProblem)), []);
}

/** What the run asks, where it may stand in a notification. It is told of without, where that can't be found out. */
async function shownQuestion(runId: RunId, sessionId: SessionId, placeholder: string) {
	try {
		const { questionsInNotifications } = await call((client) => client.settings.get(), { repeatable: true });
		if (!questionsInNotifications) return undefined;
		const asked = await call((client) => client.chat.interrupts({ sessionId }), { repeatable: true });
		const open = asked.filter((interrupt) => interrupt.runId === runId);
		return open[0] && open.length === 1 ? notificationQuestion(open[0], placeholder) : undefined;
	} catch {
		// The runtime is away: that the run waits is still worth a word.
		return undefined;
	}
}

/** A press on a notification opens what the run asks; an answer in it is given with the hash of what it showed, as in a chat. */
function useNotificationAnswers(): void {
	const say = useSay();
	const [, navigate] = useLocation();
	const open = useEffectEvent(async (runId: RunId) => {
		const { run } = await call((client) => client.runs.get({ runId }), { repeatable: true });
		if (run.kind === 'chat') {
			navigate(`/chat/${run.sessionId}`);
			jumpTo(run.sessionId, run.messageId);
		} else navigate(runPlace(runId));
		focusNeed(runId);
	});
	const answer = useEffectEvent(async ({ interruptId, shownHash, runId, text }: NotificationAnswer) => {
		try {
			await call((client) =>
				client.chat.answer({ interruptId: InterruptId.parse(interruptId), shownHash, answer: { type: 'reply', text } }),
			);
		} catch (error) {
			const { code, message, action } = shapeOf(error);
			const gone = code === 'stale' || code === 'conflict' || code === 'not_found';
			const body = gone ? say('notify.notTakenBody') : [message, action].filter(Boolean).join(' ');
			void shell?.notify({ title: say('notify.notTaken'), body, ...(runId && { runId }) });
		}
	});
	useEffect(() => {
		const stopOpening = shell?.onOpenRun((runId) => void open(runId as RunId).catch(sayProblem));
		const stopAnswering = shell?.onNotificationAnswer((given) => void answer(given));
		return () => {
			stopOpening?.();
			stopAnswering?.();
		};
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
	// Findings are told by the look that found them.
	const waiting = useConnection(({ inbox }) => inbox && inbox.proposals - inbox.findings) ?? undefined;
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
