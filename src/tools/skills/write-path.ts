import type { Clock } from '../../base/clock.ts';
import { crashPoint } from '../../base/crash-point.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { sha256 } from '../../base/sha256.ts';
import type { WriteDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { ChangeId } from '../../domain/memory.ts';
import type { SkillChangeKind, SkillName, SkillReceipt } from '../../domain/skill.ts';
import { FileMoved, fileError, replaceDiskFile, sweepUnfinished } from '../workspace/disk.ts';
import { readSkillFile, type SkillOnDisk } from './disk.ts';
import { readSkill } from './format.ts';
import {
	type Approved,
	dropSkillChange,
	endSkillChange,
	findSkill,
	insertSkillChange,
	openSkillChanges,
	type SkillChange,
	saveSkill,
	skillChangeOfKey,
} from './skill-store.ts';

export interface SkillWritesDeps {
	readonly db: StateDb;
	/** `skills/`, absolute; made where it is missing. */
	readonly folder: string;
	readonly clock: Clock;
	readonly logger: Logger;
	/** In the transaction that says that it is done. */
	readonly made?: ((tx: WriteDb, change: SkillChange) => void) | undefined;
}

export interface SkillOrder {
	readonly name: SkillName;
	readonly key: string;
	readonly kind: SkillChangeKind;
	/** Hash of what has to lie there now; null: no file. */
	readonly expected: string | null;
	/** Null: the file goes. */
	readonly after: string | null;
	readonly approved: Approved | null;
}

/** The write path (R1, M3): intent with both texts → atomic file → what counts, and the intent done, in one transaction. */
export class SkillWrites {
	readonly #deps: SkillWritesDeps & { onChange(name: SkillName): void };
	readonly #sequencer = new Sequencer();

	constructor(deps: SkillWritesDeps & { onChange(name: SkillName): void }) {
		this.#deps = deps;
	}

	inTurn<T>(name: SkillName, work: () => Promise<T>): Promise<T> {
		return this.#sequencer.run(name, work);
	}

	/** In the skill's turn. What this key did before is its outcome again; what it had begun is brought to its end. */
	once(name: SkillName, key: string, work: () => Promise<SkillReceipt>): Promise<SkillReceipt> {
		return this.inTurn(name, async () => {
			const known = skillChangeOfKey(this.#deps.db.read, key);
			if (!known) return work();
			return receiptOf(known.status === 'intended' ? await this.#settleOne(known) : known, true);
		});
	}

	/** Throws `stale` where something else lies there than expected. */
	async make(order: SkillOrder): Promise<SkillReceipt> {
		const { name, key, kind, after, approved } = order;
		const there = await readSkillFile(this.#deps.folder, name);
		if ((there.file?.hash ?? null) !== order.expected) throw changedSince(name);
		const change: Omit<SkillChange, 'status'> = {
			id: newId<ChangeId>(),
			stepKey: key,
			name,
			kind,
			before: there.text ?? null,
			after,
			beforeApproved: findSkill(this.#deps.db.read, name)?.approved ?? null,
			afterApproved: approved,
			at: this.#deps.clock.now(),
		};
		this.#deps.db.write((tx) => insertSkillChange(tx, change));
		crashPoint('skill.intended');
		return receiptOf(await this.#carryOut({ ...change, status: 'intended' }, there), false);
	}

	async settle(): Promise<void> {
		for (const change of openSkillChanges(this.#deps.db.read)) {
			await this.inTurn(change.name, () => this.#settleOne(change)).catch((error: unknown) =>
				this.#deps.logger.warn('skill_change_not_made', { changeId: change.id, error }),
			);
		}
	}

	idle(): Promise<void> {
		return this.#sequencer.idle();
	}

	async #carryOut(change: SkillChange, { place, file }: SkillOnDisk): Promise<SkillChange> {
		const { name, after } = change;
		if ((file?.hash ?? null) !== hashOf(after)) {
			try {
				await replaceDiskFile(place, file, after === null ? null : Buffer.from(after, 'utf8'));
			} catch (error) {
				// What failed after the rename does not undo it.
				const now = await readSkillFile(this.#deps.folder, name).catch(() => undefined);
				if (!now || (now.file?.hash ?? null) !== hashOf(after)) throw this.#giveUp(change, error);
			}
			crashPoint('skill.written');
		}
		return this.#finish(change);
	}

	#finish(change: SkillChange): SkillChange {
		const { id, name, after, afterApproved } = change;
		this.#deps.db.write((tx) => {
			endSkillChange(tx, id);
			saveSkill(tx, { name, seenHash: hashOf(after), approved: afterApproved });
			this.#deps.made?.(tx, change);
		});
		crashPoint('skill.done');
		this.#deps.onChange(name);
		return { ...change, status: 'done' };
	}

	/** A change that was cut off: done, made now, or, where something else lies there, given up. */
	async #settleOne(change: SkillChange): Promise<SkillChange> {
		const there = await readSkillFile(this.#deps.folder, change.name);
		await sweepUnfinished(there.place);
		const hash = there.file?.hash ?? null;
		if (hash === hashOf(change.after)) return this.#finish(change);
		if (hash !== hashOf(change.before)) throw this.#giveUp(change, new FileMoved());
		return this.#carryOut(change, there);
	}

	#giveUp({ id, name }: SkillChange, cause: unknown): unknown {
		this.#deps.db.write((tx) => dropSkillChange(tx, id), { makesRoom: true });
		return cause instanceof FileMoved ? changedSince(name) : fileError({ path: `skills/${name}/SKILL.md` }, cause);
	}
}

/** Throws `invalid_input`. */
export function checkSkill(text: string, name: SkillName): void {
	const found = readSkill(text, name);
	if (!found.ok) throw terminal('invalid_input', `That is no skill: ${found.problem}`, { safe: 'Nothing was written.' });
}

export function hashOf(text: string | null): string | null {
	return text === null ? null : sha256(text);
}

function receiptOf({ id, name, kind }: SkillChange, repeated: boolean): SkillReceipt {
	return { outcome: 'skill', changeId: id, name, change: kind, repeated };
}

function changedSince(name: SkillName) {
	return needsOwner('stale', `The skill “${name}” is no longer what was shown.`, {
		safe: 'Nothing was changed.',
		action: 'Look at it again as it is now.',
	});
}
