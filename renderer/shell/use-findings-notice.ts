import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import { localDay } from '../../src/domain/local-day.ts';
import { call, onFindingsWait } from '../connection/index.ts';
import { type Say, useSay } from '../ui/strings.tsx';
import { runCommand } from './commands.ts';
import { type FindingsNotice, NOTHING_TOLD, noticeOf, type Told } from './findings-notice.ts';
import { useHeartbeat } from './queries.ts';
import { showNotification } from './show-notification.ts';

/** Kept in this browser or app, so that a restart tells nothing twice. */
const KEY = 'hearth.findings-told';
/** A look is told of when its end and its findings have both been announced. */
const SETTLED_MS = 1_500;
/** Notifications of several windows of a browser replace each other. */
const TAG = 'hearth-findings';

function readTold(): Told {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
		if (typeof kept !== 'object' || kept === null) return NOTHING_TOLD;
		const { day, standing } = kept as Record<string, unknown>;
		return { day: typeof day === 'string' ? day : '', standing: standing === true };
	} catch {
		// Written by something else: at worst one notification too many.
		return NOTHING_TOLD;
	}
}

function keepTold(told: Told): void {
	localStorage.setItem(KEY, JSON.stringify(told));
}

/** Tells of what a look found while the owner looks elsewhere. Mounted once. */
export function useFindingsNotice(): void {
	const say = useSay();
	const [location] = useLocation();
	const lastLook = useHeartbeat().data?.last;
	const ended = lastLook?.endedAt === undefined ? undefined : lastLook.id;
	const found = useRef(0);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const tell = useEffectEvent(async () => {
		const count = found.current;
		found.current = 0;
		timer.current = undefined;
		const { digest } = await call((client) => client.heartbeat.status(), { repeatable: true });
		const now = Date.now();
		const notice = noticeOf(count, digest, readTold(), now);
		if (!notice) return;
		const title = say('notify.findings', { count: notice.waiting });
		const isShown = await showNotification({
			title,
			body: bodyOf(say, notice),
			place: { command: 'inbox_findings' },
			open: () => runCommand('inbox_findings'),
			tag: TAG,
		});
		keepTold({ day: localDay(now), standing: isShown });
	});
	const settle = useEffectEvent(() => {
		// Where the runtime is away meanwhile, its next look tells.
		timer.current ??= setTimeout(() => void tell().catch(() => undefined), SETTLED_MS);
	});
	useEffect(() => {
		const stop = onFindingsWait((event) => {
			found.current += event.found;
			settle();
		});
		return () => {
			stop();
			clearTimeout(timer.current);
		};
	}, []);
	useEffect(() => {
		if (ended !== undefined) settle();
	}, [ended]);
	useEffect(() => {
		const looked = (): void => keepTold({ ...readTold(), standing: false });
		if (location.startsWith('/inbox')) looked();
		window.addEventListener('focus', looked);
		return () => window.removeEventListener('focus', looked);
	}, [location]);
}

function bodyOf(say: Say, { waiting, found, days }: FindingsNotice): string {
	const parts = [
		...(found > 0 && found < waiting ? [say('notify.findingsNew', { count: found })] : []),
		...(days === undefined ? [] : [say('notify.findingsSince', { days })]),
	];
	return parts.length > 0 ? parts.join(' ') : say('notify.findingsOpen');
}
