import { crashPoint } from '../../base/crash-point.ts';
import type { Logger } from '../../base/logger.ts';
import type { ReadDb } from '../../db/brands.ts';
import { asStorageError } from '../../db/errors.ts';
import { type ErrorShape, toErrorShape } from '../../domain/errors.ts';
import { compare } from './catch-up.ts';
import { createIndexFile, IN_MEMORY, isDamage, openIndexFile, removeIndexFile, replaceIndexFile } from './index-file.ts';
import { IndexStore } from './index-store.ts';
import { countLedger, ledgerKeys, ledgerUnits } from './ledger-units.ts';

/** Changed entries that are indexed before `indexChanged` returns; more of them would make a save wait. */
const AT_ONCE = 200;
const BATCH = 200;
const COPIED_VECTORS = 2000;
const RETRY_MS = 10_000;

interface KeeperDeps {
	readonly file: string;
	readonly read: ReadDb;
	readonly logger: Logger;
	readonly changed: () => void;
}

/**
 * Owns index.db: opens it, brings it to what the ledger has, and builds it anew in a shadow file where it is missing, damaged or asked for
 * (dur-5). While a damaged one is replaced, search answers from the shadow as far as it is built.
 */
export class IndexKeeper {
	readonly #deps: KeeperDeps;
	readonly #shadowFile: string;
	#store: IndexStore;
	/** Rowids to be brought to what the ledger has. */
	readonly #pending = new Set<number>();
	#work: Promise<void> | undefined;
	#rebuilding: Promise<void> | undefined;
	/** While a shadow is built: what changed meanwhile, for it to be told. */
	#meanwhile: Set<number> | undefined;
	/** And which texts were forgotten. */
	#purged: string[] | undefined;
	#mustCompare = false;
	#expected = 0;
	#problem: ErrorShape | undefined;
	#retry: ReturnType<typeof setTimeout> | undefined;
	#closed = false;
	/** Why the file could not even be opened, such as a folder of its name. Then the index is in memory. */
	#unopened: unknown;

	constructor(deps: KeeperDeps) {
		this.#deps = deps;
		this.#shadowFile = `${deps.file}.new`;
		let found: IndexStore | undefined;
		try {
			found = this.#open();
		} catch (error) {
			// Memory and chats are not kept from opening by what can be made anew.
			this.#unopened = error;
		}
		this.#store = found ?? this.#empty();
	}

	get store(): IndexStore {
		return this.#store;
	}

