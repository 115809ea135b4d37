import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import type { WorkflowName, WorkflowSummary } from '../../src/domain/workflow.ts';
import { shapeOf } from '../connection/index.ts';
import { shortHash } from '../memory/versions.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { Hindrance } from './hindrance.tsx';
import { WORKFLOWS } from './place.ts';
import { StateDiagram, StateList } from './state-diagram.tsx';
import { openDialog } from './timeline-ui-store.ts';
import { useWorkflow } from './workflow-queries.ts';
import type { Where } from './workflow-view.ts';

/** A workflow as its file says it: what is wrong with it and where, its states, its text. */
export function WorkflowFilePane({ name, head }: { name: WorkflowName; head: ReactNode }) {
	const say = useSay();
	const asked = useWorkflow(name);
	const workflow = asked.data;
	const failure = asked.error ? shapeOf(asked.error) : undefined;
	return (
		<section className="pane run-pane" aria-label={say('workflow.show')}>
			<div className="pane-head">
				{head}
				<h2 className="cut grow" id="run-title" tabIndex={-1} dir="auto">
					{workflow?.title || name}
				</h2>
				{workflow && workflow.problems.length === 0 ? (
					<Button kind="primary" icon="play" onClick={() => openDialog({ kind: 'start', name })}>
						{say('workflow.start')}
					</Button>
				) : null}
			</div>
			{failure?.code === 'not_found' ? (
				<div className="empty">
					<h2>{say('workflow.missing')}</h2>
					<p>{say('workflow.missingBody')}</p>
					<p>
						<Link className="lnk" href={WORKFLOWS}>
							{say('workflow.chooseTitle')}
						</Link>
					</p>
				</div>
			) : (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
				<div className="pane-body sd wide" tabIndex={0} aria-busy={!workflow && !failure}>
					{failure ? (
						<ErrorNote error={failure} actions={<Button onClick={() => void asked.refetch()}>{say('common.tryAgain')}</Button>} />
					) : null}
					{workflow ? <File workflow={workflow} /> : null}
				</div>
			)}
		</section>
	);
}

const NOWHERE: ReadonlyMap<string, Where> = new Map();

function File({ workflow }: { workflow: NonNullable<ReturnType<typeof useWorkflow>['data']> }) {
	const say = useSay();
	const { problems, diagram, inputs, file, version, description, title, text } = workflow;
	return (
		<>
			{problems.length > 0 ? (
				<Note tone="failed" title={say('workflow.problems')}>
					<ul className="problems">
						{problems.map(({ line, column, message }) => (
							<li key={`${line}:${column}:${message}`}>
								<span className="num">{say('workflow.problemAt', { line, column })}</span>: {message}
							</li>
						))}
					</ul>
					<p>{say('workflow.problemsStay')}</p>
				</Note>
			) : null}
			{workflow.hindrance ? <Hindrance error={workflow.hindrance} /> : null}
			{description === '' ? null : <p dir="auto">{description}</p>}
			<dl className="kv">
				<dt>{say('workflow.file')}</dt>
				<dd>
					<code>{file}</code>
				</dd>
				<dt>{say('workflow.version')}</dt>
				<dd>
					<code>{shortHash(version)}</code>
				</dd>
				{inputs.length > 0 ? (
					<>
						<dt>{say('workflow.inputs')}</dt>
						<dd>
							{inputs
								.map(({ title: asked, name, required }) => `${asked || name}${required ? ` (${say('workflow.required')})` : ''}`)
								.join(', ')}
						</dd>
					</>
				) : null}
			</dl>
			{diagram ? (
				<>
					<section className="sec">
						<h3>{say('workflow.diagram')}</h3>
						<StateDiagram title={title} diagram={diagram} where={NOWHERE} />
					</section>
					<section className="sec">
						<h3>{say('workflow.states')}</h3>
						<StateList diagram={diagram} where={NOWHERE} />
					</section>
				</>
			) : null}
			<Source text={text} problems={problems} />
		</>
	);
}

/** The text with its line numbers; lines with a problem stand out. */
function Source({ text, problems }: Pick<WorkflowSummary, 'problems'> & { text: string }) {
	const say = useSay();
	const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text]);
	const wrong = new Set(problems.map(({ line }) => line));
	return (
		<section className="sec">
			<h3>{say('workflow.source')}</h3>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<section className="well source-lines" tabIndex={0} aria-label={say('workflow.source')}>
				<ol>
					{lines.map((line, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text, which never move
						<li key={index} className={wrong.has(index + 1) ? 'wrong' : undefined}>
							<code>{line === '' ? ' ' : line}</code>
						</li>
					))}
				</ol>
			</section>
		</section>
	);
}
