import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { HeartbeatStatus } from '../contract/methods/heartbeat.ts';
import type { Settings } from '../contract/methods/profile.ts';
import type { WriteDb } from '../db/brands.ts';
import type { HeartbeatTick, SendQuestion, TickId, WatchedSourceId } from '../domain/heartbeat.ts';
import type { ProviderId, Timestamp } from '../domain/ids.ts';
import { type HeartbeatInterest, interestsOf } from '../model/triage/watch.ts';
import type { RunEngine } from '../run/engine.ts';
import type { Hold } from '../timer/holds.ts';
import type { Ticker } from '../timer/ticker.ts';
import { leaveFor, questionFor, type Recipient } from './consent.ts';
import { deleteConsent, listConsents, setConsent } from './consent-store.ts';
import { findingsDigest } from './digest-store.ts';
import { Looks, type LooksDeps } from './look.ts';
import { HELD } from './look-ends.ts';
import { clearProblem, findProblem } from './problem-store.ts';
import { noSource, nothingToWatch, notNow, stale, underWay } from './refusals.ts';
import { nextSlot } from './slots.ts';
import { getTick, insertTick, lastTick, listTicks, openTick, setByOwner, slotNow } from './tick-store.ts';

/** Timers of this kind have one `ref`. */
export const HEARTBEAT_TIMER = 'heartbeat';
const REF = 'look';

export interface HeartbeatDeps extends Omit<LooksDeps, 'hold' | 'engine'> {
	readonly engine: LooksDeps['engine'] & Pick<RunEngine, 'goOn'>;
	readonly settings: () => Pick<Settings, 'heartbeat' | 'heartbeatMinutes'>;
	readonly timers: Pick<Ticker, 'set' | 'clear' | 'slot'>;
	/** What keeps work of this kind from going on now; `waits`: it is told once that may have changed, by `freed`. */
	readonly hold: (how: { anyHour: boolean; waits: boolean }) => Hold | undefined;
	/** In the transaction of the owner's word on a provider; `allow` is absent where they took it back. */
	readonly consented: (tx: WriteDb, said: { providerId: ProviderId; host: string; allow?: boolean; shownHash?: string }) => void;
	/** Where HEARTBEAT.md lies. */
	readonly file: string;
	/** What would look, as it is set up now: nobody is asked. Undefined where it is not set up any more. */
	readonly recipient: () => Recipient | undefined;
}

/** When looks happen, and the owner's word on them. What happens in one is `Looks`. */
export class Heartbeat {
	readonly #deps: HeartbeatDeps;
	readonly #looks: Looks;
	#started = false;

	constructor(deps: HeartbeatDeps) {
		this.#deps = deps;
		this.#looks = new Looks({ ...deps, hold: (by) => deps.hold({ anyHour: by === 'owner', waits: true }) });
	}

	/** Once runs were recovered: a look that was under way goes on. Before timers are told. */
	start(): void {
		this.#started = true;
		this.settingsChanged();
		this.#looks.recover();
	}

