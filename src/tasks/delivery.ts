import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { Announce } from '../contract/announce.ts';
import { isFullDisk } from '../db/errors.ts';
import type { StateDb } from '../db/open.ts';
import { type ErrorShape, HearthError, toErrorShape } from '../domain/errors.ts';
import { Later } from '../run/later.ts';
import type { StoredOccurrence } from './occurrence-row.ts';
import { findOccurrence, setDelivered } from './occurrence-store.ts';
import type { DeliverResult, Standing } from './ports.ts';
import { findTask } from './task-store.ts';
import { undelivered } from './turn-store.ts';
import { type Doers, doerOf } from './work-kind.ts';

export interface DeliveryDeps {
	readonly db: StateDb;
	readonly logger: Logger;
	readonly announce: Announce;
	readonly doers: Doers;
	readonly deliver: DeliverResult;
	readonly changed: () => void;
}

type Result = Extract<Standing, { kind: 'done' | 'failed' }>;

/** Brings what an occurrence said to where it belongs, once. What a crash cuts off is brought at the next start. */
export class Delivery {
	readonly #deps: DeliveryDeps;
	readonly #sequencer = new Sequencer();
	readonly #later: Later;
	#closing = false;

	constructor(deps: DeliveryDeps) {
		this.#deps = deps;
		this.#later = new Later(deps.logger);
	}

	recover(): void {
		for (const occurrence of undelivered(this.#deps.db.read)) this.bring(occurrence);
	}

	/** Its row says that it is over. */
	bring({ id, taskId }: Pick<StoredOccurrence, 'id' | 'taskId'>, blocked = false): void {
		void this.#sequencer.run(taskId, async () => {
			try {
				await this.#bring(id, blocked);
			} catch (error) {
				if (isFullDisk(error)) this.#later.again('task_not_delivered', () => this.bring({ id, taskId }, blocked));
				else this.#deps.logger.error('task_not_delivered', { occurrenceId: id, error });
			}
		});
	}

	async close(): Promise<void> {
		this.#closing = true;
		this.#later.close();
		await this.#sequencer.idle();
	}

	async #bring(id: StoredOccurrence['id'], blocked: boolean): Promise<void> {
		const { db, deliver, doers, announce, changed } = this.#deps;
		const occurrence = findOccurrence(db.read, id);
		const task = occurrence && findTask(db.read, occurrence.taskId);
		if (this.#closing || !occurrence || !task || occurrence.delivered) return;
		const result = resultOf(occurrence, doerOf(doers, task.draft, occurrence).standing(occurrence));
		const [where, refused] = await placed(() => deliver(task, occurrence, result));
		crashPoint('task.delivered');
		if (!db.write((tx) => setDelivered(tx, id, where, refused))) return;
		changed();
		// The rest is told by who delivers.
		const { title } = task.draft;
		if (blocked) announce({ type: 'task_told', taskId: task.id, occurrenceId: id, title, what: 'blocked' });
	}
}

/** What its run says, or, where that is collected or gone on since, what its row does. */
function resultOf({ state, error }: StoredOccurrence, standing: Standing): Result {
	if (state === 'done' && standing.kind === 'done') return standing;
	if (state === 'failed' && standing.kind === 'failed') return standing;
	if (state === 'failed' && error) return { kind: 'failed', error, text: '', label: 'owner' };
	return { kind: 'done', text: '', label: 'owner' };
}

/** What can't be put there for good is said in the row; what may work later is thrown. */
async function placed(deliver: () => ReturnType<DeliverResult>): Promise<[Awaited<ReturnType<DeliverResult>>, ErrorShape?]> {
	try {
		return [await deliver()];
	} catch (error) {
		if (isFullDisk(error) || !(error instanceof HearthError)) throw error;
		return [undefined, toErrorShape(error)];
	}
}
