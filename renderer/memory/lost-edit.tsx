import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { EntryEditor } from './entry-editor.tsx';
import { endEdit, useMemoryUi } from './memory-ui-store.ts';

/** An edit whose entry the list does not show any more: it goes on above the list, and its words can become a new entry. */
export function LostEdit({ indexOf, ready }: { indexOf: (entryId: string) => number; ready: boolean }) {
	const say = useSay();
	const editing = useMemoryUi((state) => state.editing);
	if (!editing || !ready || indexOf(editing.entry.id) >= 0) return null;
	const addAsNew = (): void => {
		const { file, headingPath } = editing.entry;
		endEdit();
		useMemoryUi.setState({ dialog: { kind: 'add', file, headingPath, text: editing.text } });
	};
	return (
		<section className="lost-edit">
			<Note tone="ask" title={say('memory.editGone')} role="status" actions={<Button onClick={addAsNew}>{say('memory.addAsNew')}</Button>}>
				<p>{say('memory.editGoneBody')}</p>
			</Note>
			<EntryEditor editing={editing} entry={undefined} onDone={() => document.querySelector<HTMLElement>('.entries-scroll')?.focus()} />
		</section>
	);
}
