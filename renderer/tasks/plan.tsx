import { useState } from 'react';
import type { Permission, PermissionTerms } from '../../src/domain/permission.ts';
import type { TaskCard, TaskDraft } from '../../src/domain/task.ts';
import { shapeOf } from '../connection/index.ts';
import { usePermissions } from '../settings/permissions/queries.ts';
import { Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { blankDraft } from './blank-draft.ts';
import { changeDraft, changeEditor, type EditorKey, isTested, permissionsOf, useEditor } from './editor-store.ts';
import { FormRow, useProblemWords } from './form-row.tsx';
import { BudgetRow, FailureRow, MoreWhen, PolicyFields } from './limit-fields.tsx';
import { useIsNoAi } from './no-ai.ts';
import { PlanFoot } from './plan-foot.tsx';
import { problemsOf } from './problems.ts';
import { usePreview, useTestResult } from './queries.ts';
import { Restated } from './restated.tsx';
import { Slots } from './slots.tsx';
import { TestRun } from './test-run.tsx';
import { FIRST_TRIGGER, TriggerFields } from './trigger-fields.tsx';
import { UseFields } from './use-fields.tsx';
import { useSettledFor } from './use-settled.ts';
import { WhenFields } from './when-fields.tsx';
import { WorkFields } from './work-fields.tsx';

/** How long the form stands still before it is asked what it means, in milliseconds. */
const PREVIEW_MS = 250;

/** A draft as the runtime would show it, and whether that is the draft as it stands. */
export interface Shown {
	readonly card: TaskCard | undefined;
	readonly current: boolean;
	/** What the runtime says against it. */
	readonly refused: string | undefined;
	readonly again: () => void;
}

/** When it runs is shown also while it has no name or words yet: those stand as an ellipsis, and it can't be confirmed so. */
function withWords(draft: TaskDraft): TaskDraft {
	const { title, work } = draft;
	const words = (text: string): string => (text.trim() === '' ? '…' : text);
	return { ...draft, title: words(title), work: work.kind === 'workflow' ? work : { ...work, text: words(work.text) } };
}

function useShownCard(draft: TaskDraft): Shown {
	const settled = useSettledFor(draft, PREVIEW_MS);
	const { data, error, isFetching, isPlaceholderData, refetch } = usePreview(withWords(settled));
	const current = settled === draft && data !== undefined && !error && !isFetching && !isPlaceholderData;
	const shape = error && settled === draft ? shapeOf(error) : undefined;
	return {
		card: data,
		current,
		refused: shape ? [shape.message, shape.action].filter(Boolean).join(' ') : undefined,
		again: () => void refetch(),
	};
}

/** A task as a card, each part of it to be changed in place; what it comes to is shown as one types. */
export function Plan({ editorKey, draft }: { editorKey: EditorKey; draft: TaskDraft }) {
	const say = useSay();
	const editor = useEditor(editorKey);
	const [strict, setStrict] = useState(false);
	const shown = useShownCard(draft);
	const problems = problemsOf(draft);
	const words = useProblemWords(problems);
	// Numbers and expressions are said to be wrong at once; what is still empty, when the owner wants to go on.
	const problem = (path: string): string | undefined => (strict || !EMPTY_AT_FIRST.has(path) ? words(path) : undefined);
	const set = (change: Partial<TaskDraft>): void => changeDraft(editorKey, (before) => ({ ...before, ...change }));
	const permissions = usePermissionsFor(editorKey);
	const test = useTestResult(editor.test?.id).data;
	const grant = (terms: PermissionTerms, on: boolean): void =>
		changeEditor(editorKey, ({ granted }) => ({ granted: on ? [...granted, terms] : granted.filter((each) => !same(each, terms)) }));
	const { when, work } = draft;
	const noAi = useIsNoAi(work);
	const { card, refused } = shown;
	const zone = card?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
	return (
		<section className="task-plan" aria-label={say('tasks.plan')}>
			<header>
				<Restated restated={card?.restated ?? say('tasks.planning')} strong={card?.strong ?? []} />
				{card?.notes.map((note) => (
					<p key={note} className="meta task-plan-note">
						{note}
					</p>
				))}
			</header>
			<dl className="form">
				<FormRow name={say('tasks.name')} problems={[problem('title')]}>
					<input
						className="field"
						aria-label={say('tasks.name')}
						aria-invalid={problem('title') !== undefined || undefined}
						value={draft.title}
						maxLength={100}
						dir="auto"
						onChange={({ target }) => set({ title: target.value })}
					/>
				</FormRow>
				<WorkFields work={work} problem={problem} onChange={(next) => set({ work: next })} />
				{when.kind === 'schedule' ? (
					<>
						<WhenFields
							schedule={when.schedule}
							zone={zone}
							problem={problem}
							refused={refused}
							onChange={(schedule) => set({ when: { kind: 'schedule', schedule } })}
							onEvent={() => set({ when: FIRST_TRIGGER })}
						/>
						<FormRow name={say('tasks.nextFive')}>
							{card && card.next.length > 0 && refused === undefined ? (
								<Slots slots={card.next} label={say('tasks.nextFive')} />
							) : (
								<span className="meta">{refused === undefined && shown.current ? say('tasks.never') : say('tasks.notYet')}</span>
							)}
						</FormRow>
					</>
				) : (
					<TriggerFields
						when={when}
						problem={problem}
						refused={refused}
						onChange={(next) => set({ when: next })}
						onSchedule={() => set({ when: blankDraft('').when })}
					/>
				)}
				<PolicyFields draft={draft} problem={problem} onChange={set} />
				{work.kind === 'prompt' ? (
					<UseFields
						work={work}
						permissions={permissions}
						granted={editor.granted}
						onChange={(next) => set({ work: next })}
						onRevoke={(terms) => grant(terms, false)}
					/>
				) : null}
				{work.kind === 'reminder' ? null : <BudgetRow draft={draft} problem={problem} onChange={set} />}
			</dl>
			<details className="advanced task-plan-more">
				<summary>{say('tasks.moreFields')}</summary>
				<dl className="form">
					{work.kind === 'reminder' ? null : <FailureRow draft={draft} problem={problem} onChange={set} />}
					{when.kind === 'schedule' ? (
						<MoreWhen schedule={when.schedule} problem={problem} onChange={(schedule) => set({ when: { kind: 'schedule', schedule } })} />
					) : null}
				</dl>
			</details>
			{test && editor.test ? <TestRun test={test} outdated={!isTested(editor)} granted={editor.granted} onGrant={grant} /> : null}
			{noAi ? <Note role="status">{say('tasks.noAi')}</Note> : null}
			{editor.stale ? <Note role="status">{say('tasks.stale')}</Note> : null}
			<PlanFoot
				editorKey={editorKey}
				draft={draft}
				shown={shown}
				bad={problems.size > 0}
				testing={test?.state === 'running'}
				onStrict={setStrict}
			/>
		</section>
	);
}

const EMPTY_AT_FIRST = new Set([
	'title',
	'work.text',
	'work.name',
	'when.trigger.path',
	'when.trigger.workflow',
	'when.trigger.state',
	'when.trigger.name',
]);

const NONE: Permission[] = [];

function usePermissionsFor(key: EditorKey): Permission[] {
	const all = usePermissions().data?.permissions;
	return key === 'new' || !all ? NONE : permissionsOf(all, key);
}

function same(one: PermissionTerms, other: PermissionTerms): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
