import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { sha256 } from '../../base/sha256.ts';
import { terminal } from '../../domain/errors.ts';
import type { Provenance } from '../../domain/memory.ts';
import type { Proposal } from '../../domain/proposal.ts';
import { type Skill, SkillName } from '../../domain/skill.ts';
import { namesBeside, problemOf, readSkillFile, removeEmptyFolder, skillFolders, skillTextNow, stampOf } from './disk.ts';
import { readSkill } from './format.ts';
import type { OfferedSkill, SkillEffects, SkillOperation, Skills, WholeSkill } from './port.ts';
import {
	allSkills,
	findSkill,
	findSkillChange,
	keptSkillText,
	lastSkillChange,
	OWNERS_KEY,
	saveSeen,
	skillChangeOfKey,
} from './skill-store.ts';
import { checkSkill, hashOf, SkillWrites, type SkillWritesDeps } from './write-path.ts';

export interface SkillsDeps extends SkillWritesDeps {
	readonly logger: Logger;
	/** What lies there waits for the owner; the same `stepKey` never twice. */
	hold(found: { operation: SkillOperation; provenance: Provenance; stepKey: string }): void;
	/** Proposals about this skill that wait. */
	waiting(name: SkillName): Proposal[];
	onChange(names: readonly SkillName[]): void;
}

interface Seen {
	readonly stamp: string | undefined;
	readonly hash: string | null;
	readonly description: string;
	readonly problem: string | undefined;
}

