import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import type { EntryId } from '../../src/domain/memory.ts';
import { LinkQuestion } from '../chat/open-link.tsx';
import { shapeOf } from '../connection/index.ts';
import { useMemoryEntry } from '../shell/queries.ts';
import { IconButton } from '../ui/button.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { EntriesPane } from './entries-pane.tsx';
import { AddDialog, MoveDialog, ValidityDialog } from './entry-dialogs.tsx';
import { EntryRow } from './entry-row.tsx';
import { FileTree } from './file-tree.tsx';
import { ForgetDialog } from './forget-dialog.tsx';
import { useMemoryUi } from './memory-ui-store.ts';
import { type Place, parsePlace } from './place.ts';
import { VersionList } from './versions.tsx';
import { WhyDialog } from './why.tsx';

export default function MemoryScreen() {
	// The address as it is: the router's own has lost which slashes part names and which belong to them.
	const [address] = useHashLocation();
	const place = useMemo(() => parsePlace(address), [address]);
	const listOpen = useMemoryUi((state) => state.listOpen);
	const asked = useAskedEntry(place);
	const shown = asked.place;
	return (
		<main className={listOpen ? 'view v-memory show-list' : 'view v-memory'} id="main">
			<FileTree place={shown} />
			{asked.state === 'elsewhere' ? (
				<NotInAFile entryId={asked.entryId} />
			) : (
				<EntriesPane place={shown} goTo={asked.goTo} onThere={asked.onThere} />
			)}
			<Dialogs />
			<LinkQuestion />
		</main>
	);
}

type Asked =
	| { readonly state: 'list'; readonly place: Place; readonly goTo: EntryId | undefined; readonly onThere: () => void }
	| { readonly state: 'elsewhere'; readonly place: Place; readonly entryId: EntryId };

/** An address that names an entry shows its file and goes to it once; one that is in no file any more has a page of its own. */
function useAskedEntry(place: Place): Asked {
	const entryId = place.kind === 'entry' ? place.entryId : undefined;
	const [reached, setReached] = useState<EntryId>();
	const entry = useMemoryEntry(entryId);
	const onThere = useCallback(() => setReached(entryId), [entryId]);
	useEffect(() => {
		if (entryId === undefined) setReached(undefined);
	}, [entryId]);
	const file = entry.data?.file;
	const shown = useMemo(
		(): Place => (entryId && file ? { kind: 'file', file, headingPath: [] } : entryId ? { kind: 'all' } : place),
		[entryId, file, place],
	);
	if (entryId && (entry.error || entry.data?.state === 'gone')) return { state: 'elsewhere', place: shown, entryId };
	return { state: 'list', place: shown, goTo: file && entryId !== reached ? entryId : undefined, onThere };
}

/** What is left of an entry that was taken out: its last text, its history, and the way back. Or that there is nothing. */
function NotInAFile({ entryId }: { entryId: EntryId }) {
	const say = useSay();
	const entry = useMemoryEntry(entryId);
	const failure = entry.error ? shapeOf(entry.error) : undefined;
	const missing = failure?.code === 'not_found';
	return (
		<section className="pane" aria-label={say('memory.entries')}>
			<div className="pane-head narrow">
				<IconButton icon="left" className="back" label={say('memory.showFiles')} onClick={() => useMemoryUi.setState({ listOpen: true })} />
			</div>
			<div className="pane-body">
				<div className="entries gone">
					{failure && !missing ? <ErrorNote error={failure} /> : null}
					{missing || entry.data ? <h2>{say(missing ? 'memory.entryMissing' : 'memory.goneTitle')}</h2> : null}
					{missing || entry.data ? <p className="meta">{say(missing ? 'memory.entryMissingBody' : 'memory.goneBody')}</p> : null}
					{entry.data ? (
						<>
							<EntryRow entry={entry.data} index={0} total={1} quietLabel={false} focus={() => undefined} />
							<h3>{say('memory.versionsTitle')}</h3>
							<VersionList entry={entry.data} />
						</>
					) : null}
					<p>
						<Link className="lnk" href="/memory">
							{say('memory.showAll')}
						</Link>
					</p>
				</div>
			</div>
		</section>
	);
}

function Dialogs() {
	const dialog = useMemoryUi((state) => state.dialog);
	const close = (): void => useMemoryUi.setState({ dialog: null });
	if (!dialog) return null;
	switch (dialog.kind) {
		case 'add':
			return <AddDialog file={dialog.file} headingPath={dialog.headingPath ?? []} text={dialog.text ?? ''} onClose={close} />;
		case 'move':
			return <MoveDialog entry={dialog.entry} onClose={close} />;
		case 'validity':
			return <ValidityDialog entry={dialog.entry} onClose={close} />;
		case 'forget':
			return <ForgetDialog entry={dialog.entry} onClose={close} />;
		case 'why':
			return <WhyDialog entry={dialog.entry} onClose={close} />;
		default:
			return dialog satisfies never;
	}
}
