import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ForgetReport } from '../../src/contract/methods/memory.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { MemoryEntry } from '../../src/domain/memory.ts';
import { call, shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { backToRow } from './back-to-row.ts';
import { refreshEntries } from './entries-store.ts';
import { removeEntry } from './memory-actions.ts';

interface ForgetDialogProps {
	entry: MemoryEntry;
	onClose: () => void;
	/** Does it another way, such as by the yes to a proposal; then it says itself what came of it. */
	onForget?: () => Promise<void>;
}

/** Asks before a text is removed everywhere (M4): first where it is and what stays, then what was done and that nothing is left. */
export function ForgetDialog({ entry, onClose, onForget }: ForgetDialogProps) {
	const say = useSay();
	const cancel = useRef<HTMLButtonElement>(null);
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	const [report, setReport] = useState<ForgetReport>();
	const preview = useQuery({
		queryKey: ['forget-preview', entry.id],
		queryFn: () => call((client) => client.memory.forgetPreview({ entryId: entry.id }), { repeatable: true }),
		staleTime: 0,
		gcTime: 0,
	});
	const forget = async (): Promise<void> => {
		setBusy(true);
		setFailure(undefined);
		try {
			if (onForget) {
				await onForget();
				return;
			}
			setReport(await call((client) => client.memory.forget({ entryId: entry.id, baseHash: entry.hash }), { waitMs: 60_000 }));
			void refreshEntries();
		} catch (error) {
			setFailure(shapeOf(error));
		} finally {
			setBusy(false);
		}
	};
	if (report) {
		return (
			<Dialog
				open
				onClose={onClose}
				title={say('memory.forgotTitle')}
				finalFocus={backToRow(entry.id)}
				lead={say(report.scope === 'entry' ? 'memory.forgotEntryLead' : 'memory.forgotLead', { files: report.scannedFiles })}
				footer={
					<Button kind="primary" onClick={onClose}>
						{say('common.close')}
					</Button>
				}
			>
				<Places report={report} after />
			</Dialog>
		);
	}
	const footer = (
		<>
			{onForget ? null : (
				<Button
					className="at-start"
					title={say('memory.forgetRemoveHint')}
					onClick={() => void removeEntry(entry).then((done) => (done ? onClose() : undefined))}
				>
					{say('memory.forgetRemove')}
				</Button>
			)}
			<Button ref={cancel} onClick={onClose}>
				{say('common.cancel')}
			</Button>
			<Button kind="danger" busy={busy} disabled={!preview.data} onClick={() => void forget()}>
				{say('memory.forgetAction')}
			</Button>
		</>
	);
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('memory.forgetTitle')}
			finalFocus={backToRow(entry.id)}
			lead={say('memory.forgetLead')}
			wide
			initialFocus={cancel}
			footer={footer}
		>
			<p className="well forget-text" dir="auto">
				{entry.text}
			</p>
			<div role="status">{preview.data ? <Places report={preview.data} /> : preview.isPending ? say('memory.forgetLooking') : null}</div>
			{onForget ? null : <p className="meta">{say('memory.forgetRemoveHint')}</p>}
			{preview.error ? <ErrorNote error={shapeOf(preview.error)} /> : null}
			{failure ? <ErrorNote error={failure} /> : null}
		</Dialog>
	);
}

function Places({ report, after = false }: { report: ForgetReport; after?: boolean }) {
	const say = useSay();
	const nearby = report.scope === 'entry' ? <p className="meta">{say('memory.forgetShort')}</p> : null;
	const places = report.places.filter(({ count }) => count > 0);
	return (
		<>
			{nearby}
			<p className="conflict-h">
				{places.length === 0 && !after ? say('memory.forgetNowhere') : say(after ? 'memory.forgotPlaces' : 'memory.forgetPlaces')}
			</p>
			<ul className="forget-places">
				{places.map(({ where, count }) => (
					<li key={where}>{say(`memory.where.${where}`, { count })}</li>
				))}
			</ul>
			{report.kept.length > 0 ? (
				<>
					<p className="conflict-h">{say(after ? 'memory.forgetKeptAfter' : 'memory.forgetKept')}</p>
					<ul className="forget-places">
						{report.kept.map(({ path, line }) => (
							<li key={`${path}:${line}`}>
								<bdi>{say('memory.line', { file: path, line })}</bdi>
							</li>
						))}
					</ul>
				</>
			) : null}
		</>
	);
}
