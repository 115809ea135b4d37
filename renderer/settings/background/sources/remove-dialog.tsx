import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { SourceTraces } from '../../../../src/contract/methods/heartbeat.ts';
import type { WatchedSource } from '../../../../src/domain/heartbeat.ts';
import type { EntryId } from '../../../../src/domain/memory.ts';
import { call, shapeOf } from '../../../connection/index.ts';
import { useWhen } from '../../../timeline/marks.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/note.tsx';
import { useSay } from '../../../ui/strings.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { ADD_BUTTON, focusLater } from '../place.ts';
import { useBackgroundChange } from '../queries.ts';

/** Before a source is withdrawn: all that came from it; what is ticked goes with it in one go. */
export function RemoveSource({ source: { id: sourceId, title: name }, onClose }: { source: WatchedSource; onClose: () => void }) {
	const say = useSay();
	const isRemoved = useRef(false);
	const [ticked, setTicked] = useState<ReadonlySet<EntryId>>(new Set());
	const [others, setOthers] = useState(false);
	const [withChats, setWithChats] = useState(false);
	const traces = useQuery({
		queryKey: ['sources', 'traces', sourceId],
		queryFn: () => call((client) => client.sources.traces({ sourceId }), { repeatable: true }),
		staleTime: 0,
		gcTime: 0,
	});
	const remove = useBackgroundChange(
		(client, forget: EntryId[]) =>
			client.sources.remove({
				sourceId,
				forget,
				forgetOthers: others,
				deleteChats: withChats ? (traces.data?.chats ?? []).map(({ sessionId }) => sessionId) : [],
			}),
		({ forgotten }) => {
			showToast(say('sources.removed', { name, forgotten }));
			isRemoved.current = true;
			onClose();
			focusLater(ADD_BUTTON);
		},
	);
	const failure = traces.error ?? remove.error;
	const known = traces.data;
	return (
		<Dialog
			open
			wide
			onClose={onClose}
			// Its row goes, too.
			finalFocus={() => !isRemoved.current}
			title={say('sources.removeTitle', { name })}
			lead={known ? say('sources.removeLead', { items: known.items, pending: known.pending }) : undefined}
			footer={
				<>
					<Button onClick={onClose}>{say('common.cancel')}</Button>
					<Button kind="danger" disabled={!known} busy={remove.isPending} onClick={() => remove.mutate([...ticked])}>
						{say('sources.removeAction', { count: ticked.size + (others && known ? known.reminders.length + known.noted.length : 0) })}
					</Button>
				</>
			}
		>
			{known ? (
				<>
					<Traces traces={known} ticked={ticked} onTick={setTicked} />
					<Others traces={known} ticked={others} onTick={setOthers} />
					<Chats chats={known.chats} ticked={withChats} onTick={setWithChats} />
				</>
			) : null}
			{failure ? <ErrorNote error={shapeOf(failure)} /> : null}
		</Dialog>
	);
}

interface TracesProps {
	traces: SourceTraces;
	ticked: ReadonlySet<EntryId>;
	onTick: (ticked: ReadonlySet<EntryId>) => void;
}

function Traces({ traces: { entries }, ticked, onTick }: TracesProps) {
	const say = useSay();
	const when = useWhen();
	const toggle = (id: EntryId, on: boolean): void => {
		const next = new Set(ticked);
		if (on) next.add(id);
		else next.delete(id);
		onTick(next);
	};
	const all = entries.map(({ entryId }) => entryId);
	return (
		<>
			{entries.length === 0 ? (
				<p>{say('sources.removeNothing')}</p>
			) : (
				<fieldset className="pairs">
					<legend className="form-label">{say('sources.removeEntries')}</legend>
					<div className="choices">
						{entries.length > 1 ? (
							<label className="choice">
								<input
									type="checkbox"
									checked={ticked.size === all.length}
									onChange={(event) => onTick(new Set(event.target.checked ? all : []))}
								/>
								<b>{say('sources.removeAll')}</b>
							</label>
						) : null}
						{entries.map(({ entryId, file, text, approvedAt }) => (
							<label key={entryId} className="choice">
								<input type="checkbox" checked={ticked.has(entryId)} onChange={(event) => toggle(entryId, event.target.checked)} />
								<span>
									<span className="wrap" dir="auto">
										{text}
									</span>
									<span className="meta block">
										{approvedAt === undefined ? file : say('sources.removeEntryAt', { file, at: when(approvedAt) })}
									</span>
								</span>
							</label>
						))}
					</div>
					{ticked.size > 0 ? <p className="meta">{say('sources.removeForgetNote')}</p> : null}
				</fieldset>
			)}
		</>
	);
}

interface OthersProps {
	traces: SourceTraces;
	ticked: boolean;
	onTick: (ticked: boolean) => void;
}

/** What of it was approved and is no memory. */
function Others({ traces: { reminders, noted }, ticked, onTick }: OthersProps) {
	const say = useSay();
	if (reminders.length + noted.length === 0) return null;
	return (
		<fieldset className="pairs">
			<legend className="form-label">{say('sources.removeOthers')}</legend>
			<ul className="bullets">
				{reminders.map(({ reminderId, text }) => (
					<li key={reminderId} dir="auto">
						{say('sources.removeReminder', { text })}
					</li>
				))}
				{noted.map(({ proposalId, text }) => (
					<li key={proposalId} dir="auto">
						{say('sources.removeNoted', { text })}
					</li>
				))}
			</ul>
			<div className="choices">
				<label className="choice">
					<input type="checkbox" checked={ticked} onChange={(event) => onTick(event.target.checked)} />
					<b>{say('sources.removeOthersToo', { count: reminders.length + noted.length })}</b>
				</label>
			</div>
		</fieldset>
	);
}

interface ChatsProps extends Pick<SourceTraces, 'chats'> {
	ticked: boolean;
	onTick: (ticked: boolean) => void;
}

function Chats({ chats, ticked, onTick }: ChatsProps) {
	const say = useSay();
	if (chats.length === 0) return null;
	return (
		<fieldset className="pairs">
			<legend className="form-label">{say('sources.removeChats', { count: chats.length })}</legend>
			<ul className="bullets">
				{chats.map(({ sessionId, title }) => (
					<li key={sessionId}>
						<Link className="lnk" href={`/chat/${sessionId}`} dir="auto">
							{title || say('sources.removeChat')}
						</Link>
					</li>
				))}
			</ul>
			<div className="choices">
				<label className="choice">
					<input type="checkbox" checked={ticked} onChange={(event) => onTick(event.target.checked)} />
					<b>{say('sources.removeChatsToo', { count: chats.length })}</b>
				</label>
			</div>
		</fieldset>
	);
}