	/** Begins to build where there was no index. */
	start(): void {
		if (this.#unopened !== undefined) {
			this.failed(this.#unopened);
			this.catchUp();
		} else if (this.#store.file === IN_MEMORY) void this.rebuild('missing');
	}

	status(): { state: 'ready' | 'indexing' | 'rebuilding'; total: number; done: number; waiting: number; problem: ErrorShape | undefined } {
		const { done, waiting } = this.#store.counts();
		const state = this.#meanwhile ? 'rebuilding' : this.isIdle() ? 'ready' : 'indexing';
		const total = Math.max(done, state === 'ready' ? done : this.#expected);
		return { state, total, done, waiting, problem: this.#problem };
	}

	isIdle(): boolean {
		return (
			!this.#work && !this.#rebuilding && (this.#closed || (this.#pending.size === 0 && !this.#mustCompare) || this.#problem !== undefined)
		);
	}

	async idle(): Promise<void> {
		while (this.#work !== undefined || this.#rebuilding !== undefined) await (this.#rebuilding ?? this.#work);
	}

	catchUp(): void {
		this.#mustCompare = true;
		this.#begin();
	}

	indexChanged(rowids: readonly number[]): void {
		for (const id of rowids) {
			this.#pending.add(id);
			this.#meanwhile?.add(id);
		}
		if (this.#pending.size <= AT_ONCE && this.#work === undefined) this.#guarded(() => this.#applyBatch());
		else this.#expected = countLedger(this.#deps.read);
		this.#begin();
		this.#deps.changed();
	}

	purge(hashes: readonly string[]): void {
		this.#store.purge(hashes);
		// The shadow may hold them already.
		this.#purged?.push(...hashes);
		this.#deps.changed();
	}

	/** Units whose vectors are of another model wait for new ones. */
	matchModel(name: string | undefined): void {
		const model = this.#store.model();
		if (name === undefined || !model || model.name === name) return;
		this.#guarded(() => this.#store.detachModel());
	}

	/** Whether the file is still the one that was opened; builds a new one where it is not. */
	checkPlace(): void {
		if (this.#rebuilding === undefined && !this.#store.isInPlace()) void this.rebuild('displaced');
	}

	/** An error of the index. True: it was damage, and a new one is being built. */
	failed(error: unknown): boolean {
		if (this.#closed) return false;
		if (isDamage(error)) {
			if (this.#rebuilding === undefined) void this.rebuild('damaged');
			return true;
		}
		this.#deps.logger.error('memory_index_failed', { error });
		this.#problem = toErrorShape(asStorageError(error));
		clearTimeout(this.#retry);
		this.#retry = setTimeout(() => this.catchUp(), RETRY_MS);
		this.#retry.unref();
		this.#deps.changed();
		return false;
	}

	rebuild(why: 'asked' | 'missing' | 'damaged' | 'displaced'): Promise<void> {
		this.#rebuilding ??= this.#build(why)
			.catch((error: unknown) => {
				this.failed(error);
				throw error;
			})
			.finally(() => {
				this.#rebuilding = undefined;
				this.#meanwhile = undefined;
				this.#purged = undefined;
				this.#begin();
				this.#deps.changed();
			});
		// Who asked for it gets the failure; otherwise the status tells it.
		if (why !== 'asked') this.#rebuilding.catch(() => undefined);
		return this.#rebuilding;
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#retry);
		await Promise.allSettled([this.#work, this.#rebuilding]);
		this.#store.close();
	}

	async #build(why: string): Promise<void> {
		const { file, read, logger } = this.#deps;
		const old = this.#store;
		// One that is of no use is replaced at once: the words found so far are better than none.
		const isUsable = why === 'asked';
		const shadow = new IndexStore(createIndexFile(this.#shadowFile), this.#shadowFile);
		logger.info('memory_index_rebuilding', { why });
		this.#meanwhile = new Set();
		this.#purged = [];
		this.#expected = countLedger(read);
		if (!isUsable) {
			old.close();
			this.#store = shadow;
		}
		this.#deps.changed();
		let swapping = false;
		try {
			await this.#fill(shadow, isUsable ? old : undefined);
			if (this.#closed) return;
			shadow.emptyLog();
			crashPoint('index.rebuilt');
			swapping = true;
			shadow.close();
			old.close();
			replaceIndexFile(this.#shadowFile, file);
			this.#store = this.#open() ?? this.#empty();
			this.#problem = undefined;
			logger.info('memory_index_rebuilt', { entries: this.#store.counts().done });
		} catch (error) {
			if (swapping) {
				// Neither the old nor the new one is open any more.
				this.#store = this.#empty();
				this.#mustCompare = true;
				removeIndexFile(this.#shadowFile);
			} else if (this.#store !== shadow) {
				shadow.close();
				removeIndexFile(this.#shadowFile);
			}
			throw error;
		}
	}

	async #fill(shadow: IndexStore, old: IndexStore | undefined): Promise<void> {
		const { read } = this.#deps;
		for (let from: number | undefined = 0; old && from !== undefined && !this.#closed; ) {
			from = shadow.copyVectors(old, from, COPIED_VECTORS);
			await breath();
		}
		for (let after = 0; !this.#closed; ) {
			const ids = ledgerKeys(read, after, BATCH).map(({ id }) => id);
			if (ids.length === 0) break;
			shadow.apply(ids, ledgerUnits(read, ids));
			after = ids.at(-1) as number;
			this.#deps.changed();
			await breath();
		}
		// Synchronous from here to the swap: nothing changes in between.
		const late = [...(this.#meanwhile ?? [])];
		shadow.apply(late, ledgerUnits(read, late));
		if (this.#purged && this.#purged.length > 0) shadow.purge(this.#purged);
	}

	#begin(): void {
		if (this.#work !== undefined || this.#rebuilding !== undefined || this.#closed) return;
		if (this.#pending.size === 0 && !this.#mustCompare) return;
		this.#work = this.#workOff()
			.catch((error: unknown) => {
				this.failed(error);
			})
			.finally(() => {
				this.#work = undefined;
				this.#deps.changed();
			});
	}

	async #workOff(): Promise<void> {
		while (!this.#closed && this.#rebuilding === undefined) {
			if (this.#mustCompare) await this.#compareAll();
			if (this.#pending.size === 0) break;
			this.#applyBatch();
			this.#deps.changed();
			await breath();
		}
		this.#problem = undefined;
	}

	async #compareAll(): Promise<void> {
		this.#mustCompare = false;
		for (const { missing, ghosts } of compare(this.#deps.read, this.#store)) {
			for (const id of [...missing, ...ghosts]) this.#pending.add(id);
			this.#expected = this.#store.counts().done + missing.length;
			await breath();
			if (this.#closed || this.#rebuilding !== undefined) return;
		}
		this.#store.sweep();
	}

	#applyBatch(): void {
		const ids = [...this.#pending].slice(0, BATCH);
		if (ids.length === 0) return;
		this.#store.apply(ids, ledgerUnits(this.#deps.read, ids));
		for (const id of ids) this.#pending.delete(id);
		crashPoint('memory.indexed');
	}

	#guarded(act: () => void): void {
		try {
			act();
		} catch (error) {
			this.failed(error);
		}
	}

	#open(): IndexStore | undefined {
		const db = openIndexFile(this.#deps.file);
		try {
			return db && new IndexStore(db, this.#deps.file);
		} catch (error) {
			db?.close();
			if (!isDamage(error)) throw error;
			return undefined;
		}
	}

	/** Stands in until the shadow is there. */
	#empty(): IndexStore {
		return new IndexStore(createIndexFile(IN_MEMORY), IN_MEMORY);
	}
}

/** Lets everything else that waits have its turn. */
function breath(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
