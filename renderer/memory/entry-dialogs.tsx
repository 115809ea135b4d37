import { useRef, useState } from 'react';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { localDay } from '../../src/domain/local-day.ts';
import type { MemoryEntry, MemoryPath } from '../../src/domain/memory.ts';
import { shapeOf } from '../connection/index.ts';
import { Field, isComposing } from '../ui/controls.tsx';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { backToRow } from './back-to-row.ts';
import { startOfDay } from './filter.ts';
import { addEntry, moveEntry, setValidity } from './memory-actions.ts';
import { useMemoryUi } from './memory-ui-store.ts';
import { chosenHeading, type PlaceChoice, PlaceFields } from './place-fields.tsx';

/** Another file or heading for an entry. */
export function MoveDialog({ entry, onClose }: { entry: MemoryEntry; onClose: () => void }) {
	const say = useSay();
	const [place, setPlace] = useState<PlaceChoice>({ file: entry.file, headingPath: entry.headingPath, newHeading: undefined });
	const [busy, setBusy] = useState(false);
	const heading = chosenHeading(place);
	const changed = heading !== undefined && (place.file !== entry.file || JSON.stringify(heading) !== JSON.stringify(entry.headingPath));
	const move = async (): Promise<void> => {
		if (!changed || !place.file || busy) return;
		setBusy(true);
		if (await moveEntry(entry, place.file, heading)) onClose();
		else setBusy(false);
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('memory.moveTitle')}
			finalFocus={backToRow(entry.id)}
			lead={say('memory.moveLead')}
			onSubmit={() => void move()}
			footer={<FormButtons onCancel={onClose} action={say('memory.moveAction')} busy={busy} disabled={!changed} />}
		>
			<p className="well forget-text" dir="auto">
				{entry.text}
			</p>
			<PlaceFields value={place} onChange={setPlace} />
		</Dialog>
	);
}

/** The days between which an entry holds. */
export function ValidityDialog({ entry, onClose }: { entry: MemoryEntry; onClose: () => void }) {
	const say = useSay();
	const [from, setFrom] = useState(entry.validFrom === undefined ? '' : localDay(entry.validFrom));
	// The first instant at which it no longer holds: its last day is the one before.
	const [until, setUntil] = useState(entry.validUntil === undefined ? '' : localDay(entry.validUntil - 1));
	const [busy, setBusy] = useState(false);
	const wrong = from !== '' && until !== '' && until < from;
	const save = async (): Promise<void> => {
		if (wrong || busy) return;
		setBusy(true);
		if (await setValidity(entry, startOfDay(from) ?? null, startOfDay(until, 1) ?? null)) onClose();
		else setBusy(false);
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('memory.validityTitle')}
			finalFocus={backToRow(entry.id)}
			lead={say('memory.validityLead')}
			onSubmit={() => void save()}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={busy} />}
		>
			<p className="well forget-text" dir="auto">
				{entry.text}
			</p>
			<div className="two-fields">
				<Field label={say('memory.validFrom')} type="date" value={from} onChange={setFrom} />
				<Field
					label={say('memory.validUntil')}
					type="date"
					value={until}
					onChange={setUntil}
					error={wrong ? say('memory.validityOrder') : undefined}
				/>
			</div>
			<p className="meta">{say('memory.validityHint')}</p>
		</Dialog>
	);
}

interface AddDialogProps {
	file: MemoryPath | undefined;
	headingPath: readonly string[];
	text: string;
	onClose: () => void;
}

/** A new entry in the owner's own words. */
export function AddDialog({ file, headingPath, text: given, onClose }: AddDialogProps) {
	const say = useSay();
	const draft = useMemoryUi((state) => state.addDraft);
	const [own, setOwn] = useState(given);
	const text = own === '' ? draft : own;
	const setText = (next: string): void => {
		setOwn('');
		useMemoryUi.setState({ addDraft: next });
	};
	const [place, setPlace] = useState<PlaceChoice>({ file, headingPath, newHeading: undefined });
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	const area = useRef<HTMLTextAreaElement>(null);
	// One wish, however often it is tried.
	const requestId = useRef(crypto.randomUUID());
	const heading = chosenHeading(place);
	const usable = text.trim() !== '' && heading !== undefined && !busy;
	const add = async (): Promise<void> => {
		if (!usable) return;
		setBusy(true);
		setFailure(undefined);
		try {
			await addEntry(text.trim(), requestId.current, { file: place.file, headingPath: heading });
			useMemoryUi.setState({ addDraft: '' });
			onClose();
		} catch (error) {
			setFailure(shapeOf(error));
			setBusy(false);
		}
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('memory.addTitle')}
			lead={say('memory.addLead')}
			initialFocus={area}
			onSubmit={() => void add()}
			footer={<FormButtons onCancel={onClose} action={say('memory.addAction')} busy={busy} disabled={!usable && !busy} />}
		>
			<label className="form-field">
				<span className="form-label">{say('memory.addText')}</span>
				<textarea
					ref={area}
					className="field area"
					rows={3}
					dir="auto"
					maxLength={20_000}
					value={text}
					onChange={(event) => setText(event.target.value)}
					onKeyDown={(event) => {
						if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
						event.preventDefault();
						void add();
					}}
				/>
			</label>
			<PlaceFields value={place} onChange={setPlace} withToday />
			{failure ? <ErrorNote error={failure} /> : null}
		</Dialog>
	);
}
