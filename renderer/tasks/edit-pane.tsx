import { useEffect } from 'react';
import type { Task } from '../../src/domain/task.ts';
import { useSay } from '../ui/strings.tsx';
import { changeEditor, emptyEditor, useEditor } from './editor-store.ts';
import { PaneHead } from './pane-head.tsx';
import { Plan } from './plan.tsx';

/** A task in the same form that it was made with. What has begun goes on as it was begun. */
export function EditPane({ task }: { task: Task }) {
	const say = useSay();
	const { id, draft: kept } = task;
	const { draft } = useEditor(id);
	useEffect(() => {
		if (draft === null) changeEditor(id, emptyEditor(kept));
	}, [id, draft, kept]);
	return (
		<section className="pane" aria-labelledby="task-title">
			<PaneHead title={say('tasks.editTitle', { title: kept.title })} rowId={id} />
			<div className="pane-body">
				<div className="editor">{draft === null ? null : <Plan key={id} editorKey={id} draft={draft} />}</div>
			</div>
		</section>
	);
}