/** Skills of a profile: procedures in `skills/`, of which a model sees only those whose exact bytes the owner approved. */
export function createSkills(deps: SkillsDeps): Skills {
	const { db, folder, clock, logger } = deps;
	const writes = new SkillWrites({ ...deps, onChange: (name) => changed([name]) });
	/** By what the disk said last: it is read again only where it says something else. */
	const seen = new Map<SkillName, Seen>();

	function changed(names: readonly SkillName[]): void {
		for (const name of names) seen.delete(name);
		deps.onChange(names);
	}

	/** Takes in what lies there now. Bytes that nobody approved wait in the Inbox from here on. */
	async function look(): Promise<string[]> {
		const { names, ignored } = await skillFolders(folder);
		const gone = allSkills(db.read).flatMap((row) => (row.seenHash !== null && !names.includes(row.name) ? [row.name] : []));
		const others: SkillName[] = [];
		for (const name of [...names, ...gone]) {
			const isOther = await writes.inTurn(name, () => lookAt(name));
			if (isOther) others.push(name);
		}
		if (others.length > 0) deps.onChange(others);
		return ignored;
	}

	async function lookAt(name: SkillName): Promise<boolean> {
		const stamp = await stampOf(folder, name);
		const before = seen.get(name);
		if (before && before.stamp === stamp) return false;
		const now = await readSeen(name, stamp);
		const row = findSkill(db.read, name);
		const isOther = (row?.seenHash ?? null) !== now.hash;
		if (isOther) db.write((tx) => saveSeen(tx, name, now.hash));
		seen.set(name, now);
		if (now.hash !== null && now.problem === undefined && row?.approved?.hash !== now.hash) await holdFound(name, now.hash);
		return isOther;
	}

	async function readSeen(name: SkillName, stamp: string | undefined): Promise<Seen> {
		if (stamp === undefined) return { stamp, hash: null, description: '', problem: undefined };
		try {
			const { file, text } = await readSkillFile(folder, name);
			if (!file) return { stamp, hash: null, description: '', problem: undefined };
			const found = text === undefined ? { ok: false as const, problem: 'It is not text in UTF-8.' } : readSkill(text, name);
			return {
				stamp,
				hash: file.hash,
				description: found.ok ? found.skill.description : '',
				problem: found.ok ? undefined : found.problem,
			};
		} catch (error) {
			return { stamp, hash: sha256(`unreadable ${stamp}`), description: '', problem: problemOf(error) };
		}
	}

	async function holdFound(name: SkillName, hash: string): Promise<void> {
		const { text } = await readSkillFile(folder, name);
		if (text === undefined || sha256(text) !== hash) return;
		if (deps.waiting(name).some(({ operation }) => operation.kind === 'skill' && operation.found && operation.text === text)) return;
		const approved = findSkill(db.read, name)?.approved?.hash;
		const before = approved === undefined ? null : keptSkillText(db.read, name, (kept) => sha256(kept) === approved);
		deps.hold({
			operation: { kind: 'skill', name, before, text, found: true },
			provenance: {
				author: 'unknown',
				label: 'external',
				origin: 'external',
				sources: [{ kind: 'file', path: `skills/${name}/SKILL.md`, hash, quote: '' }],
				at: clock.now(),
			},
			stepKey: `skill:${name}:${hash}:${lastSkillChange(db.read, name)}`,
		});
	}

	async function list(): Promise<{ skills: Skill[]; ignored: string[] }> {
		const ignored = await look();
		const skills: Skill[] = [];
		for (const [name, found] of [...seen].sort(([left], [right]) => (left < right ? -1 : 1)))
			if (found.hash !== null) skills.push(await skillOf(name, found, found.hash));
		return { skills, ignored };
	}

	async function skillOf(name: SkillName, { description, problem }: Seen, hash: string): Promise<Skill> {
		const approved = findSkill(db.read, name)?.approved;
		const isApproved = approved?.hash === hash && problem === undefined;
		const waits = deps.waiting(name).some(({ operation }) => operation.kind === 'skill' && operation.found);
		return {
			name,
			description,
			state: problem !== undefined ? 'broken' : isApproved ? 'usable' : waits ? 'waits' : 'refused',
			...(problem !== undefined && { problem }),
			hash,
			label: isApproved ? approved.label : 'external',
			...(isApproved && { provenance: approved.provenance, approvedAt: approved.at }),
			otherFiles: (await namesBeside(folder, name)).length,
		};
	}

	async function offered(): Promise<OfferedSkill[]> {
		await look();
		return [...seen]
			.flatMap(([name, { hash, description, problem }]) => {
				const approved = hash === null || problem !== undefined ? undefined : findSkill(db.read, name)?.approved;
				return approved && approved.hash === hash ? [{ name, description, label: approved.label, hash: approved.hash }] : [];
			})
			.sort((left, right) => (left.name < right.name ? -1 : 1));
	}

	async function read(given: string): Promise<WholeSkill> {
		const name = SkillName.safeParse(given);
		const there = name.success ? await readSkillFile(folder, name.data) : undefined;
		if (!name.success || !there?.file) throw notThere(given);
		const approved = findSkill(db.read, name.data)?.approved;
		const found = there.text === undefined ? undefined : readSkill(there.text, name.data);
		// These very bytes: what was written since the look is not what the owner approved.
		if (!found?.ok || there.text === undefined || approved?.hash !== there.file.hash)
			throw terminal('tool_denied', `The owner has not approved the skill “${name.data}” as it is now, so it can’t be used.`, {
				action: 'Go on without it, and say that it waits in the inbox.',
			});
		return {
			name: name.data,
			description: found.skill.description,
			label: approved.label,
			hash: approved.hash,
			text: there.text,
			otherFiles: (await namesBeside(folder, name.data)).length,
		};
	}

	const effects: SkillEffects = {
		apply: (operation, text, { key, provenance }) =>
			writes.once(operation.name, key, async () => {
				const whole = text === operation.text || text.endsWith('\n') ? text : `${text}\n`;
				checkSkill(whole, operation.name);
				const isAsIs = operation.found && whole === operation.text;
				return writes.make({
					name: operation.name,
					key,
					kind: isAsIs ? 'allowed' : 'written',
					expected: hashOf(operation.found ? operation.text : operation.before),
					after: whole,
					approved: {
						hash: sha256(whole),
						label: provenance.author === 'owner' ? 'owner' : 'approved',
						provenance,
						at: clock.now(),
					},
				});
			}),
		undo: (changeId, { key }) => undo(changeId, key),
		isUnderWay: (key) => skillChangeOfKey(db.read, key)?.status === 'intended',
		textNow: (name) => skillTextNow(folder, name),
	};

	function undo(changeId: Parameters<SkillEffects['undo']>[0], key: string) {
		const change = findSkillChange(db.read, changeId);
		if (change?.status !== 'done') throw terminal('not_found', 'That change of a skill is not there any more.');
		return writes.once(change.name, key, async () => {
			const receipt = await writes.make({
				name: change.name,
				key,
				kind: 'taken_back',
				expected: hashOf(change.after),
				after: change.before,
				approved: change.beforeApproved,
			});
			if (change.before === null) await removeEmptyFolder(folder, change.name);
			return receipt;
		});
	}

	return {
		offered,
		read,
		text: async (name) => (await readSkillFile(folder, name)).text ?? null,
		list,
		get: async (name) => {
			await look();
			const found = seen.get(name);
			if (!found || found.hash === null) throw notThere(name);
			const text = found.problem === undefined ? (await readSkillFile(folder, name)).text : undefined;
			return { skill: await skillOf(name, found, found.hash), text: text ?? '' };
		},
		write: (name, text, baseHash) => {
			checkSkill(text, name);
			const provenance: Provenance = { author: 'owner', label: 'owner', origin: 'owner', sources: [], at: clock.now() };
			const approved = { hash: sha256(text), label: 'owner' as const, provenance, at: clock.now() };
			const key = ownersKey();
			return writes.once(name, key, () => writes.make({ name, key, kind: 'written', expected: baseHash, after: text, approved }));
		},
		remove: (name, hash) => {
			const key = ownersKey();
			return writes.once(name, key, async () => {
				const receipt = await writes.make({ name, key, kind: 'removed', expected: hash, after: null, approved: null });
				await removeEmptyFolder(folder, name);
				return receipt;
			});
		},
		undo: async (changeId) => undo(changeId, ownersKey()),
		effects,
		settle: async () => {
			await writes.settle();
			await look().catch((error: unknown) => logger.error('skills_not_looked_at', { error }));
		},
		idle: () => writes.idle(),
	};
}

/** Of what no proposal stands behind. */
function ownersKey(): string {
	return `${OWNERS_KEY}${newId()}`;
}

function notThere(name: string) {
	return terminal('not_found', `There is no skill named “${name.slice(0, 80)}”.`);
}
