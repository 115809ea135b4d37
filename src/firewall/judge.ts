import type { Timestamp } from '../domain/ids.ts';
import type { Inspection } from '../domain/inspection.ts';
import { LABELS, type Label } from '../domain/label.ts';
import type { Permission, PermissionId } from '../domain/permission.ts';
import type { RunKind } from '../domain/run.ts';
import type { Touch } from '../domain/sink.ts';
import type { EffectClass } from '../domain/tool.ts';
import { floorOf } from './floor.ts';
import { isInForce, type JobNames, permits } from './permission.ts';
import { isStricter, type PolicyRule, type Verdict, waits } from './policy-rule.ts';
import { isInScope } from './rule-scope.ts';

/**
 * The judge, pure: what a call would touch, what its step had seen, the rules and the permissions in; a verdict out. A verdict at a label is
 * the strictest over all labels up to it, so that more taint never loosens, whatever the rules say (B2).
 */

export interface Crossing {
	readonly tool: string;
	readonly effect: EffectClass;
	/** The join over everything that the step could see. */
	readonly label: Label;
	readonly work: RunKind;
	readonly job: JobNames;
	/** Addresses in the owner's own words of this turn, as a URL writes them. */
	readonly addresses?: ReadonlySet<string> | undefined;
	/** Of the arguments. */
	readonly inspection?: Inspection | undefined;
}

export interface Law {
	readonly rules: readonly PolicyRule[];
	readonly permissions: readonly Permission[];
	readonly now: Timestamp;
}

export interface Decision {
	readonly verdict: Verdict;
	readonly rule: string;
	readonly reason: string;
	readonly touch?: Touch | undefined;
	/** The permission that let it through. */
	readonly permissionId?: PermissionId | undefined;
}

/** Each touch, judged by itself: the call gets the strictest of them. A call that touches nothing is judged by its effect. */
export function judge(law: Law, crossing: Crossing, touches: readonly Touch[]): { decision: Decision; each: Decision[] } {
	const each = touches.length === 0 ? [judgeTouch(law, crossing, undefined)] : touches.map((touch) => judgeTouch(law, crossing, touch));
	return { decision: strictest(each), each };
}

export function judgeTouch(law: Law, crossing: Crossing, touch: Touch | undefined): Decision {
	const upTo = LABELS.slice(0, LABELS.indexOf(crossing.label) + 1);
	// The own label last: of equals, its reason is told.
	const raises = touch !== undefined && isRaised(touch, crossing.inspection) ? [false, true] : [false];
	return strictest(raises.flatMap((raised) => upTo.map((label) => ({ ...judgeAt(law, { ...crossing, label }, touch, raised), touch }))));
}

/** The last of the strictest. */
function strictest(decisions: readonly Decision[]): Decision {
	return decisions.reduce((worst, next) => (isStricter(worst.verdict, next.verdict) ? worst : next));
}

function judgeAt(law: Law, crossing: Crossing, touch: Touch | undefined, raised: boolean): Decision {
	const name = raised ? undefined : naming(law, crossing, touch);
	const named = name !== undefined;
	const rule = law.rules.find((candidate) => fits(candidate, crossing, touch, named));
	const ruled: Decision = rule
		? { verdict: asFits(rule.verdict, touch), rule: rule.id, reason: rule.reason }
		: { verdict: 'deny', rule: 'no_rule', reason: 'No rule allows it.' };
	const floor = floorOf(touch, { effect: crossing.effect, label: crossing.label, named, raised });
	// Of equals, what the detectors found is the better reason to give.
	if (floor && (isStricter(floor.verdict, ruled.verdict) || (raised && floor.verdict === ruled.verdict))) return floor;
	const permissionId = ruled.verdict === 'allow' ? name?.id : undefined;
	return permissionId === undefined ? ruled : { ...ruled, permissionId };
}

/** Held is what waits as a proposal; of other sinks the owner is asked. */
function asFits(verdict: Verdict, touch: Touch | undefined): Verdict {
	return verdict === 'hold' && !waits(touch?.sink ?? 'none') ? 'ask' : verdict;
}

/** What names a touch: a permission in force, or the owner's own words of this turn. Memory, messages and the like can't be named. */
function naming(law: Law, { tool, label, job, addresses }: Crossing, touch: Touch | undefined): { id?: PermissionId } | undefined {
	if (!touch) return undefined;
	const permission = law.permissions.find(
		({ terms, ...of }) => isInForce({ terms, ...of }, law.now) && permits(terms, { touch, label, tool, job }),
	);
	if (permission) return { id: permission.id };
	const said = touch.sink === 'network' && touch.method === 'GET' && label !== 'external' && addresses?.has(asUrl(touch.url)) === true;
	return said ? {} : undefined;
}

function asUrl(address: string): string {
	return URL.canParse(address) ? new URL(address).href : address;
}

/**
 * Detectors only add: they turn an allow into a question. Where text leaves, or will be read as memory, whatever they rate high counts; in a
 * file only what nobody could see in it.
 */
function isRaised(touch: Touch, inspection: Inspection | undefined): boolean {
	if (inspection?.risk !== 'high') return false;
	if (touch.sink !== 'file') return true;
	return touch.access === 'write' && inspection.flags.some(({ kind }) => kind === 'hidden_text' || kind === 'bidi_control');
}

function fits(rule: PolicyRule, { tool, effect, label, work }: Crossing, touch: Touch | undefined, named: boolean): boolean {
	if (!rule.sinks.includes(touch?.sink ?? 'none')) return false;
	if (rule.labels && !rule.labels.includes(label)) return false;
	if (rule.named !== undefined && rule.named !== named) return false;
	if (rule.tools && !rule.tools.some((pattern) => isNamed(pattern, tool))) return false;
	if (rule.jobs && !rule.jobs.includes(work)) return false;
	if (rule.effects && !rule.effects.includes(effect)) return false;
	if (rule.access !== undefined && !(touch?.sink === 'file' && touch.access === rule.access)) return false;
	if (rule.sandboxed !== undefined && !(touch?.sink === 'shell' && touch.sandboxed === rule.sandboxed)) return false;
	if (rule.network !== undefined && !(touch?.sink === 'shell' && touch.hosts.length > 0 === rule.network)) return false;
	return isInScope(rule, touch);
}

function isNamed(pattern: string, tool: string): boolean {
	return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}
