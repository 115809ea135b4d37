import { Fragment, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { SessionId } from '../../src/domain/ids.ts';
import { shell, useConnection, useSessions } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { CutOffBanner } from './cut-off.tsx';
import { useSecretStatus } from './queries.ts';
import { UnlockDialog } from './unlock.tsx';

/** How long the connection may be away before the owner hears of it, in milliseconds: a restart of the page or runtime is often shorter. */
const PATIENCE_MS = 1200;

/** Chats that a banner names; the list marks all of them. */
const MOST_LINKS = 4;

/** How the runtime last ended, in words, and the chats in which a reply was being written then. */
interface Crash {
	readonly reason: string;
	readonly atWork: readonly SessionId[];
}

function useDelayed(wanted: boolean): boolean {
	const [shown, setShown] = useState(false);
	useEffect(() => {
		if (!wanted) {
			setShown(false);
			return;
		}
		const timer = setTimeout(() => setShown(true), PATIENCE_MS);
		return () => clearTimeout(timer);
	}, [wanted]);
	return wanted && shown;
}

interface ConnectionBannerProps {
	/** Null where there was none, or the owner has seen it. */
	crash: Crash | null;
	onCrash: (change: (before: Crash | null) => Crash | null) => void;
}

function ConnectionBanner({ crash, onCrash }: ConnectionBannerProps) {
	const say = useSay();
	const link = useConnection((state) => state.link);
	const runtime = useConnection((state) => state.runtime);
	const slow = useDelayed(link.state === 'connecting' || link.state === 'offline');
	useEffect(() => {
		if (runtime?.state !== 'restarting') return;
		const { reason } = runtime;
		const atWork = Object.values(useSessions.getState().byId).filter(({ activity }) => activity === 'running');
		onCrash((before) => ({ reason, atWork: [...new Set([...(before?.atWork ?? []), ...atWork.map(({ id }) => id)])] }));
	}, [runtime, onCrash]);
	if (runtime?.state === 'failed') {
		const shape: ErrorShape = { kind: 'terminal', code: 'internal', message: runtime.message, safe: runtime.safe, action: runtime.action };
		return <ErrorNote error={shape} actions={<Button onClick={() => void shell?.restartRuntime()}>{say('failed.restart')}</Button>} />;
	}
	if (runtime?.state === 'restarting') {
		return (
			<Note
				icon="bolt"
				title={say('banner.restarting')}
				role="status"
				actions={<Button onClick={() => void shell?.restartRuntime()}>{say('banner.restartNow')}</Button>}
			>
				<p>{`${runtime.reason} ${say('banner.restartingSafe')}`}</p>
			</Note>
		);
	}
	if (slow) {
		return (
			<Note icon="running" role="status">
				{say(link.state === 'offline' ? 'banner.lost' : 'banner.connecting')}
			</Note>
		);
	}
	if (!crash || runtime?.state !== 'running') return null;
	return (
		<Note
			icon="bolt"
			title={say('banner.restarted')}
			role="status"
			actions={
				<Button kind="ghost" onClick={() => onCrash(() => null)}>
					{say('common.dismiss')}
				</Button>
			}
		>
			<p>{`${crash.reason} ${say('banner.restartedSafe')}`}</p>
			<AfterCrash atWork={crash.atWork} />
		</Note>
	);
}

/** What became of the chats that were at work: those that wait for the owner, each a link. What goes on by itself needs no word. */
function AfterCrash({ atWork }: { atWork: readonly SessionId[] }) {
	const say = useSay();
	const byId = useSessions((state) => state.byId);
	const chats = atWork.flatMap((id) => byId[id] ?? []);
	return (['interrupted', 'needs_owner'] as const).map((activity) => {
		const found = chats.filter((chat) => chat.activity === activity);
		if (found.length === 0) return null;
		return (
			<p key={activity}>
				{say(activity === 'interrupted' ? 'banner.cutOff' : 'banner.asks', { count: found.length })}{' '}
				{found.slice(0, MOST_LINKS).map((chat, index) => (
					<Fragment key={chat.id}>
						{index > 0 ? ', ' : null}
						<Link href={`/chat/${chat.id}`} className="lnk">
							<bdi>{chat.title}</bdi>
						</Link>
					</Fragment>
				))}
				{found.length > MOST_LINKS ? '…' : null}
			</p>
		);
	});
}

function HealthBanners() {
	const say = useSay();
	const health = useConnection((state) => state.health);
	const [dismissed, setDismissed] = useState<readonly string[]>([]);
	if (!health) return null;
	const warnings = health.warnings.filter((warning) => !dismissed.includes(warning.message));
	return (
		<>
			{health.problem ? <ErrorNote error={health.problem} /> : null}
			{warnings.map((warning) => (
				<Note
					key={warning.message}
					icon="alert"
					title={warning.message}
					actions={
						<Button kind="ghost" onClick={() => setDismissed((before) => [...before, warning.message])}>
							{say('common.dismiss')}
						</Button>
					}
				>
					{warning.action ? <p>{warning.action}</p> : null}
				</Note>
			))}
		</>
	);
}

function LockedBanner() {
	const say = useSay();
	const locked = useSecretStatus().data?.locked ?? false;
	const [asking, setAsking] = useState(false);
	const [later, setLater] = useState(false);
	if (!locked || later) return null;
	return (
		<>
			<Note
				tone="ask"
				icon="lock"
				title={say('banner.locked')}
				actions={
					<>
						<Button kind="ghost" onClick={() => setLater(true)}>
							{say('unlock.later')}
						</Button>
						<Button onClick={() => setAsking(true)}>{say('banner.unlock')}</Button>
					</>
				}
			/>
			<UnlockDialog open={asking} onClose={() => setAsking(false)} />
		</>
	);
}

const NO_CHATS: readonly SessionId[] = [];

/** What the owner should know now, between the title bar and the screen. Takes no room while there is nothing to say. */
export function Banners() {
	const say = useSay();
	// The runtime is back within a second: what happened stays readable until the owner has seen it.
	const [crash, setCrash] = useState<Crash | null>(null);
	return (
		<section className="banners" aria-label={say('banner.label')}>
			<ConnectionBanner crash={crash} onCrash={setCrash} />
			<CutOffBanner saidOf={crash?.atWork ?? NO_CHATS} />
			<HealthBanners />
			<LockedBanner />
		</section>
	);
}
