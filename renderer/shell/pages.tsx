import type { ReactNode } from 'react';
import type { RuntimeStatus } from '../../src/contract/shell.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { shell } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { BareTitleBar } from './title-bar.tsx';

interface PageProps {
	icon: IconName;
	title: string;
	lead?: string;
	safe?: string;
	action?: string;
	children?: ReactNode;
	buttons: ReactNode;
}

/** A whole page for a state in which nothing else can be shown: what happened, what is safe, what to do (S5). */
function Page({ icon, title, lead, safe, action, children, buttons }: PageProps) {
	const say = useSay();
	return (
		<div className="page">
			<BareTitleBar />
			<main className="page-in">
				<Icon name={icon} />
				<h1>{title}</h1>
				{lead ? <p>{lead}</p> : null}
				{safe || action ? (
					<dl>
						{safe ? (
							<div>
								<dt>{say('failed.safe')}</dt>
								<dd>{safe}</dd>
							</div>
						) : null}
						{action ? (
							<div>
								<dt>{say('failed.action')}</dt>
								<dd>{action}</dd>
							</div>
						) : null}
					</dl>
				) : null}
				{children}
				<div className="page-acts">{buttons}</div>
			</main>
		</div>
	);
}

/** The runtime refused to start: the profile is open elsewhere, its database is newer or damaged, the disk is full. */
export function FailedPage({ status }: { status: Extract<RuntimeStatus, { state: 'failed' }> }) {
	const say = useSay();
	const buttons = (
		<>
			<Button onClick={() => void shell?.showProfileFolder()}>{say('failed.folder')}</Button>
			<Button kind="primary" onClick={() => void shell?.restartRuntime()}>
				{say('failed.restart')}
			</Button>
		</>
	);
	return (
		<Page icon="failed" title={say('failed.title')} lead={status.message} safe={status.safe} action={status.action} buttons={buttons} />
	);
}

/** The runtime is there and does not take this window: another version, or an address that was used before. */
export function RefusedPage({ error }: { error: ErrorShape }) {
	const say = useSay();
	const buttons = (
		<Button kind="primary" onClick={() => window.location.reload()}>
			{say('crash.reload')}
		</Button>
	);
	return <Page icon="lock" title={error.message} safe={error.safe} action={error.action} buttons={buttons} />;
}

export function CrashPage({ error }: { error: Error }) {
	const say = useSay();
	const buttons = (
		<Button kind="primary" onClick={() => window.location.reload()}>
			{say('crash.reload')}
		</Button>
	);
	return (
		<Page icon="failed" title={say('crash.title')} safe={say('crash.safe')} action={say('crash.action')} buttons={buttons}>
			<details>
				<summary>{say('crash.detail')}</summary>
				<pre className="well">{error.stack ?? error.message}</pre>
			</details>
		</Page>
	);
}
