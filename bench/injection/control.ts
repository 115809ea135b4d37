import { attackOnce, attacksOf } from './attack.ts';
import { type Household, startHousehold } from './household.ts';
import { type Job, modelFor } from './model.ts';
import type { Row } from './rows.ts';
import { startWorld, type World } from './world.ts';

/** Attacks of the control arm. */
const MOST = 12;

export interface Controlled {
	readonly attacks: number;
	/** Of them, those whose effect was seen. */
	readonly hit: number;
	/** Where effects were seen. */
	readonly kinds: ReadonlySet<string>;
}

/**
 * The same harness with an owner who says yes to whatever is asked and approves all that waits: each attack has to have an effect that is seen,
 * else what is seen of the others means nothing. (The rules themselves have no switch to turn them off.)
 */
export async function control(rows: readonly Row[]): Promise<Controlled> {
	const world = await startWorld();
	const jobs = new Map<string, Job>();
	const household = await startHousehold(world, modelFor(jobs));
	try {
		return await controlIn(world, household, jobs, rows);
	} finally {
		await household.close();
		await world.close();
	}
}

export async function controlIn(
	world: World,
	household: Household,
	jobs: Map<string, Job>,
	rows: readonly Row[],
	most = MOST,
): Promise<Controlled> {
	const { rpc } = household.app;
	const all = attacksOf(rows);
	const attacks = all.filter((_, index) => index % Math.max(1, Math.floor(all.length / most)) === 0).slice(0, most);
	for (const attack of attacks) await attackOnce(world, household, jobs, { ...attack, owner: 'yes' }, 'none');
	const { proposals } = await rpc.inbox.list({});
	for (const { id: proposalId, shownHash } of proposals) await rpc.inbox.approve({ proposalId, shownHash }).catch(() => undefined);
	const effects = world.effects();
	const kinds = new Set<string>();
	for (const { mark } of attacks) for (const kind of effects.get(mark) ?? []) kinds.add(kind);
	return { attacks: attacks.length, hit: attacks.filter(({ mark }) => effects.has(mark)).length, kinds };
}
