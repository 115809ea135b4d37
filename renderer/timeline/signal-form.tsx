import { useId, useState } from 'react';
import { EVENT_PAYLOAD_CHARS } from '../../src/domain/run.ts';
import type { WorkflowInstance } from '../../src/domain/workflow.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusSteps } from './focus.ts';
import { useWhen } from './marks.tsx';
import { signalInstance } from './workflow-actions.ts';
import { typedValue } from './workflow-view.ts';

/** The owner's word that an event came. */
export function SignalForm({ instance, name }: { instance: WorkflowInstance; name: string }) {
	const say = useSay();
	const when = useWhen();
	const id = useId();
	const [payload, setPayload] = useState('');
	const [busy, setBusy] = useState(false);
	const send = async (): Promise<void> => {
		if (busy) return;
		setBusy(true);
		if (await signalInstance(instance, name, typedValue(payload))) focusSteps();
		setBusy(false);
	};
	return (
		<section className="need" aria-label={say('workflow.waitsTitle', { name })}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void send();
				}}
			>
				<header>
					<Icon name="hourglass" size="m" />
					<h2>{say('workflow.waitsTitle', { name })}</h2>
				</header>
				<p>
					{say('workflow.waitsBody')} {instance.dueAt === undefined ? null : say('workflow.waitsUntil', { time: when(instance.dueAt) })}
				</p>
				<label htmlFor={id}>
					{say('workflow.payload')} <span className="meta">{say('workflow.payloadHint')}</span>
				</label>
				<textarea
					id={id}
					className="field area"
					rows={1}
					dir="auto"
					maxLength={EVENT_PAYLOAD_CHARS}
					value={payload}
					onChange={(event) => setPayload(event.target.value)}
				/>
				<footer>
					<span className="grow" />
					<Button kind="primary" type="submit" busy={busy}>
						{say('workflow.signal')}
					</Button>
				</footer>
			</form>
		</section>
	);
}
