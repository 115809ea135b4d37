import { useEffect, useState } from 'react';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { shell, useConnection } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { AfterCrash, type Crash } from './after-crash.tsx';
import { CutOffBanner } from './cut-off.tsx';
import { useSecretStatus } from './queries.ts';
import { useDismissedRuns } from './runs-in-banners.tsx';
import { UnlockDialog } from './unlock.tsx';

/** How long the connection may be away before the owner hears of it, in milliseconds: a restart of the page or runtime is often shorter. */
const PATIENCE_MS = 1200;

/** So often tried in vain, a browser is told that Hearth may be at another address: each start of the web door has its own. */
const ELSEWHERE_TRIES = 4;

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
	dismissed: ReturnType<typeof useDismissedRuns>;
}

function ConnectionBanner({ crash, onCrash, dismissed }: ConnectionBannerProps) {
	const say = useSay();
	const link = useConnection((state) => state.link);
	const runtime = useConnection((state) => state.runtime);
	const slow = useDelayed(link.state === 'connecting' || link.state === 'offline');
	useEffect(() => {
		if (runtime?.state !== 'restarting') return;
		const { reason, retryAt } = runtime;
		// By then nothing was taken up again, however late the view gets to it.
		onCrash((before) => ({ reason, at: before?.at ?? Math.min(Date.now(), retryAt) }));
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
				{!shell && link.state === 'offline' && link.attempt >= ELSEWHERE_TRIES ? <p>{say('banner.elsewhere')}</p> : null}
			</Note>
		);
	}
	if (!crash || runtime?.state !== 'running') return null;
	return <AfterCrash crash={crash} dismissed={dismissed} onDismiss={() => onCrash(() => null)} />;
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

/** What the owner should know now, between the title bar and the screen. Takes no room while there is nothing to say. */
export function Banners() {
	const say = useSay();
	// The runtime is back within a second: what happened stays readable until the owner has seen it.
	const [crash, setCrash] = useState<Crash | null>(null);
	const dismissed = useDismissedRuns();
	return (
		<section className="banners" aria-label={say('banner.label')}>
			<ConnectionBanner crash={crash} onCrash={setCrash} dismissed={dismissed} />
			{crash ? null : <CutOffBanner dismissed={dismissed} />}
			<HealthBanners />
			<LockedBanner />
		</section>
	);
}
