import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { Json } from '../../src/domain/json.ts';
import type { WorkflowName } from '../../src/domain/workflow.ts';
import { shapeOf } from '../connection/index.ts';
import { Field } from '../ui/controls.tsx';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusInvalid, focusSteps } from './focus.ts';
import { Hindrance } from './hindrance.tsx';
import { instancePlace } from './place.ts';
import { startWorkflow } from './workflow-actions.ts';
import { useWorkflow } from './workflow-queries.ts';
import { shownValue, typedValue } from './workflow-view.ts';

/** Starts a workflow with what it asks for. */
export function StartDialog({ name, onClose }: { name: WorkflowName; onClose: () => void }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const asked = useWorkflow(name);
	const workflow = asked.data;
	const [title, setTitle] = useState('');
	const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
	const [tried, setTried] = useState(false);
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	// One wish, however often it is tried.
	const requestId = useRef(crypto.randomUUID());
	const inputs = workflow?.inputs ?? [];
	const isMissing = (input: { name: string; required: boolean }): boolean => input.required && (typed[input.name] ?? '').trim() === '';
	const start = async (): Promise<void> => {
		setTried(true);
		if (inputs.some(isMissing)) {
			focusInvalid();
			return;
		}
		if (busy || !workflow) return;
		setBusy(true);
		setFailure(undefined);
		const data: Record<string, Json> = {};
		for (const input of inputs) {
			const text = typed[input.name] ?? '';
			if (text.trim() !== '') data[input.name] = typedValue(text);
		}
		try {
			const instance = await startWorkflow(name, { title, data, requestId: requestId.current });
			onClose();
			navigate(instancePlace(instance.id));
			focusSteps();
		} catch (error) {
			setFailure(shapeOf(error));
			setBusy(false);
		}
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('workflow.startTitle', { title: workflow?.title || name })}
			lead={say('workflow.startLead')}
			onSubmit={() => void start()}
			footer={
				<FormButtons
					onCancel={onClose}
					action={say('workflow.startAction')}
					busy={busy}
					disabled={!workflow || workflow.hindrance !== undefined}
				/>
			}
		>
			{asked.error ? <ErrorNote error={shapeOf(asked.error)} /> : null}
			{workflow?.hindrance ? <Hindrance error={workflow.hindrance} onLeave={onClose} /> : null}
			{inputs.map((input) => (
				<Field
					key={input.name}
					label={input.required ? say('workflow.inputNeeded', { title: input.title || input.name }) : input.title || input.name}
					value={typed[input.name] ?? ''}
					onChange={(text) => setTyped((before) => ({ ...before, [input.name]: text }))}
					aria-required={input.required}
					{...(input.default !== undefined && { hint: say('workflow.otherwise', { value: shownValue(input.default) }) })}
					dir="auto"
					{...(tried && isMissing(input) && { error: say('workflow.needed') })}
				/>
			))}
			<Field label={say('workflow.name')} hint={say('workflow.nameHint')} value={title} onChange={setTitle} maxLength={200} dir="auto" />
			{failure ? <ErrorNote error={failure} /> : null}
		</Dialog>
	);
}
