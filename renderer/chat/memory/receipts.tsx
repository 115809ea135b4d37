import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { EntryId, MemoryReceipt } from '../../../src/domain/memory.ts';
import { call, shapeOf } from '../../connection/index.ts';
import { proposalPlace } from '../../inbox/place.ts';
import { undoChange } from '../../memory/memory-actions.ts';
import { entryPlace } from '../../memory/place.ts';
import { useMemoryEntry, useProposal } from '../../shell/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Text, useSay } from '../../ui/strings.tsx';

// Asked for seldom; the way to the first keystroke stays short.
const WhyDialog = lazy(() => import('../../memory/why.tsx').then((module) => ({ default: module.WhyDialog })));

type Written = Extract<MemoryReceipt, { outcome: 'written' }>;
type Held = Extract<MemoryReceipt, { outcome: 'held' }>;

/** What a call really did to memory, and what can still be done about it (mem-9). Not what the model says that it did. */
export function Receipts({ receipts }: { receipts: readonly MemoryReceipt[] }) {
	return receipts.map((receipt) =>
		receipt.outcome === 'held' ? (
			<HeldReceipt key={receipt.proposalId} receipt={receipt} />
		) : (
			<WrittenReceipt key={receipt.changeId} receipt={receipt} />
		),
	);
}

function Line({ icon, children }: { icon: IconName; children: ReactNode }) {
	return (
		<p className="receipt">
			<Icon name={icon} />
			{children}
		</p>
	);
}

const SAID = { append: 'receipt.append', patch: 'receipt.patch', supersede: 'receipt.supersede' } as const;

function WrittenReceipt({ receipt }: { receipt: Written }) {
	const say = useSay();
	const { entryId, changeId, file, kind, repeated } = receipt;
	const [asking, setAsking] = useState(false);
	const entry = useMemoryEntry(entryId);
	const undone = useUndone(entryId, changeId);
	const forgotten = entry.error !== null && shapeOf(entry.error).code === 'not_found';
	if (forgotten) return <Line icon="trash">{say('receipt.forgotten')}</Line>;
	if (undone) return <Line icon="undo">{say('receipt.undone', { file })}</Line>;
	const words = repeated ? 'receipt.repeated' : (SAID[kind as keyof typeof SAID] ?? 'receipt.other');
	const place = entryId ? (
		<Link className="lnk" href={entryPlace(entryId)}>
			{file}
		</Link>
	) : (
		file
	);
	return (
		<Line icon="done">
			<span className="grow">
				<Text id={words} values={{ file: place }} />
			</span>
			{repeated ? null : (
				<Button kind="ghost" size="sm" onClick={() => void undoChange(changeId)}>
					{say('memory.undo')}
				</Button>
			)}
			{entry.data ? (
				<Button kind="ghost" size="sm" aria-label={say('memory.why')} onClick={() => setAsking(true)}>
					{say('receipt.why')}
				</Button>
			) : null}
			{asking && entry.data ? (
				<Suspense fallback={null}>
					<WhyDialog entry={entry.data} onClose={() => setAsking(false)} />
				</Suspense>
			) : null}
		</Line>
	);
}

/** Whether the change was taken back since, here or anywhere else. */
function useUndone(entryId: EntryId | undefined, changeId: string): boolean {
	const history = useQuery({
		queryKey: ['memory', 'history', entryId],
		queryFn: () => call((client) => client.memory.history({ entryId: entryId as EntryId, limit: 100 }), { repeatable: true }),
		enabled: entryId !== undefined,
		staleTime: 0,
	});
	return history.data?.find((version) => version.changeId === changeId)?.undoneBy !== undefined;
}

const APPROVED: Readonly<Record<string, 'receipt.approvedForget' | 'receipt.approvedSkill'>> = {
	forget: 'receipt.approvedForget',
	skill: 'receipt.approvedSkill',
};

function HeldReceipt({ receipt }: { receipt: Held }) {
	const say = useSay();
	const { data: proposal, error } = useProposal(receipt.proposalId);
	if (error && shapeOf(error).code === 'not_found') return <Line icon="trash">{say('receipt.gone')}</Line>;
	const status = proposal?.status ?? 'pending';
	return (
		<Line icon={status === 'approved' ? 'done' : status === 'rejected' ? 'x' : 'inbox'}>
			<span className="grow">
				{say(status === 'approved' ? (APPROVED[proposal?.operation.kind ?? ''] ?? 'receipt.approved') : `receipt.${status}`)}
			</span>
			<Link className="btn ghost sm" href={proposalPlace(receipt.proposalId)}>
				{say(status === 'pending' ? 'receipt.review' : 'receipt.show')}
			</Link>
		</Line>
	);
}

/** The text of an entry, for a row that is about it. */
export function EntryWords({ entryId }: { entryId: EntryId }) {
	const say = useSay();
	const { data, error } = useMemoryEntry(entryId);
	if (error && shapeOf(error).code === 'not_found') return say('receipt.entryForgotten');
	return data?.text ?? '';
}