	/** Its slot has come. One slot is claimed once, in the transaction that sets the next; where nothing is to be done it leaves no trace. */
	async due(): Promise<void> {
		const { db, clock, timers, settings, sources } = this.#deps;
		const slot = timers.slot(HEARTBEAT_TIMER, REF);
		if (slot === undefined) return;
		const idle = sources.count() === 0 || (await this.#interests()).length === 0;
		const id = newId<TickId>();
		const now = clock.now();
		const claimed = db.write((tx) => {
			timers.clear(tx, HEARTBEAT_TIMER, REF);
			const { heartbeat, heartbeatMinutes } = settings();
			if (!heartbeat) return false;
			this.#setSlot(nextSlot(slot, now, heartbeatMinutes), tx);
			if (idle || openTick(tx) || findProblem(tx)) return false;
			return insertTick(tx, { id, by: 'schedule', slot }, now);
		});
		if (claimed) this.#begun(id);
	}

	/** The owner looks now, whatever the hour, also where it is switched off. Throws `conflict` where it can't, and says why. */
	async run(only?: WatchedSourceId): Promise<HeartbeatTick> {
		const { db, clock, sources, engine, hold } = this.#deps;
		const held = hold({ anyHour: true, waits: false });
		if (held) throw notNow(held.why);
		if (only === undefined ? sources.count() === 0 : !sources.find(only)) throw noSource(only);
		if ((await this.#interests()).length === 0) throw nothingToWatch(this.#deps.file);
		const now = clock.now();
		const id = newId<TickId>();
		const taken = db.write((tx) => {
			clearProblem(tx);
			const open = openTick(tx);
			if (!open) return insertTick(tx, { id, by: 'owner', slot: slotNow(tx, now), only }, now) ? id : undefined;
			// One that would wait for its hour goes on now, as the owner's.
			if (open.by === 'owner' || only !== undefined || !hold({ anyHour: false, waits: false })) return undefined;
			setByOwner(tx, open.id, slotNow(tx, now));
			return open.id;
		});
		if (taken === undefined) throw underWay();
		this.#begun(taken);
		if (taken !== id) engine.goOn();
		return getTick(db.read, taken);
	}

	/** The next slot is now, where looks are switched on and nothing else keeps them from it. */
	soon(): void {
		const { db, clock, timers, settings } = this.#deps;
		if (!this.#started || !settings().heartbeat || openTick(db.read) || findProblem(db.read)) return;
		db.write((tx) => {
			timers.clear(tx, HEARTBEAT_TIMER, REF);
			this.#setSlot(clock.now(), tx);
		});
	}

	/** Switched on or off, or more often. */
	settingsChanged(): void {
		const { db, clock, timers, settings, announce } = this.#deps;
		if (!this.#started) return;
		const { heartbeat, heartbeatMinutes } = settings();
		const slot = timers.slot(HEARTBEAT_TIMER, REF);
		if (!heartbeat) {
			if (slot !== undefined) db.write((tx) => timers.clear(tx, HEARTBEAT_TIMER, REF));
			if (openTick(db.read)?.by === 'schedule') void this.stop();
		} else {
			const latest = clock.now() + heartbeatMinutes * 60_000;
			if (slot !== undefined && slot <= latest) return;
			db.write((tx) => {
				timers.clear(tx, HEARTBEAT_TIMER, REF);
				this.#setSlot(slot === undefined ? clock.now() : latest, tx);
			});
		}
		announce({ type: 'heartbeat_changed' });
	}

	/** Another model, another key: what stopped looks may be mended, and what was asked may be asked no more. */
	modelsChanged(): void {
		const { db, announce } = this.#deps;
		if (!this.#started) return;
		if (findProblem(db.read)) db.write(clearProblem);
		announce({ type: 'heartbeat_changed' });
		const last = lastTick(db.read)?.outcome;
		if (last === 'held' || last === 'failed') this.soon();
	}

	/** What was held by a pause, the hours or the budget may go on. */
	freed(): void {
		const last = lastTick(this.#deps.db.read);
		if (last?.outcome === 'held' && Object.values(HELD).includes(last.why ?? '')) this.soon();
	}

	/** Before the start, and where nothing is to be taken up, the look finds it later. */
	runEnded(run: Parameters<Looks['runEnded']>[0]): void {
		if (this.#started) this.#looks.runEnded(run);
	}

	/** Ends the look under way. What no run has considered to its end waits for the next. */
	stop(): Promise<void> {
		return this.#looks.stop();
	}

	/** Throws `stale` where something else is asked by now, or nothing. */
	async answer(shownHash: string, allow: boolean): Promise<HeartbeatStatus> {
		const { db, clock, announce, consented } = this.#deps;
		const asked = this.#question();
		if (asked?.shownHash !== shownHash) throw stale();
		const { providerId, host } = asked;
		db.write((tx) => {
			setConsent(tx, { providerId, host, allowed: allow, at: clock.now() }, shownHash);
			consented(tx, { providerId, host, allow, shownHash });
		});
		announce({ type: 'heartbeat_changed' });
		if (allow) await this.#goOnAfterYes();
		return this.status();
	}

	async withdrawConsent(providerId: ProviderId, host: string): Promise<HeartbeatStatus> {
		const { db, announce, consented } = this.#deps;
		db.write((tx) => {
			if (deleteConsent(tx, providerId, host)) consented(tx, { providerId, host });
		});
		announce({ type: 'heartbeat_changed' });
		return this.status();
	}

	/** After an error that stopped looks. */
	async goOn(): Promise<HeartbeatStatus> {
		const { db, announce } = this.#deps;
		db.write(clearProblem);
		announce({ type: 'heartbeat_changed' });
		this.soon();
		return this.status();
	}

	/** Throws `not_found`. */
	tick(id: TickId): HeartbeatTick {
		return getTick(this.#deps.db.read, id);
	}

	/** Newest first. */
	ticks(limit: number): HeartbeatTick[] {
		return listTicks(this.#deps.db.read, limit);
	}

	async status(): Promise<HeartbeatStatus> {
		const { db, clock, settings, sources, recipient } = this.#deps;
		const interests = await this.#interests();
		const to = recipient();
		const on = settings().heartbeat;
		const current = openTick(db.read);
		const last = lastTick(db.read);
		const problem = findProblem(db.read);
		const asks = this.#question();
		const refused = to !== undefined && leaveFor(db.read, to) === 'refused';
		const hold = this.#deps.hold({ anyHour: current?.by === 'owner', waits: false });
		const slot = on ? this.#deps.timers.slot(HEARTBEAT_TIMER, REF) : undefined;
		const held = problem
			? 'stopped'
			: sources.count() === 0
				? 'no_sources'
				: interests.length === 0
					? 'no_interests'
					: asks || refused
						? 'asks'
						: hold?.why;
		const nextAt = slot === undefined || hold?.why === 'paused' ? undefined : Math.max(slot, hold?.until ?? 0, clock.now());
		return {
			on,
			...(current && { current }),
			...(last && { last }),
			...(nextAt !== undefined && { nextAt }),
			...(held && { held }),
			...(problem && { problem }),
			...(asks && { asks }),
			consents: listConsents(db.read),
			model: {
				name: to?.provider.kind === 'builtin' ? to.provider.name : (to?.ref.modelId ?? ''),
				builtIn: to?.provider.kind === 'builtin',
			},
			file: this.#deps.file,
			interests,
			digest: findingsDigest(db.read, clock.now()),
		};
	}

	close(): Promise<void> {
		this.#started = false;
		return this.#looks.close();
	}

	#begun(id: TickId): void {
		crashPoint('heartbeat.claimed');
		this.#deps.announce({ type: 'heartbeat_changed' });
		void this.#looks.look(id);
	}

	/** A look that the owner asked for goes on, also where looks are switched off. */
	async #goOnAfterYes(): Promise<void> {
		const { db, logger } = this.#deps;
		const last = lastTick(db.read);
		if (last?.by !== 'owner' || last.outcome !== 'held') return this.soon();
		await this.run(last.only).catch((error: unknown) => logger.warn('look_not_begun', { error }));
	}

	#setSlot(dueAt: Timestamp, tx: Parameters<Ticker['set']>[0]): void {
		this.#deps.timers.set(tx, { kind: HEARTBEAT_TIMER, ref: REF, dueAt, work: 'heartbeat' });
	}

	async #interests(): Promise<HeartbeatInterest[]> {
		return interestsOf(await this.#deps.heartbeat());
	}

	/** What the owner is asked now: only where there is something to send. */
	#question(): SendQuestion | undefined {
		const { db, sources, recipient } = this.#deps;
		const to = recipient();
		if (!to || leaveFor(db.read, to) !== 'asks') return undefined;
		const waiting = sources.waiting();
		return waiting.items === 0 ? undefined : questionFor(to, waiting);
	}
}
