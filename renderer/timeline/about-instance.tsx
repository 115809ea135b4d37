import { useMemo } from 'react';
import { Link } from 'wouter';
import type { WorkflowInstance } from '../../src/domain/workflow.ts';
import { shortHash } from '../memory/versions.tsx';
import { useSay } from '../ui/strings.tsx';
import { useWhen } from './marks.tsx';
import { workflowPlace } from './place.ts';
import { StateList } from './state-diagram.tsx';
import { shownValue, whereabouts } from './workflow-view.ts';

/** What an instance knows, and all states of the version that it keeps. */
export function AboutInstance({ instance }: { instance: WorkflowInstance }) {
	const say = useSay();
	const when = useWhen();
	const where = useMemo(() => whereabouts(instance), [instance]);
	const data = Object.entries(instance.data);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
		<div className="pane-body sd" tabIndex={0}>
			<dl className="kv">
				<dt>{say('workflow.workflow')}</dt>
				<dd>
					<Link className="lnk" href={workflowPlace(instance.workflow)}>
						{instance.workflow}
					</Link>
				</dd>
				<dt>{say('workflow.version')}</dt>
				<dd>
					<code>{shortHash(instance.version)}</code>
				</dd>
				<dt>{say('workflow.startedAt')}</dt>
				<dd>{when(instance.startedAt, { seconds: true })}</dd>
				<dt>{say('workflow.state')}</dt>
				<dd>
					<code>{instance.state}</code>
				</dd>
				<dt>{say('workflow.enteredAt')}</dt>
				<dd>{when(instance.enteredAt, { seconds: true })}</dd>
				{instance.dueAt === undefined ? null : (
					<>
						<dt>{say(instance.error ? 'workflow.triedAt' : 'workflow.dueAt')}</dt>
						<dd>{when(instance.dueAt)}</dd>
					</>
				)}
			</dl>
			<section className="sec">
				<h3>{say('workflow.data')}</h3>
				{data.length === 0 ? <p className="meta">{say('workflow.noData')}</p> : null}
				<dl className="kv data">
					{data.map(([name, value]) => (
						<div key={name} className="kv-row">
							<dt>{name}</dt>
							<dd className="data-value" dir="auto">
								{shownValue(value)}
							</dd>
						</div>
					))}
				</dl>
			</section>
			<section className="sec">
				<h3>{say('workflow.states')}</h3>
				<StateList diagram={instance.diagram} where={where} />
			</section>
		</div>
	);
}
