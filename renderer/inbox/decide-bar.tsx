import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Proposal } from '../../src/domain/proposal.ts';
import { shortHash } from '../memory/versions.tsx';
import { Button } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useSay } from '../ui/strings.tsx';
import { leaveForms, useInboxUi } from './inbox-ui-store.ts';
import { canEdit, canUndo } from './proposal-view.ts';
import { SnoozeBar } from './snooze-bar.tsx';
import type { Deciding } from './use-deciding.ts';

/** The owner's yes or no to what is shown. Mounted anew for each proposal, so that a press never lands on the next one. */
export function DecideBar({ proposal, deciding }: { proposal: Proposal; deciding: Deciding }) {
	const say = useSay();
	const busy = useInboxUi((state) => state.busy.includes(proposal.id));
	const editing = useInboxUi((state) => (state.editing?.id === proposal.id ? state.editing : null));
	const rejecting = useInboxUi((state) => state.rejecting === proposal.id);
	const snoozing = useInboxUi((state) => state.snoozing === proposal.id);
	if (proposal.status !== 'pending') return <Decided proposal={proposal} busy={busy} onUndo={() => deciding.undo(proposal)} />;
	if (rejecting) return <Reason proposal={proposal} busy={busy} onReject={(reason) => deciding.reject(proposal, reason)} />;
	if (snoozing) return <SnoozeBar proposal={proposal} busy={busy} deciding={deciding} />;
	if (editing) {
		const text = editing.text.trim();
		return (
			<footer className="pane-foot decide">
				<Button onClick={leaveForms}>{say('common.cancel')}</Button>
				<span className="grow" />
				<Button kind="primary" busy={busy} disabled={text === ''} onClick={() => deciding.approve(proposal, text)}>
					{say('inbox.approveEdited')}
				</Button>
			</footer>
		);
	}
	return (
		<footer className="pane-foot decide">
			<Button onClick={() => deciding.askReason(proposal)}>
				{say('inbox.reject')} <Kbd keys="R" />
			</Button>
			{canEdit(proposal) ? (
				<Button onClick={() => deciding.edit(proposal)}>
					{say('inbox.edit')} <Kbd keys="E" />
				</Button>
			) : null}
			<Button onClick={() => deciding.askSnooze(proposal)}>
				{say('inbox.snooze')} <Kbd keys="S" />
			</Button>
			<span className="grow" />
			{proposal.stale ? (
				<Button kind="primary" busy={busy} onClick={() => deciding.rebase(proposal)}>
					{say('inbox.rebase')} <Kbd keys="B" />
				</Button>
			) : (
				<>
					<span className="meta hash">
						{say('inbox.exact')} <code>{shortHash(proposal.shownHash)}</code>
					</span>
					{/* The second press of a double one is not a decision. */}
					<Button kind="primary" busy={busy} onClick={(event) => (event.detail > 1 ? undefined : deciding.approve(proposal))}>
						{say(proposal.operation.kind === 'forget' ? 'inbox.approveForget' : 'inbox.approve')} <Kbd keys="A" />
					</Button>
				</>
			)}
		</footer>
	);
}

function Decided({ proposal, busy, onUndo }: { proposal: Proposal; busy: boolean; onUndo: () => void }) {
	const say = useSay();
	return (
		<footer className="pane-foot decide">
			{canUndo(proposal) ? (
				<Button icon="undo" busy={busy} onClick={onUndo}>
					{say('inbox.undo')} <Kbd keys="Z" />
				</Button>
			) : (
				<span className="meta">{say('inbox.forgotten')}</span>
			)}
		</footer>
	);
}

/** Reasons that need no typing; what was learnt of them is the same as of any other. */
const QUICK = ['untrue', 'unimportant', 'known', 'untrusted'] as const;

/** Enter alone rejects: a reason helps, and is never asked for twice. */
function Reason({ proposal, busy, onReject }: { proposal: Proposal; busy: boolean; onReject: (reason: string) => void }) {
	const say = useSay();
	const [reason, setReason] = useState('');
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => field.current?.focus(), []);
	const quick = proposal.finding ? QUICK : QUICK.slice(0, 3);
	const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
		const chosen = reason === '' && !event.repeat ? quick[Number(event.key) - 1] : undefined;
		if (isComposing(event)) {
			if (event.key === 'Enter') event.preventDefault();
		} else if (event.key === 'Escape') {
			event.preventDefault();
			leaveForms();
			document.getElementById('inbox-title')?.focus();
		} else if (chosen && !busy) {
			event.preventDefault();
			onReject(say(`inbox.reason.${chosen}`));
		}
	};
	return (
		<form
			className="pane-foot decide reason"
			onSubmit={(event) => {
				event.preventDefault();
				if (!busy) onReject(reason);
			}}
		>
			<div className="reasons">
				{quick.map((each, index) => (
					<button key={each} type="button" className="chip" disabled={busy} onClick={() => onReject(say(`inbox.reason.${each}`))}>
						<Kbd keys={String(index + 1)} /> {say(`inbox.reason.${each}`)}
					</button>
				))}
			</div>
			<input
				ref={field}
				className="field grow"
				aria-label={say('inbox.rejectLabel')}
				placeholder={say('inbox.rejectLabel')}
				dir="auto"
				maxLength={2_000}
				value={reason}
				onChange={(event) => setReason(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			<Button onClick={leaveForms}>{say('common.cancel')}</Button>
			<Button kind="danger" type="submit" busy={busy}>
				{say('inbox.rejectConfirm')}
			</Button>
			{proposal.finding?.sourceId ? <p className="meta">{say('inbox.rejectMeans', { source: proposal.finding.sourceTitle })}</p> : null}
		</form>
	);
}
