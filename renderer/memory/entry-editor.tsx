import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { MemoryEntry } from '../../src/domain/memory.ts';
import { call, shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { keysText } from '../ui/kbd.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { saveEdit } from './memory-actions.ts';
import { type Editing, endEdit, useMemoryUi } from './memory-ui-store.ts';

interface EntryEditorProps {
	editing: Editing;
	/** The entry as it is now; undefined where the list does not show it any more. */
	entry: MemoryEntry | undefined;
	/** Called when the edit is over, so that the focus goes on. */
	onDone: () => void;
}

/** Edits an entry in its place. Where it changed meanwhile both texts are shown and nothing is written until the owner chooses (M3). */
export function EntryEditor({ editing, entry, onDone }: EntryEditorProps) {
	const say = useSay();
	const area = useRef<HTMLTextAreaElement>(null);
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	const [found, setFound] = useState<MemoryEntry>();
	const { text, baseHash } = editing;
	const now = entry ?? found;
	const theirs = now && now.hash !== baseHash ? now : undefined;
	const usable = text.trim() !== '' && text !== editing.entry.text && !busy;
	useEffect(() => {
		area.current?.focus({ preventScroll: true });
		const { length } = area.current?.value ?? '';
		area.current?.setSelectionRange(length, length);
	}, []);

	const change = (next: Partial<Editing>): void => useMemoryUi.setState({ editing: { ...editing, ...next } });
	const close = (): void => {
		endEdit();
		onDone();
	};
	const save = async (way: 'edit' | 'supersede', over: string = baseHash): Promise<void> => {
		if (busy) return;
		setBusy(true);
		setFailure(undefined);
		try {
			await saveEdit(editing.entry.id, over, text.trim(), way);
			close();
		} catch (error) {
			const shape = shapeOf(error);
			if (shape.code !== 'stale' || !(await look())) setFailure(shape);
		} finally {
			setBusy(false);
		}
	};
	/** What it says now, where the list has not said it yet. False where there is nothing to show beside. */
	const look = async (): Promise<boolean> => {
		try {
			const latest = await call((client) => client.memory.entry({ entryId: editing.entry.id }), { repeatable: true });
			setFound(latest);
			return latest.hash !== baseHash;
		} catch {
			// It is gone for good: what the save said stands.
			return false;
		}
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isComposing(event)) return;
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			if (usable && !theirs) void save('edit');
		} else if (event.key === 'Escape') {
			event.preventDefault();
			close();
		}
	};
	return (
		<form
			className="entry-edit"
			onSubmit={(event) => {
				event.preventDefault();
				if (usable && !theirs) void save('edit');
			}}
		>
			<textarea
				ref={area}
				className={editing.entry.kind === 'code' || editing.entry.kind === 'table' ? 'field area mono' : 'field area'}
				rows={2}
				dir="auto"
				aria-label={say('memory.editLabel')}
				value={text}
				maxLength={20_000}
				onChange={(event) => change({ text: event.target.value })}
				onKeyDown={onKeyDown}
			/>
			{theirs ? (
				<Note
					tone="ask"
					title={say('memory.editStale')}
					role="alert"
					actions={
						<>
							<Button size="sm" onClick={close}>
								{say('memory.useTheirs')}
							</Button>
							<Button
								size="sm"
								onClick={() => {
									change({ text: `${text.trim()}\n${theirs.text}`, baseHash: theirs.hash });
									area.current?.focus();
								}}
							>
								{say('memory.useBoth')}
							</Button>
							<Button size="sm" kind="danger" busy={busy} onClick={() => void save('edit', theirs.hash)}>
								{say('memory.useMine')}
							</Button>
						</>
					}
				>
					<p>{say('memory.editStaleBody')}</p>
					<p className="conflict-h">{say('memory.theirs')}</p>
					<pre className="well conflict-text" dir="auto">
						{theirs.text}
					</pre>
				</Note>
			) : null}
			{failure ? <ErrorNote error={failure} /> : null}
			<div className="entry-edit-bar">
				<span className="meta grow">{say('memory.editHint', { keys: keysText('Mod+Enter') })}</span>
				<Button kind="ghost" onClick={close}>
					{say('common.cancel')}
				</Button>
				{theirs ? null : (
					<>
						<Button title={say('memory.editNewerHint')} disabled={!usable} onClick={() => void save('supersede')}>
							{say('memory.editNewer')}
						</Button>
						<Button kind="primary" type="submit" busy={busy} disabled={!usable && !busy}>
							{say('common.save')}
						</Button>
					</>
				)}
			</div>
		</form>
	);
}
