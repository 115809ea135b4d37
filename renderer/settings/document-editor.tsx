import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OwnerDocument } from '../../src/contract/methods/profile.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { call, shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';

/**
 * Edits one of the owner's files. A save names the version the edit started from; where another program wrote the file
 * meanwhile nothing is written, and the owner sees both texts and decides (M3).
 */
export function DocumentEditor({ document: opened, onClose }: { document: OwnerDocument; onClose: () => void }) {
	const say = useSay();
	const queries = useQueryClient();
	const area = useRef<HTMLTextAreaElement>(null);
	const [text, setText] = useState(opened.text);
	const [base, setBase] = useState(opened);
	const [theirs, setTheirs] = useState<OwnerDocument>();
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	const [leaving, setLeaving] = useState(false);
	const { name } = opened;
	const changed = text !== base.text;

	const showTheirs = async (): Promise<void> => {
		try {
			setTheirs(await call((client) => client.documents.get({ name }), { repeatable: true }));
		} catch (error) {
			setFailure(shapeOf(error));
		}
	};
	const save = async (over: OwnerDocument): Promise<void> => {
		if (busy) return;
		setBusy(true);
		setFailure(undefined);
		try {
			const saved = await call((client) => client.documents.save({ name, text, baseHash: over.hash }));
			queries.setQueryData(['documents', name], saved);
			showToast(say('profile.docSaved', { name }));
			onClose();
		} catch (error) {
			if (shapeOf(error).code === 'conflict') await showTheirs();
			else setFailure(shapeOf(error));
		} finally {
			setBusy(false);
		}
	};
	const take = (next: string, from: OwnerDocument): void => {
		setText(next);
		setBase(from);
		setTheirs(undefined);
		area.current?.focus();
	};
	const leave = (): void => (changed ? setLeaving(true) : onClose());
	const footer = theirs ? (
		<>
			<Button onClick={() => take(theirs.text, theirs)}>{say('profile.conflictUseTheirs')}</Button>
			<Button kind="danger" busy={busy} onClick={() => void save(theirs)}>
				{say('profile.conflictUseMine')}
			</Button>
			<Button kind="primary" onClick={() => take(`${text.trimEnd()}\n\n${theirs.text}`, theirs)}>
				{say('profile.conflictBoth')}
			</Button>
		</>
	) : (
		<>
			<Button onClick={leave}>{say('common.cancel')}</Button>
			<Button kind="primary" busy={busy} disabled={!changed} onClick={() => void save(base)}>
				{say('common.save')}
			</Button>
		</>
	);
	return (
		<Dialog open onClose={leave} title={name} lead={say(`profile.${name}Hint`)} wide initialFocus={area} footer={footer}>
			<textarea
				ref={area}
				className="area"
				aria-label={name}
				dir="auto"
				rows={16}
				value={text}
				onChange={(event) => setText(event.target.value)}
				onKeyDown={(event) => {
					if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)) {
						event.preventDefault();
						if (changed && !theirs) void save(base);
					}
				}}
			/>
			{theirs ? (
				<Note tone="ask" title={say('profile.conflictTitle', { name })} role="alert">
					<p>{say('profile.conflictBody')}</p>
					<p className="conflict-h">{say('profile.conflictTheirs')}</p>
					<pre className="well conflict-text">{theirs.text || say('profile.empty')}</pre>
				</Note>
			) : null}
			{failure ? <ErrorNote error={failure} /> : null}
			<Dialog
				open={leaving}
				onClose={() => setLeaving(false)}
				title={say('profile.discardTitle')}
				lead={say('profile.discardBody', { name })}
				footer={
					<>
						<Button onClick={() => setLeaving(false)}>{say('profile.keepEditing')}</Button>
						<Button kind="danger" onClick={onClose}>
							{say('profile.discard')}
						</Button>
					</>
				}
			/>
		</Dialog>
	);
}
