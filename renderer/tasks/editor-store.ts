import { create } from 'zustand';
import type { Permission, PermissionTerms } from '../../src/domain/permission.ts';
import type { SentenceReading, TaskDraft, TaskId, TestId } from '../../src/domain/task.ts';

/** A task that is being made or changed: what was typed and chosen so far stays while the owner looks at something else. */
export interface Editor {
	readonly sentence: string;
	/** What the sentence said; null before it was read, and where the form was filled in by hand. */
	readonly reading: SentenceReading | null;
	/** Numbers that are no numbers yet are NaN: it may not be a draft. */
	readonly draft: TaskDraft | null;
	/** As it was read, or as it stands: what differs from it is not kept yet. */
	readonly before: TaskDraft | null;
	/** One wish, however often it is tried. */
	readonly requestId: string;
	readonly test: { readonly id: TestId; readonly draft: TaskDraft } | null;
	/** What the owner ticked of what the test run would have needed. */
	readonly granted: readonly PermissionTerms[];
	/** The runtime would show another card by now. */
	readonly stale: boolean;
}

/** The one that is new. */
export const NEW = 'new';
export type EditorKey = typeof NEW | TaskId;

export const useEditors = create<{ readonly byKey: Readonly<Record<string, Editor>> }>()(() => ({ byKey: {} }));

export function emptyEditor(draft: TaskDraft | null = null): Editor {
	const requestId = crypto.randomUUID();
	return { sentence: draft?.sentence ?? '', reading: null, draft, before: draft, requestId, test: null, granted: [], stale: false };
}

/** One and the same, so that a view which has none yet is not drawn for it. */
const EMPTY = emptyEditor();

export function useEditor(key: EditorKey): Editor {
	return useEditors((state) => state.byKey[key] ?? EMPTY);
}

export function changeEditor(key: EditorKey, change: Partial<Editor> | ((editor: Editor) => Partial<Editor>)): void {
	useEditors.setState(({ byKey }) => {
		const editor = byKey[key] ?? emptyEditor();
		return { byKey: { ...byKey, [key]: { ...editor, ...(typeof change === 'function' ? change(editor) : change) } } };
	});
}

/** What a sentence said takes the place of what stood there: a card of another sentence must not be turned on for this one. */
export function readingChange(reading: SentenceReading): Partial<Editor> {
	const draft = reading.kind === 'card' ? reading.card.draft : null;
	return { reading, draft, before: draft, requestId: crypto.randomUUID(), test: null, granted: [], stale: false };
}

/** Another draft is another wish: one that was sent and perhaps taken must not stand for it. */
export function changeDraft(key: EditorKey, change: (draft: TaskDraft) => TaskDraft): void {
	changeEditor(key, ({ draft }) => (draft ? { draft: change(draft), requestId: crypto.randomUUID(), stale: false } : {}));
}

export function dropEditor(key: EditorKey): void {
	useEditors.setState(({ byKey }) => {
		const { [key]: _gone, ...rest } = byKey;
		return { byKey: rest };
	});
}

/** Whether something would be lost with it. */
export function isChanged({ draft, before, sentence, reading }: Editor): boolean {
	if (draft === null) return reading === null && sentence.trim() !== '';
	return JSON.stringify(draft) !== JSON.stringify(before);
}

/** Whether the test was of this very draft: its name and sentence change nothing of what it does. */
export function isTested({ test, draft }: Editor): boolean {
	return test !== null && draft !== null && JSON.stringify(bare(test.draft)) === JSON.stringify(bare(draft));
}

function bare({ title: _title, sentence: _sentence, ...rest }: TaskDraft): Partial<TaskDraft> {
	return rest;
}

/** Standing permissions that a task has. */
export function permissionsOf(permissions: readonly Permission[], taskId: TaskId): Permission[] {
	return permissions.filter(({ terms, revokedAt }) => revokedAt === undefined && terms.job.kind === 'task' && terms.job.taskId === taskId);
}
