import { getInterrupt, openInterrupt } from '../approvals/approval-store.ts';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { WriteDb } from '../db/brands.ts';
import type { InterruptId, RunId, Timestamp } from '../domain/ids.ts';
import type { Interrupt, InterruptDetail } from '../domain/run.ts';
import type { WaitRequest } from '../tools/port.ts';
import type { Appender } from './appender.ts';
import type { WorkBeginning } from './begin.ts';
import { type Children, childOf } from './children.ts';
import type { RunControl } from './control.ts';
import type { RunEventOf } from './events.ts';
import type { JudgedCall, Progress } from './state.ts';
import type { WorkPort } from './work-port.ts';

export interface WaitStepDeps {
	readonly clock: Pick<Clock, 'now'>;
	readonly appender: Appender;
	readonly children: Children;
	readonly work?: Pick<WorkPort, 'setTimer'> | undefined;
}

/** What it waits for, with the run that has to be begun for it. */
interface Wait {
	readonly detail: InterruptDetail;
	readonly until?: Timestamp | undefined;
	readonly child?: WorkBeginning & { readonly id: RunId };
}

/** One transaction: the journal's event, the row that waits, its timer, and the run that is waited for (R3). The driver returns after it. */
export async function openWait(
	deps: WaitStepDeps,
	runId: RunId,
	at: { progress: Progress; judged: JudgedCall; repaired: boolean; also?: (tx: WriteDb) => void },
	request: WaitRequest,
	control: RunControl,
): Promise<void> {
	const { progress, judged, repaired } = at;
	const { step, sessionId } = progress;
	const { args, effect, label, call, touches } = judged;
	const { callId } = call;
	const wait = waitFor(deps, runId, at, request);
	const { detail, until, child } = wait;
	const id = newId<InterruptId>();
	const now = deps.clock.now();
	const childRunId = child?.id;
	const event: RunEventOf<'interrupt_opened'> = {
		type: 'interrupt_opened',
		step,
		callId,
		interruptId: id,
		kind: detail.kind,
		args,
		effect,
		label,
		repaired,
		...(touches && { touches: [...touches] }),
		startedAt: now,
		...(until !== undefined && { until }),
		...(childRunId !== undefined && { childRunId }),
	};
	const rows = (tx: WriteDb): Interrupt[] => {
		openInterrupt(tx, { id, runId, sessionId, step, callId, detail, createdAt: now });
		if (until !== undefined) deps.work?.setTimer(tx, { interruptId: id, runId, dueAt: until });
		if (child) deps.children.begin(tx, child);
		at.also?.(tx);
		return [getInterrupt(tx, id)];
	};
	if ((await deps.appender.append(runId, event, control, rows)) === undefined) return;
	crashPoint('interrupt.opened');
	if (childRunId !== undefined) deps.children.start(childRunId);
}

function waitFor(
	{ children }: WaitStepDeps,
	runId: RunId,
	{ progress, judged }: { progress: Progress; judged: JudgedCall },
	request: WaitRequest,
): Wait {
	switch (request.kind) {
		case 'timer':
			return { detail: { kind: 'timer', dueAt: request.dueAt, note: request.note }, until: request.dueAt };
		case 'event': {
			const { name, note, until } = request;
			return { detail: { kind: 'event', name, note, ...(until !== undefined && { until }) }, until };
		}
		case 'child': {
			const child = childOf(runId, progress, judged, request, (key) => children.find(key));
			return { detail: { kind: 'child', childRunId: child.id, task: request.task }, child };
		}
	}
}
