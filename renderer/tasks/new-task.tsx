import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import type { SentenceReading, TaskDraft } from '../../src/domain/task.ts';
import { call, shapeOf } from '../connection/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { blankDraft } from './blank-draft.ts';
import { changeEditor, isChanged, NEW, readingChange, useEditor } from './editor-store.ts';
import { PaneHead } from './pane-head.tsx';
import { TASKS } from './place.ts';
import { Plan } from './plan.tsx';

const EXAMPLES = ['tasks.example.one', 'tasks.example.two', 'tasks.example.three'] as const;

/** A sentence becomes a card; nothing exists before the owner turns it on. `first`: there is no task yet, so what a task is stands here, too. */
export function NewTask({ first, closable }: { first: boolean; closable: boolean }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const editor = useEditor(NEW);
	const { sentence, draft, reading } = editor;
	const read = useReading();
	const field = useRef<HTMLTextAreaElement>(null);
	const words = sentence.trim();
	const ask = (text: string): void => {
		if (text.trim() === '' || read.isPending) return;
		changeEditor(NEW, { sentence: text });
		read.mutate(text.trim());
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
		event.preventDefault();
		ask(sentence);
	};
	const refused = draft === null && reading?.kind === 'unclear' ? reading.draft : undefined;
	const fillIn = (given: TaskDraft): void => changeEditor(NEW, { draft: given, before: given, reading: null });
	const isRead = read.variables === words && reading !== null;
	return (
		<section className="pane" aria-labelledby="task-title">
			<PaneHead title={say('tasks.new')} alone={first}>
				{closable ? <IconButton icon="x" className="pane-close" label={say('common.close')} onClick={() => navigate(TASKS)} /> : null}
			</PaneHead>
			<div className="pane-body">
				<div className="editor">
					{first && draft === null ? <Lead /> : null}
					<label className="vh" htmlFor="sentence">
						{say('tasks.sentence')}
					</label>
					<textarea
						ref={field}
						className="sentence"
						id="sentence"
						rows={2}
						dir="auto"
						maxLength={2_000}
						placeholder={say('tasks.sentenceHint')}
						value={sentence}
						onChange={({ target }) => changeEditor(NEW, { sentence: target.value })}
						onKeyDown={onKeyDown}
					/>
					<div className="becomes">
						<span className="grow" role="status">
							{read.isPending ? say('tasks.reading') : becomes(say, reading, draft !== null)}
						</span>
						{words !== '' && !isRead ? (
							<Button size="sm" busy={read.isPending} onClick={() => ask(sentence)}>
								{say(draft === null ? 'tasks.read' : 'tasks.readAgain')}
							</Button>
						) : null}
						{draft === null && refused === undefined ? (
							<Button kind="ghost" size="sm" onClick={() => fillIn(blankDraft(words))}>
								{say('tasks.form')}
							</Button>
						) : null}
					</div>
					{draft !== null && words !== '' && !isRead && isChanged(editor) ? <p className="meta">{say('tasks.readReplaces')}</p> : null}
					{read.error ? <ErrorNote error={shapeOf(read.error)} /> : null}
					{reading?.kind === 'asks' ? <Asks reading={reading} onChoose={ask} /> : null}
					{reading?.kind === 'unclear' ? (
						<Note
							icon="info"
							title={reading.message}
							role="status"
							{...(refused && {
								actions: <Button onClick={() => fillIn(refused)}>{say('tasks.form')}</Button>,
							})}
						>
							<p>{reading.action ?? say('tasks.unclearAction')}</p>
						</Note>
					) : null}
					{draft === null && words === '' ? <Examples onChoose={ask} /> : null}
					{draft === null ? null : <Plan key={editor.before?.sentence ?? ''} editorKey={NEW} draft={draft} />}
				</div>
			</div>
		</section>
	);
}

function useReading() {
	return useMutation({
		mutationFn: (sentence: string) => call((client) => client.tasks.read({ sentence }), { repeatable: true }),
		onSuccess: (reading) => changeEditor(NEW, readingChange(reading)),
	});
}

function becomes(say: ReturnType<typeof useSay>, reading: SentenceReading | null, drafted: boolean): string {
	if (reading?.kind === 'card') {
		return reading.by === 'model' ? say('tasks.readByModel', { model: reading.model ?? '' }) : say('tasks.readHere');
	}
	return say(drafted ? 'tasks.byHand' : 'tasks.becomes');
}

/** What is not clear is asked: each answer is a sentence that says it without doubt. */
function Asks({ reading, onChoose }: { reading: Extract<SentenceReading, { kind: 'asks' }>; onChoose: (sentence: string) => void }) {
	return (
		<section className="note ask asks" role="status">
			<Icon name="alert" size="m" />
			<div className="grow">
				<p className="note-title" dir="auto">
					{reading.question}
				</p>
				<div className="need-choices">
					{reading.choices.map(({ text, sentence }) => (
						<Button key={sentence} dir="auto" onClick={() => onChoose(sentence)}>
							{text}
						</Button>
					))}
				</div>
			</div>
		</section>
	);
}

function Lead() {
	const say = useSay();
	return (
		<div className="tasks-lead">
			<h3>{say('tasks.leadTitle')}</h3>
			<p>{say('tasks.lead')}</p>
			<p className="meta">{say('tasks.leadSafe')}</p>
		</div>
	);
}

function Examples({ onChoose }: { onChoose: (sentence: string) => void }) {
	const say = useSay();
	return (
		<section aria-labelledby="examples-title">
			<h3 className="part-name" id="examples-title">
				{say('tasks.examples')}
			</h3>
			<ul className="examples">
				{EXAMPLES.map((id) => (
					<li key={id}>
						<button type="button" className="example" onClick={() => onChoose(say(id))}>
							<Icon name="scheduled" size="s" />
							<span>{say(id)}</span>
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}
