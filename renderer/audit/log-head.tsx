import { useIsFetching } from '@tanstack/react-query';
import { Link } from 'wouter';
import { shapeOf } from '../connection/index.ts';
import { useCommand } from '../shell/commands.ts';
import { Button } from '../ui/button.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { useLog } from './audit-store.ts';
import { recordPlace } from './place.ts';
import { useChain, useExport } from './queries.ts';

/** How the chain stands, and what can be done with the whole log. */
export function LogHead() {
	const say = useSay();
	const chain = useChain();
	const saving = useExport();
	const verifying = useIsFetching({ queryKey: ['audit', 'verify'] }) > 0;
	const verify = (): void => {
		void chain.refetch().then(({ data }) => data?.whole && showToast(say('audit.verified')));
	};
	useCommand('audit_verify', verify);
	useCommand('audit_export', () => saving.mutate());
	return (
		<>
			<div className="pane-head">
				<h2>{say('audit.title')}</h2>
				<span role="status" className="chain">
					<ChainState />
				</span>
				<span className="grow" />
				<Button kind="ghost" icon="download" busy={saving.isPending} onClick={() => saving.mutate()}>
					{say(saving.isPending ? 'audit.exporting' : 'audit.export')}
				</Button>
				<Button busy={verifying} onClick={verify}>
					{say(verifying ? 'audit.verifying' : 'audit.verify')}
				</Button>
			</div>
			<Problems failed={saving.error ?? chain.error} />
		</>
	);
}

function ChainState() {
	const say = useSay();
	const { data } = useChain();
	const total = useLog((state) => state.total);
	if (!data) return <span className="meta">{say('audit.checking')}</span>;
	if (!data.whole) return <StateMark state="failed">{say('audit.broken', { seq: data.brokenAt ?? data.records })}</StateMark>;
	const broken = data.breaks.at(-1);
	if (broken !== undefined) return <StateMark state="pending">{say('audit.wholeSince', { seq: broken })}</StateMark>;
	return <StateMark state="done">{say('audit.whole', { count: Math.max(total, data.records) })}</StateMark>;
}

function Problems({ failed }: { failed: Error | null }) {
	const say = useSay();
	const { data } = useChain();
	const broken = data?.breaks.at(-1);
	return (
		<>
			{failed ? <ErrorNote error={shapeOf(failed)} /> : null}
			{data?.whole === false ? (
				<Note tone="failed" title={say('audit.brokenTitle')} role="alert">
					<p>{data.problem}</p>
					<p>{say('audit.brokenSafe')}</p>
				</Note>
			) : null}
			{data?.whole && broken !== undefined ? (
				<Note
					tone="ask"
					title={say('audit.wholeSinceHint')}
					actions={
						<Link className="btn" href={recordPlace(broken)}>
							{say('audit.showBreak')}
						</Link>
					}
				/>
			) : null}
		</>
	);
}
