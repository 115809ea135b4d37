import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Flag } from '../../src/domain/inspection.ts';
import type { EntryId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { ProvenanceLine } from '../memory/provenance.tsx';
import { useMemoryEntry } from '../shell/queries.ts';
import { isComposing } from '../ui/controls.tsx';
import { markedFlags } from '../ui/flag-pieces.ts';
import { FlaggedLegend, FlaggedText } from '../ui/flagged.tsx';
import { keysText } from '../ui/kbd.tsx';
import { useSay } from '../ui/strings.tsx';
import { WordDiff } from '../ui/word-diff.tsx';
import { leaveForms, useInboxUi } from './inbox-ui-store.ts';
import { textAfter, textBefore } from './proposal-view.ts';
import type { useInspected } from './use-inspected.ts';

const VIEWS = ['words', 'before', 'after'] as const;
type Shown = (typeof VIEWS)[number];

interface ChangeProps {
	proposal: Proposal;
	inspected: ReturnType<typeof useInspected>;
	onApprove: (text: string) => void;
}

/** What changes, word by word, and whole: no text that a yes is bound to is ever shortened (B3). */
export function Change({ proposal, inspected, onApprove }: ChangeProps) {
	const say = useSay();
	const [shown, setShown] = useState<Shown>('words');
	const { operation } = proposal;
	const replaces = useInboxUi((state) => state.choices[proposal.id]?.replaces?.entryId);
	const replaced = useMemoryEntry(replaces).data?.text;
	const before = textBefore(operation) ?? (replaces ? (replaced ?? null) : null);
	const after = textAfter(operation);
	const editing = useInboxUi((state) => (state.editing?.id === proposal.id ? state.editing : null));
	const flags = markedFlags(inspected?.text ?? undefined);
	const both = before !== null && after !== null;
	const title = both
		? 'inbox.what'
		: after === null
			? 'inbox.whatGoes'
			: operation.kind === 'notice' || operation.kind === 'task'
				? (`inbox.what.${operation.kind}` as const)
				: 'inbox.whatAdded';
	return (
		<section className="sec">
			<div className="sec-h">
				<h3>{say(title)}</h3>
				{both && !editing ? (
					<fieldset className="seg">
						<legend className="vh">{say('inbox.view')}</legend>
						{VIEWS.map((view) => (
							<button key={view} type="button" aria-pressed={shown === view} onClick={() => setShown(view)}>
								{say(`inbox.view.${view}`)}
							</button>
						))}
					</fieldset>
				) : null}
			</div>
			<div className="well">
				{editing && after !== null ? (
					<EditText text={editing.text} proposed={after} id={proposal.id} onApprove={onApprove} />
				) : (
					<Shown before={before} after={after} shown={both ? shown : 'words'} flags={flags} />
				)}
				{editing ? null : <FlaggedLegend flags={flags} />}
				{before === null || after === null ? null : <Goes proposal={proposal} before={before} entryId={replaces} />}
			</div>
			{before !== null && after === null ? <Goes proposal={proposal} before={null} entryId={undefined} /> : null}
		</section>
	);
}

function Shown({ before, after, shown, flags }: { before: string | null; after: string | null; shown: Shown; flags: readonly Flag[] }) {
	const say = useSay();
	const text = shown === 'before' ? before : after;
	if (shown === 'words' && after !== null) {
		return (
			<div className="diff">
				{before === null ? (
					<p className="word-diff" dir="auto">
						<FlaggedText text={after} flags={flags} />
					</p>
				) : (
					<WordDiff before={before} after={after} />
				)}
			</div>
		);
	}
	return (
		<div className="diff">
			{text === null && before !== null ? (
				<p className="word-diff" dir="auto">
					<del>{before}</del>
				</p>
			) : (
				<p className="word-diff" dir="auto">
					{shown === 'after' ? <FlaggedText text={text ?? ''} flags={flags} /> : text}
				</p>
			)}
			{after === null ? <p className="meta">{say('inbox.removed')}</p> : null}
		</div>
	);
}

interface GoesProps {
	proposal: Proposal;
	before: string | null;
	/** The entry that the owner chose to be replaced. */
	entryId: EntryId | undefined;
}

/** The whole entry that goes away, with where it came from. `before` null: its text stands above already. */
function Goes({ proposal: { operation, status }, before, entryId }: GoesProps) {
	const say = useSay();
	const id = entryId ?? ('entryId' in operation ? (operation.entryId ?? undefined) : undefined);
	const entry = useMemoryEntry(status === 'pending' ? id : undefined).data;
	const words = entryId ? say('inbox.gone.supersede') : 'before' in operation ? say(`inbox.gone.${operation.kind}`) : null;
	return (
		<div className={before === null ? 'gone alone' : 'gone'}>
			<span className="meta">{words}</span>
			{before === null ? null : (
				<p className="word-diff" dir="auto">
					{before}
				</p>
			)}
			{entry && entry.state !== 'gone' ? <ProvenanceLine entry={entry} quietLabel={false} /> : null}
		</div>
	);
}

interface EditTextProps {
	id: Proposal['id'];
	text: string;
	proposed: string;
	onApprove: (text: string) => void;
}

/** The owner's own wording of it. What was proposed stays beside it, and is kept in memory's record. */
function EditText({ id, text, proposed, onApprove }: EditTextProps) {
	const say = useSay();
	const area = useRef<HTMLTextAreaElement>(null);
	useEffect(() => {
		area.current?.focus();
		const { length } = area.current?.value ?? '';
		area.current?.setSelectionRange(length, length);
	}, []);
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isComposing(event)) return;
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			if (text.trim() !== '' && !event.repeat) onApprove(text.trim());
		} else if (event.key === 'Escape') {
			event.preventDefault();
			leaveForms();
			document.getElementById('inbox-title')?.focus();
		}
	};
	return (
		<div className="diff edit">
			<textarea
				ref={area}
				className="field area"
				rows={3}
				dir="auto"
				maxLength={20_000}
				aria-label={say('inbox.editLabel')}
				value={text}
				onChange={(event) => useInboxUi.setState({ editing: { id, text: event.target.value } })}
				onKeyDown={onKeyDown}
			/>
			<p className="meta">{say('inbox.editHint', { keys: keysText('Mod+Enter') })}</p>
			{text.trim() === proposed.trim() ? null : (
				<>
					<p className="meta">{say('inbox.editDiff')}</p>
					<WordDiff before={proposed} after={text.trim()} />
				</>
			)}
		</div>
	);
}
