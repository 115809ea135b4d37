import { useState } from 'react';
import { useDocument } from '../../shell/queries.ts';
import { Button } from '../../ui/button.tsx';
import { useSay } from '../../ui/strings.tsx';
import { DocumentEditor } from '../document-editor.tsx';

/** Opens HEARTBEAT.md in the editor that the owner's other files have. */
export function EditHeartbeat() {
	const say = useSay();
	const file = useDocument('HEARTBEAT.md');
	const [editing, setEditing] = useState(false);
	return (
		<>
			<Button disabled={!file.data} onClick={() => setEditing(true)}>
				{say('profile.edit', { name: 'HEARTBEAT.md' })}
			</Button>
			{editing && file.data ? <DocumentEditor document={file.data} onClose={() => setEditing(false)} /> : null}
		</>
	);
}
