import { Link } from 'wouter';
import type { HeartbeatTick } from '../../src/domain/heartbeat.ts';
import { localDay } from '../../src/domain/local-day.ts';
import { BACKGROUND, SOURCES } from '../settings/background/place.ts';
import { askToAddSource } from '../settings/background/sources/sources-ui-store.ts';
import { useHeartbeat } from '../shell/queries.ts';
import { runPlace } from '../timeline/place.ts';
import { Icon } from '../ui/icon.tsx';
import { type Say, useSay } from '../ui/strings.tsx';

/** Nothing waits: when was the last look, when is the next one, and what to do where there is none. */
export function NothingWaits() {
	const say = useSay();
	const status = useHeartbeat().data;
	const last = status?.last;
	const [run] = last?.runIds ?? [];
	const lines = [
		...(last ? [lastWords(say, last)] : []),
		...(status?.on && status.nextAt !== undefined ? [say('inbox.nothingNext', { when: whenWords(say, status.nextAt) })] : []),
	];
	return (
		<div className="empty">
			<Icon name="inbox" />
			<h2>{say('inbox.emptyTitle')}</h2>
			{lines.length > 0 ? <p>{lines.join(' ')}</p> : null}
			{status && !status.on ? <p>{say('inbox.nothingOff')}</p> : null}
			{status?.on && !last ? <p>{say(status.held === 'no_sources' ? 'inbox.nothingSources' : 'inbox.nothingFirst')}</p> : null}
			{status && !status.on ? (
				<Link className="btn" href={BACKGROUND}>
					{say('inbox.nothingSetUp')}
				</Link>
			) : status?.held === 'no_sources' ? (
				<Link className="btn" href={SOURCES} onClick={askToAddSource}>
					{say('inbox.nothingAdd')}
				</Link>
			) : last ? (
				<Link className="btn" href={run ? runPlace(run) : BACKGROUND}>
					{say('inbox.nothingOpenLook')}
				</Link>
			) : null}
		</div>
	);
}

function lastWords(say: Say, { startedAt, items, sources, findings }: HeartbeatTick): string {
	return say('inbox.nothingLast', { when: whenWords(say, startedAt), items, sources, findings });
}

const DAY_MS = 86_400_000;

/** Today at 07:30, yesterday at 19:00, on 3 Nov 2026 at 07:30. */
function whenWords(say: Say, at: number): string {
	const now = Date.now();
	const day = ([-1, 0, 1] as const).find((by) => localDay(now + by * DAY_MS) === localDay(at));
	const name = day === undefined ? 'other' : ({ [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' } as const)[day];
	return say('inbox.nothingWhen', { day: name, at });
}
