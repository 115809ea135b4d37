import type { TaskWhen, Trigger } from '../../src/domain/task.ts';
import { useSources } from '../shell/queries.ts';
import { useWorkflow, useWorkflows } from '../timeline/workflow-queries.ts';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { FormRow, Hint, NumberField } from './form-row.tsx';
import { WrittenField } from './written-field.tsx';

type ByTrigger = Extract<TaskWhen, { kind: 'trigger' }>;

const KINDS = ['files', 'finding', 'workflow', 'app_start', 'wake', 'unlock', 'signal'] as const satisfies readonly Trigger['kind'][];
const SCHEDULE = 'schedule';

/** What happens first where the owner says nothing else. */
const FIRST: { readonly [Kind in Trigger['kind']]: Extract<Trigger, { kind: Kind }> } = {
	files: { kind: 'files', path: '', mine: false },
	finding: { kind: 'finding' },
	workflow: { kind: 'workflow', workflow: '', state: '' },
	app_start: { kind: 'app_start' },
	wake: { kind: 'wake' },
	unlock: { kind: 'unlock', idleMinutes: 30 },
	signal: { kind: 'signal', name: '' },
};

export const FIRST_TRIGGER: TaskWhen = { kind: 'trigger', trigger: FIRST.files, quietSeconds: 5 };

interface TriggerFieldsProps {
	when: ByTrigger;
	problem: (path: string) => string | undefined;
	refused: string | undefined;
	onChange: (when: TaskWhen) => void;
	onSchedule: () => void;
}

/** What has to happen for it to run. */
export function TriggerFields({ when, problem, refused, onChange, onSchedule }: TriggerFieldsProps) {
	const say = useSay();
	const { trigger, quietSeconds } = when;
	const set = (next: Trigger): void => onChange({ ...when, trigger: next });
	const at = 'when.trigger';
	const problems = ['path', 'names', 'workflow', 'state', 'name', 'idleMinutes'].map((part) => problem(`${at}.${part}`));
	return (
		<>
			<FormRow name={say('tasks.when')} problems={[...problems, refused]}>
				<Select
					label={say('tasks.event')}
					value={trigger.kind}
					options={[
						...KINDS.map((kind) => ({ value: kind, label: say(`tasks.trigger.${kind}`) })),
						{ value: SCHEDULE, label: say('tasks.pattern.back') },
					]}
					onChange={(kind) => (kind === SCHEDULE ? onSchedule() : set(FIRST[KINDS.find((each) => each === kind) ?? 'files']))}
				/>
				<OneTrigger trigger={trigger} problem={(part) => problem(`${at}.${part}`)} onChange={set} />
			</FormRow>
			<FormRow name={say('tasks.quiet')} problems={[problem('when.quietSeconds')]}>
				<NumberField
					label={say('tasks.quietLabel')}
					value={quietSeconds}
					unit={say('tasks.seconds')}
					bad={problem('when.quietSeconds') !== undefined}
					onChange={(seconds) => onChange({ ...when, quietSeconds: seconds ?? Number.NaN })}
				/>
				<Hint id="tasks.quietHint" />
			</FormRow>
		</>
	);
}

interface OneTriggerProps {
	trigger: Trigger;
	problem: (part: string) => string | undefined;
	onChange: (trigger: Trigger) => void;
}

function OneTrigger({ trigger, problem, onChange }: OneTriggerProps) {
	const say = useSay();
	switch (trigger.kind) {
		case 'files':
			return (
				<>
					<WrittenField
						label={say('tasks.watched')}
						value={trigger.path}
						bad={problem('path') !== undefined}
						placeholder={say('tasks.watchedHint')}
						onChange={(path) => onChange({ ...trigger, path })}
					/>
					<WrittenField
						label={say('tasks.names')}
						value={trigger.names ?? ''}
						placeholder={say('tasks.namesHint')}
						onChange={(names) => {
							const { names: _before, ...rest } = trigger;
							onChange(names === '' ? rest : { ...rest, names });
						}}
					/>
					<label className="check">
						<input type="checkbox" checked={trigger.mine} onChange={({ target }) => onChange({ ...trigger, mine: target.checked })} />
						<span>{say('tasks.mine')}</span>
					</label>
				</>
			);
		case 'finding':
			return <SourceChoice trigger={trigger} onChange={onChange} />;
		case 'workflow':
			return <WorkflowState trigger={trigger} onChange={onChange} />;
		case 'unlock':
			return (
				<NumberField
					label={say('tasks.idle')}
					value={trigger.idleMinutes}
					unit={say('tasks.idleUnit')}
					bad={problem('idleMinutes') !== undefined}
					onChange={(idleMinutes) => onChange({ ...trigger, idleMinutes: idleMinutes ?? Number.NaN })}
				/>
			);
		case 'signal':
			return (
				<>
					<WrittenField
						label={say('tasks.signal')}
						value={trigger.name}
						bad={problem('name') !== undefined}
						placeholder="scan_done"
						onChange={(name) => onChange({ kind: 'signal', name } as Trigger)}
					/>
					<span className="meta">{say('tasks.signalHint', { name: trigger.name || 'scan_done' })}</span>
				</>
			);
		case 'app_start':
		case 'wake':
			return null;
	}
}

const ANY = '';

function SourceChoice({ trigger, onChange }: { trigger: Extract<Trigger, { kind: 'finding' }>; onChange: (trigger: Trigger) => void }) {
	const say = useSay();
	const sources = useSources().data?.sources ?? [];
	return (
		<Select
			label={say('tasks.source')}
			value={trigger.sourceId ?? ANY}
			options={[{ value: ANY, label: say('tasks.anySource') }, ...sources.map(({ id, title }) => ({ value: id, label: title }))]}
			onChange={(id) => {
				const chosen = sources.find((source) => source.id === id);
				onChange({ kind: 'finding', ...(chosen && { sourceId: chosen.id }) });
			}}
		/>
	);
}

function WorkflowState({ trigger, onChange }: { trigger: Extract<Trigger, { kind: 'workflow' }>; onChange: (trigger: Trigger) => void }) {
	const say = useSay();
	const workflows = useWorkflows().data ?? [];
	const name = workflows.find((each) => each.name === trigger.workflow)?.name;
	const states = useWorkflow(name).data?.diagram?.states ?? [];
	if (workflows.length === 0) return <Hint id="tasks.noWorkflows" />;
	return (
		<>
			<Select
				label={say('tasks.workflow')}
				value={trigger.workflow}
				options={workflows.map((each) => ({ value: each.name, label: each.title || each.name }))}
				onChange={(workflow) => onChange({ kind: 'workflow', workflow, state: '' })}
			/>
			{name ? (
				<Select
					label={say('tasks.workflowState')}
					value={trigger.state}
					options={states.map((state) => ({ value: state.name, label: state.title || state.name }))}
					onChange={(state) => onChange({ ...trigger, state })}
				/>
			) : null}
		</>
	);
}
