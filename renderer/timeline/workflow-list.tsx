import { Link } from 'wouter';
import type { WorkflowInstance, WorkflowSummary } from '../../src/domain/workflow.ts';
import { shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { RunState, useWhen } from './marks.tsx';
import { instancePlace, type TimelinePlace, workflowPlace } from './place.ts';
import { useTimelineUi } from './timeline-ui-store.ts';
import { useInstances, useWorkflows } from './workflow-queries.ts';
import { runLike } from './workflow-view.ts';

interface WorkflowListProps {
	place: TimelinePlace;
	/** A row was opened by keyboard. */
	onKeyed: () => void;
}

/** What was started, and the files that can be. */
export function WorkflowList({ place, onKeyed }: WorkflowListProps) {
	const say = useSay();
	const instances = useInstances();
	const files = useWorkflows();
	const error = instances.error ?? files.error;
	const here = place.kind === 'workflows' ? place : undefined;
	const again = (): void => {
		void instances.refetch();
		void files.refetch();
	};
	return (
		<nav className="pane-body runs" aria-label={say('workflow.list')}>
			{error ? <ErrorNote error={shapeOf(error)} actions={<Button onClick={again}>{say('common.tryAgain')}</Button>} /> : null}
			<h3 className="group-h">{say('workflow.instances')}</h3>
			{instances.data?.length === 0 ? <p className="list-empty">{say('workflow.noInstances')}</p> : null}
			{instances.data?.map((instance) => (
				<InstanceRow key={instance.id} instance={instance} current={instance.id === here?.instanceId} onKeyed={onKeyed} />
			))}
			<h3 className="group-h">{say('workflow.files')}</h3>
			{files.data?.length === 0 ? <p className="list-empty">{say('workflow.none')}</p> : null}
			{files.data?.map((file) => (
				<FileRow key={file.name} file={file} current={file.name === here?.name} onKeyed={onKeyed} />
			))}
		</nav>
	);
}

interface RowProps {
	id: string;
	href: string;
	current: boolean;
	onKeyed: () => void;
	children: React.ReactNode;
}

function Row({ id, href, current, onKeyed, children }: RowProps) {
	return (
		<Link
			className="row"
			href={href}
			data-row-id={id}
			aria-current={current || undefined}
			onFocus={() => useTimelineUi.setState({ rowId: id })}
			onClick={(event) => {
				useTimelineUi.setState({ listOpen: false });
				if (event.detail === 0) onKeyed();
			}}
		>
			{children}
		</Link>
	);
}

function InstanceRow({ instance, current, onKeyed }: { instance: WorkflowInstance; current: boolean; onKeyed: () => void }) {
	const when = useWhen();
	return (
		<Row id={instance.id} href={instancePlace(instance.id)} current={current} onKeyed={onKeyed}>
			<div>
				<span className="t cut" dir="auto">
					{instance.title}
				</span>
				<time className="meta num" dateTime={new Date(instance.enteredAt).toISOString()}>
					{when(instance.enteredAt)}
				</time>
			</div>
			<div>
				<RunState run={runLike(instance)} short />
				<code className="meta cut">{instance.state}</code>
			</div>
		</Row>
	);
}

function FileRow({ file, current, onKeyed }: { file: WorkflowSummary; current: boolean; onKeyed: () => void }) {
	const say = useSay();
	const problems = file.problems.length;
	return (
		<Row id={file.name} href={workflowPlace(file.name)} current={current} onKeyed={onKeyed}>
			<div>
				<span className="t cut" dir="auto">
					{file.title || file.name}
				</span>
			</div>
			<div>
				{problems > 0 ? (
					<StateMark state="failed">{say('workflow.problemCount', { count: problems })}</StateMark>
				) : (
					<span className="meta cut about-file" dir="auto">
						{file.description || file.name}
					</span>
				)}
			</div>
		</Row>
	);
}
