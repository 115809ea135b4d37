import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import type { RunId, SessionId } from '../../src/domain/ids.ts';
import type { TaskId } from '../../src/domain/task.ts';
import { cutCodePoints } from '../../src/domain/text.ts';
import { sayProblem } from '../chat/session-actions.ts';
import { call, onTaskTold, shell, useSessions } from '../connection/index.ts';
import { taskPlace } from '../tasks/place.ts';
import { runPlace } from '../timeline/place.ts';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { runCommand } from './commands.ts';
import { showNotification } from './show-notification.ts';
import { noticesOf, type TaskTold } from './task-notice.ts';

/** Kept in this browser or app: a window that is loaded again, and a second one, tell nothing twice. */
const KEY = 'hearth.tasks-told';
const MOST_KEPT = 200;
const LONGEST_TEXT = 300;
/** How long more of a burst may come, in milliseconds. */
const BURST_MS = 1_000;

/**
 * Tells of what tasks have to say, once for each. By the task's title, which is the owner's own; what a run said is shown only where no word of it
 * is from outside (the event has it only then), and in a notification only where the owner lets those hold more than names.
 */
export function useTaskNotices(): void {
	const say = useSay();
	const [, navigate] = useLocation();
	const burst = useRef<TaskTold[]>([]);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const show = useEffectEvent(async (head: string, words: string | undefined, body: string, place: Place, tag: string) => {
		const open = (): void => {
			if (place.command) runCommand(place.command);
			else navigate(addressOf(place));
		};
		if (place.command || window.location.hash !== `#${addressOf(place)}`)
			showToast(words === undefined ? head : `${head}. ${words}`, { label: say('notify.taskOpen'), run: open });
		await showNotification({ title: head, body, place, open, tag });
	});
	const tellOne = useEffectEvent(async (told: TaskTold) => {
		const { occurrenceId, taskId, title, what, text } = told;
		const place = what === 'result' ? await placeOfResult(told) : { taskId };
		const words = text === undefined ? undefined : cutCodePoints(text, LONGEST_TEXT);
		const { questionsInNotifications } = await call((client) => client.settings.get(), { repeatable: true });
		const body = questionsInNotifications && words !== undefined ? words : say('notify.taskBody', { what });
		await show(say('notify.task', { what, title }), words, body, place, `hearth-task-${occurrenceId}`);
	});
	const tell = useEffectEvent(() => {
		timer.current = undefined;
		const news = burst.current.filter(({ occurrenceId, what }) => isNews(`${occurrenceId} ${what}`));
		burst.current = [];
		for (const notice of noticesOf(news)) {
			const telling =
				notice.kind === 'one'
					? tellOne(notice.told)
					: show(
							say('notify.tasksMissed', { count: notice.count }),
							undefined,
							say('notify.taskBody', { what: 'missed' }),
							{ command: 'tasks' },
							KEY,
						);
			telling.catch(sayProblem);
		}
	});
	const openTask = useEffectEvent((taskId: string) => navigate(taskPlace(taskId)));
	useEffect(() => {
		const stopHearing = onTaskTold((told) => {
			burst.current.push(told);
			timer.current ??= setTimeout(() => tell(), BURST_MS);
		});
		const stopOpening = shell?.onOpenTask((taskId) => openTask(taskId));
		return () => {
			stopHearing();
			stopOpening?.();
			clearTimeout(timer.current);
			timer.current = undefined;
		};
	}, []);
}

interface Place {
	readonly command?: 'inbox_findings' | 'tasks';
	readonly sessionId?: SessionId;
	readonly runId?: RunId;
	readonly taskId?: TaskId;
}

/** The chat or the inbox, where the result lies there; what said it, where it lies nowhere else; else the task. */
async function placeOfResult({ taskId, occurrenceId }: TaskTold): Promise<Place> {
	const { occurrences } = await call((client) => client.tasks.history({ taskId, limit: 20 }), { repeatable: true });
	const { result, runId } = occurrences.find(({ id }) => id === occurrenceId) ?? {};
	if (result?.proposalId !== undefined) return { command: 'inbox_findings' };
	if (result?.sessionId === undefined) return { taskId };
	// Not every session is a chat that can be opened.
	if (useSessions.getState().byId[result.sessionId]) return { sessionId: result.sessionId };
	return runId === undefined ? { taskId } : { runId };
}

function addressOf({ sessionId, runId, taskId }: Place): string {
	if (sessionId !== undefined) return `/chat/${sessionId}`;
	return runId === undefined ? taskPlace(taskId ?? '') : runPlace(runId);
}

/** True the first time. */
function isNews(key: string): boolean {
	const told = readTold();
	if (told.includes(key)) return false;
	localStorage.setItem(KEY, JSON.stringify([...told, key].slice(-MOST_KEPT)));
	return true;
}

function readTold(): string[] {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
		return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : [];
	} catch {
		// Written by something else: at worst one notification too many.
		return [];
	}
}
