import type { MemoryEntry } from '../../src/domain/memory.ts';
import { copyText } from '../chat/copy.ts';
import { shell } from '../connection/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { removeEntry, undoLastOf } from './memory-actions.ts';
import { beginEdit, type MemoryDialog, useMemoryUi } from './memory-ui-store.ts';
import { useOpenInEditor } from './open-in-editor.ts';
import { Versions } from './versions.tsx';

/** Opens one of the screen's dialogs after a menu has closed and given its focus back. */
export function openDialog(dialog: MemoryDialog): void {
	setTimeout(() => useMemoryUi.setState({ dialog }), 0);
}

/** What can be done with the open entry. */
export function EntryActs({ entry, anchor }: { entry: MemoryEntry; anchor: () => Element | null }) {
	const say = useSay();
	const openFile = useOpenInEditor();
	return (
		<fieldset className="entry-acts">
			<legend className="vh">{say('memory.actions')}</legend>
			<Button kind="ghost" size="sm" icon="edit" onClick={() => beginEdit(entry)}>
				{say('memory.edit')}
			</Button>
			<Versions entry={entry} anchor={anchor} />
			<Button kind="ghost" size="sm" icon="info" onClick={() => openDialog({ kind: 'why', entry })}>
				{say('memory.why')}
			</Button>
			<Button kind="ghost" size="sm" icon="undo" onClick={() => void undoLastOf(entry)}>
				{say('memory.undo')}
			</Button>
			<Button kind="ghost" size="sm" icon="trash" className="danger" onClick={() => openDialog({ kind: 'forget', entry })}>
				{say('memory.forget')}
			</Button>
			<Menu trigger={<IconButton icon="more" size="sm" label={say('memory.more')} />}>
				<MenuItem icon="arrow" keys="M" onClick={() => openDialog({ kind: 'move', entry })}>
					{say('memory.move')}
				</MenuItem>
				<MenuItem icon="hourglass" onClick={() => openDialog({ kind: 'validity', entry })}>
					{say('memory.validity')}
				</MenuItem>
				<MenuItem icon="copy" onClick={() => copyText(entry.text)}>
					{say('memory.copyText')}
				</MenuItem>
				<MenuItem icon={shell ? 'open' : 'copy'} onClick={() => openFile(entry.file)}>
					{say(shell ? 'memory.openInEditor' : 'memory.copyPath')}
				</MenuItem>
				<MenuLine />
				<MenuItem icon="x" onClick={() => void removeEntry(entry)}>
					{say('memory.remove')}
				</MenuItem>
			</Menu>
		</fieldset>
	);
}
