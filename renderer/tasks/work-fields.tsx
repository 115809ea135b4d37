import type { TaskResult, TaskWork } from '../../src/domain/task.ts';
import { useWorkflow, useWorkflows } from '../timeline/workflow-queries.ts';
import { shownValue, typedValue } from '../timeline/workflow-view.ts';
import { Field } from '../ui/controls.tsx';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { FormRow, Hint } from './form-row.tsx';

const KINDS = ['prompt', 'workflow', 'reminder'] as const satisfies readonly TaskWork['kind'][];
type Prompt = Extract<TaskWork, { kind: 'prompt' }>;
type Flow = Extract<TaskWork, { kind: 'workflow' }>;

interface WorkFieldsProps<Work> {
	work: Work;
	problem: (path: string) => string | undefined;
	onChange: (work: TaskWork) => void;
}

/** What it does. */
export function WorkFields({ work, problem, onChange }: WorkFieldsProps<TaskWork>) {
	const say = useSay();
	const text = work.kind === 'workflow' ? '' : work.text;
	const setKind = (kind: TaskWork['kind']): void => {
		if (kind === work.kind) return;
		if (kind === 'prompt') onChange({ kind, text, session: 'each', result: { kind: 'chat' } });
		else if (kind === 'reminder') onChange({ kind, text });
		else onChange({ kind, name: '', input: {} });
	};
	return (
		<>
			<FormRow name={say('tasks.work')} problems={[problem('work.text'), problem('work.name')]}>
				<Select
					label={say('tasks.workKind')}
					value={work.kind}
					options={KINDS.map((kind) => ({ value: kind, label: say(`tasks.work.${kind}`) }))}
					onChange={(kind) => setKind(KINDS.find((each) => each === kind) ?? 'prompt')}
				/>
				{work.kind === 'workflow' ? (
					<FlowFields work={work} onChange={onChange} />
				) : (
					<textarea
						className="field area task-text"
						rows={3}
						dir="auto"
						aria-label={say(work.kind === 'prompt' ? 'tasks.prompt' : 'tasks.reminder')}
						aria-invalid={problem('work.text') !== undefined || undefined}
						placeholder={say(work.kind === 'prompt' ? 'tasks.promptHint' : 'tasks.reminderHint')}
						value={work.text}
						onChange={({ target }) => onChange({ ...work, text: target.value })}
					/>
				)}
			</FormRow>
			{work.kind === 'prompt' ? <ResultRow work={work} problem={problem} onChange={onChange} /> : null}
		</>
	);
}

function FlowFields({ work, onChange }: Pick<WorkFieldsProps<Flow>, 'work' | 'onChange'>) {
	const say = useSay();
	const workflows = useWorkflows().data ?? [];
	const name = workflows.find((each) => each.name === work.name)?.name;
	const inputs = useWorkflow(name).data?.inputs ?? [];
	if (workflows.length === 0) return <Hint id="tasks.noWorkflows" />;
	return (
		<>
			<Select
				label={say('tasks.workflow')}
				value={work.name}
				options={workflows.map((each) => ({ value: each.name, label: each.title || each.name }))}
				onChange={(next) => onChange({ kind: 'workflow', name: next, input: {} })}
			/>
			<div className="flow-inputs">
				{inputs.map((input) => {
					const given = work.input[input.name];
					return (
						<Field
							key={input.name}
							label={input.required ? say('workflow.inputNeeded', { title: input.title || input.name }) : input.title || input.name}
							value={given === undefined ? '' : shownValue(given)}
							aria-required={input.required}
							dir="auto"
							{...(input.default !== undefined && { hint: say('workflow.otherwise', { value: shownValue(input.default) }) })}
							onChange={(typed) => {
								const { [input.name]: _before, ...rest } = work.input;
								onChange({ ...work, input: typed === '' ? rest : { ...rest, [input.name]: typedValue(typed) } });
							}}
						/>
					);
				})}
			</div>
		</>
	);
}

const RESULTS = ['chat', 'notification', 'inbox', 'file'] as const satisfies readonly TaskResult['kind'][];

/** Where what it says goes. */
function ResultRow({ work, problem, onChange }: WorkFieldsProps<Prompt>) {
	const say = useSay();
	const { result } = work;
	const setKind = (kind: TaskResult['kind']): void =>
		onChange({ ...work, result: kind === 'file' ? { kind, path: say('tasks.filePath') } : { kind } });
	return (
		<FormRow name={say('tasks.result')} problems={[problem('work.result.path')]}>
			<Select
				label={say('tasks.result')}
				value={result.kind}
				options={RESULTS.map((kind) => ({ value: kind, label: say(`tasks.resultTo.${kind}`) }))}
				onChange={(kind) => setKind(RESULTS.find((each) => each === kind) ?? 'chat')}
			/>
			{result.kind === 'file' ? (
				<input
					className="field written"
					aria-label={say('tasks.file')}
					aria-invalid={problem('work.result.path') !== undefined || undefined}
					value={result.path}
					spellCheck={false}
					dir="ltr"
					onChange={({ target }) => onChange({ ...work, result: { kind: 'file', path: target.value } })}
				/>
			) : null}
			<span className="meta">{say(`tasks.resultHint.${result.kind}`)}</span>
		</FormRow>
	);
}
