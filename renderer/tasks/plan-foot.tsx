import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { PermissionTerms } from '../../src/domain/permission.ts';
import { TaskDraft } from '../../src/domain/task.ts';
import { call, shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { changeEditor, dropEditor, type EditorKey, isChanged, NEW, useEditor } from './editor-store.ts';
import { focusInvalid, focusRow, focusSentence, focusTest } from './focus.ts';
import { taskPlace } from './place.ts';
import type { Shown } from './plan.tsx';

interface PlanFootProps {
	editorKey: EditorKey;
	draft: TaskDraft;
	shown: Shown;
	/** Something of it keeps it from being a task. */
	bad: boolean;
	testing: boolean;
	/** The owner wants to go on: what is missing may be said. */
	onStrict: (strict: boolean) => void;
}

/** What is done with the card: a test run, the owner's yes to exactly what stands there, or nothing. */
export function PlanFoot({ editorKey, draft, shown, bad, testing, onStrict }: PlanFootProps) {
	const say = useSay();
	const editor = useEditor(editorKey);
	const save = useSave(editorKey);
	const test = useTest(editorKey);
	const isNew = editorKey === NEW;
	const hash = shown.card?.shownHash;
	const good = (): boolean => {
		onStrict(true);
		if (bad) focusInvalid();
		return !bad && shown.refused === undefined;
	};
	// Only what the owner sees is what they say yes to: in the moment in which it is worked out there is nothing to say yes to.
	const settling = !bad && !shown.current && shown.refused === undefined;
	const confirm = (): void => {
		if (settling || save.isPending || !good() || hash === undefined) return;
		save.mutate(
			{ draft, shownHash: hash, permissions: [...editor.granted], requestId: editor.requestId },
			{
				onError: (error) => {
					if (shapeOf(error).code !== 'stale') return;
					changeEditor(editorKey, { stale: true });
					shown.again();
				},
			},
		);
	};
	const failure = [save.error, test.error].find((error) => error && shapeOf(error).code !== 'stale');
	return (
		<>
			{failure ? <ErrorNote error={shapeOf(failure)} /> : null}
			<footer>
				<Discard editorKey={editorKey} />
				<span className="grow meta foot-note">{draft.work.kind === 'reminder' ? '' : say('tasks.test.lead')}</span>
				{draft.work.kind === 'prompt' ? (
					<Button
						icon="play"
						busy={testing || test.isPending}
						onClick={() => (good() ? test.mutate({ draft, granted: editor.granted }) : undefined)}
					>
						{say('tasks.test.run')}
					</Button>
				) : null}
				<Button kind="primary" busy={save.isPending} aria-disabled={settling || undefined} className="settling" onClick={confirm}>
					{say(isNew ? 'tasks.turnOn' : 'common.save')}
				</Button>
			</footer>
		</>
	);
}

/** What the owner says yes to. */
interface Confirmed {
	readonly draft: TaskDraft;
	readonly shownHash: string;
	readonly permissions: PermissionTerms[];
	readonly requestId: string;
}

function useSave(editorKey: EditorKey) {
	const say = useSay();
	const queries = useQueryClient();
	const [, navigate] = useLocation();
	return useMutation({
		mutationFn: ({ requestId, ...confirmed }: Confirmed) => {
			// What the form holds is checked once more: a number of it may be none.
			const of = { ...confirmed, draft: TaskDraft.parse(confirmed.draft) };
			return editorKey === NEW
				? call((client) => client.tasks.add({ ...of, requestId }), { repeatable: true })
				: call((client) => client.tasks.update({ ...of, taskId: editorKey }), { repeatable: true });
		},
		onSuccess: (task) => {
			dropEditor(editorKey);
			showToast(say(editorKey === NEW ? 'tasks.done.on' : 'tasks.done.saved', { title: task.draft.title }));
			navigate(taskPlace(task.id));
			focusRow(task.id);
		},
		onSettled: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
	});
}

function useTest(editorKey: EditorKey) {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: ({ draft, granted }: { draft: TaskDraft; granted: readonly PermissionTerms[] }) =>
			call((client) => client.tasks.test({ draft: TaskDraft.parse(draft), permissions: [...granted], requestId: crypto.randomUUID() })),
		onSuccess: (test, { draft }) => {
			queries.setQueryData(['task-test', test.id], test);
			changeEditor(editorKey, { test: { id: test.id, draft } });
			focusTest();
		},
	});
}

/** Asks once more where something would be lost. */
function Discard({ editorKey }: { editorKey: EditorKey }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const editor = useEditor(editorKey);
	const [asking, setAsking] = useState(false);
	const discard = (): void => {
		setAsking(false);
		dropEditor(editorKey);
		if (editorKey === NEW) focusSentence();
		else {
			navigate(taskPlace(editorKey));
			focusRow(editorKey);
		}
	};
	return (
		<>
			<Button kind="ghost" className="foot-first" onClick={() => (isChanged(editor) || editorKey === NEW ? setAsking(true) : discard())}>
				{say(editorKey === NEW ? 'tasks.discard' : 'common.cancel')}
			</Button>
			<Dialog
				open={asking}
				onClose={() => setAsking(false)}
				title={say(editorKey === NEW ? 'tasks.discardTitle' : 'tasks.discardChangesTitle')}
				lead={say('tasks.discardLead')}
				footer={
					<>
						<Button onClick={() => setAsking(false)}>{say('tasks.discardKeep')}</Button>
						<Button kind="danger" onClick={discard}>
							{say('tasks.discard')}
						</Button>
					</>
				}
			/>
		</>
	);
}
