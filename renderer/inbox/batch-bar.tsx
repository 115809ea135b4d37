import type { Proposal } from '../../src/domain/proposal.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { useInboxUi } from './inbox-ui-store.ts';
import { type Batch, NOTHING } from './selection.ts';

interface BatchBarProps {
	batch: Batch;
	onDecide: (proposals: readonly Proposal[], decision: 'approve' | 'reject') => void;
	/** Shows the first of those that have to be looked at before. */
	onOpen: (proposal: Proposal) => void;
}

/** One press on all that is selected, with the number that it would decide, and what keeps the others from it. */
export function BatchBar({ batch, onDecide, onOpen }: BatchBarProps) {
	const say = useSay();
	const busy = useInboxUi((state) => batch.all.some(({ id }) => state.busy.includes(id)));
	const { all, approvable, unopened, stale, alone } = batch;
	const [first] = unopened;
	const held = [
		stale.length > 0 ? say('inbox.batch.stale', { count: stale.length }) : '',
		alone.length > 0 ? say('inbox.batch.alone', { count: alone.length }) : '',
	].filter(Boolean);
	return (
		<section className="pane-foot batch" aria-label={say('inbox.batch')}>
			<IconButton icon="x" size="sm" label={say('inbox.selectNone')} onClick={() => useInboxUi.setState({ selection: NOTHING })} />
			<div className="grow">
				<p className="batch-n" role="status">
					{say('inbox.batch.selected', { count: all.length })}
				</p>
				{first ? (
					<button type="button" className="lnk meta" onClick={() => onOpen(first)}>
						{say('inbox.batch.open', { count: unopened.length, external: batch.unopenedExternal ? 'yes' : 'no' })}
					</button>
				) : null}
				{held.map((words) => (
					<p key={words} className="meta">
						{words}
					</p>
				))}
			</div>
			<Button busy={busy} onClick={() => onDecide(all, 'reject')}>
				{say('inbox.batch.reject', { count: all.length })}
			</Button>
			<Button busy={busy} disabled={approvable.length === 0} onClick={() => onDecide(approvable, 'approve')}>
				{say('inbox.batch.approve', { count: approvable.length })}
			</Button>
		</section>
	);
}
