import { getInterrupt, openInterrupt } from '../approvals/approval-store.ts';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { WriteDb } from '../db/brands.ts';
import type { InterruptId, RunId } from '../domain/ids.ts';
import type { Interrupt, InterruptDetail } from '../domain/run.ts';
import type { Appender } from './appender.ts';
import type { RunControl } from './control.ts';
import type { RunEventOf } from './events.ts';
import type { Gate } from './gate.ts';
import type { Crossings, FirewallDoor } from './gate-port.ts';
import type { Command, Progress } from './state.ts';

/** What a tool step writes down when the owner has to be asked. */

export interface AskStepDeps {
	readonly clock: Pick<Clock, 'now'>;
	readonly appender: Appender;
	readonly gate: Gate;
	/** Where what was decided is written down. */
	readonly firewall: Pick<FirewallDoor, 'audit' | 'used' | 'jobOf' | 'changed'>;
}

/** R2: asks the owner about an effect that was under way when its process died. */
export async function askWhetherItHappened(
	deps: AskStepDeps,
	runId: RunId,
	{ progress, judged, startedAt, found }: Extract<Command, { kind: 'ask_whether_it_happened' }>,
	control: RunControl,
): Promise<void> {
	const { args, effect, label, call } = judged;
	const title = deps.gate.titleOf(runId, call.tool);
	const detail: InterruptDetail = {
		kind: 'did_it_happen',
		tool: call.tool,
		title,
		args,
		startedAt,
		...(found !== undefined && { found }),
	};
	const opened = {
		type: 'interrupt_opened' as const,
		step: progress.step,
		callId: call.callId,
		kind: detail.kind,
		args,
		effect,
		label,
		repaired: false,
		startedAt,
	};
	await ask(deps, runId, progress, opened, detail, control);
}

/** One transaction: the journal's event and the row that waits (R3). The driver returns after it. */
export async function ask(
	deps: AskStepDeps,
	runId: RunId,
	progress: Progress,
	opened: Omit<RunEventOf<'interrupt_opened'>, 'interruptId'>,
	detail: InterruptDetail,
	control: RunControl,
	crossings?: Crossings,
): Promise<void> {
	const id = newId<InterruptId>();
	const { step, callId } = opened;
	const openRow = (tx: WriteDb): Interrupt[] => {
		openInterrupt(tx, { id, runId, sessionId: progress.sessionId, step, callId, detail, createdAt: deps.clock.now() });
		if (crossings) writeDown(deps, tx, { audit: crossings.audit.map((entry) => ({ ...entry, interruptId: id })), permissionIds: [] });
		return [getInterrupt(tx, id)];
	};
	await deps.appender.append(runId, { ...opened, interruptId: id }, control, openRow);
	crashPoint('interrupt.opened');
}

/** In the transaction of the event: what was decided, and that permissions were used. */
export function writeDown(
	{ firewall, clock }: Pick<AskStepDeps, 'firewall' | 'clock'>,
	tx: WriteDb,
	{ audit, permissionIds }: Crossings,
): Interrupt[] {
	firewall.audit.append(tx, audit);
	firewall.used(tx, permissionIds, clock.now());
	return [];
}
