import { type KeyboardEvent, useState } from 'react';
import type { SessionId, WorkflowInstanceId } from '../../../src/domain/ids.ts';
import { type Interrupt, type InterruptAnswer, isOwners } from '../../../src/domain/run.ts';
import { isComposing } from '../../ui/controls.tsx';
import { Note } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { useOpenInterrupts } from '../transcript/use-message.ts';
import { answerInterrupt } from '../turn-actions.ts';
import { Approval } from './approval.tsx';
import { approvalKeys } from './approval-keys.ts';
import { DidItHappen } from './did-it-happen.tsx';
import { Question } from './question.tsx';
import { Waiting } from './waiting.tsx';
import { WorkflowWait } from './workflow-wait.tsx';

export interface NeedProps<Kind extends Interrupt['detail']['kind']> {
	interrupt: Interrupt & { detail: Extract<Interrupt['detail'], { kind: Kind }> };
	busy: boolean;
	onAnswer: (answer: InterruptAnswer) => void;
}

/** What a run waits for. The waiting is a row in the runtime: the card is there again after any restart (R3). */
export function NeedsYou({ sessionId, runId }: { sessionId: SessionId; runId: string | null }) {
	const interrupts = useOpenInterrupts(sessionId, runId);
	const goOn = (): void => document.getElementById('msg')?.focus();
	return interrupts.map((interrupt) => <Need key={`${interrupt.id}:${interrupt.shownHash}`} interrupt={interrupt} onAnswered={goOn} />);
}

interface OneNeed {
	interrupt: Interrupt;
	/** Of a workflow's run. */
	instanceId?: WorkflowInstanceId | undefined;
	/** The card is about to go; the focus has to go elsewhere. */
	onAnswered: () => void;
}

export function Need({ interrupt, instanceId, onAnswered }: OneNeed) {
	const say = useSay();
	const [busy, setBusy] = useState(false);
	const [stale, setStale] = useState(false);
	const onAnswer = async (answer: InterruptAnswer): Promise<void> => {
		setBusy(true);
		const outcome = await answerInterrupt(interrupt, answer);
		setStale(outcome === 'stale');
		setBusy(false);
		if (outcome === 'done') onAnswered();
	};
	const answer = (given: InterruptAnswer): void => void onAnswer(given);
	const needsOwner = isOwners(interrupt.detail.kind);
	return (
		<section
			className={needsOwner ? 'need' : 'need quiet'}
			aria-label={say(needsOwner ? 'needs.title' : 'needs.waits')}
			data-asks={interrupt.runId}
			tabIndex={-1}
			onKeyDown={decideByKey(interrupt.id)}
		>
			{stale ? <Note role="status">{say('needs.stale')}</Note> : null}
			<Kind interrupt={interrupt} instanceId={instanceId} busy={busy} onAnswer={answer} />
		</section>
	);
}

/** A and R decide an action while its card has the focus; a field keeps what is typed into it. */
function decideByKey(interruptId: string) {
	return (event: KeyboardEvent): void => {
		const { target } = event;
		if (event.defaultPrevented || isComposing(event) || event.repeat) return;
		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		if (!(target instanceof Element) || target.closest('textarea, input, select')) return;
		const keys = approvalKeys(interruptId);
		const decide = event.key === 'a' ? keys?.approve : event.key === 'r' ? keys?.reject : undefined;
		if (!decide) return;
		event.preventDefault();
		decide();
	};
}

function Kind({
	interrupt,
	instanceId,
	busy,
	onAnswer,
}: Pick<OneNeed, 'interrupt' | 'instanceId'> & Pick<NeedProps<'question'>, 'busy' | 'onAnswer'>) {
	const { detail } = interrupt;
	switch (detail.kind) {
		case 'approval':
			return <Approval interrupt={{ ...interrupt, detail }} busy={busy} onAnswer={onAnswer} />;
		case 'question':
			return <Question interrupt={{ ...interrupt, detail }} busy={busy} onAnswer={onAnswer} />;
		case 'did_it_happen':
			return <DidItHappen interrupt={{ ...interrupt, detail }} busy={busy} onAnswer={onAnswer} />;
		case 'event':
			return instanceId ? (
				<WorkflowWait interrupt={{ ...interrupt, detail }} instanceId={instanceId} busy={busy} onAnswer={onAnswer} />
			) : (
				<Waiting interrupt={{ ...interrupt, detail }} busy={busy} onAnswer={onAnswer} />
			);
		case 'timer':
		case 'child':
			return <Waiting interrupt={{ ...interrupt, detail }} busy={busy} onAnswer={onAnswer} />;
	}
}
