import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openConfig } from '../../src/app/config.ts';
import { findingPorts, wakeSnoozed } from '../../src/app/finding-ports.ts';
import { createLive } from '../../src/app/live.ts';
import { createMemoryParts, type MemoryParts, withInboxCounts } from '../../src/app/memory.ts';
import { profilePaths } from '../../src/app/profile-folder.ts';
import type { HoldRequest } from '../../src/approvals/proposal-port.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { LiveEvent } from '../../src/contract/events.ts';
import type { StateDb } from '../../src/db/open.ts';
import type { RunId } from '../../src/domain/ids.ts';
import type { Label } from '../../src/domain/label.ts';
import { type MemoryEntry, MemoryPath, type Provenance } from '../../src/domain/memory.ts';
import type { ProposalOperation } from '../../src/domain/proposal.ts';
import { appendRecords } from '../../src/firewall/audit-store.ts';
import { createRedactor } from '../../src/firewall/redact.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import { createSecretStore } from '../../src/secrets/secret-store.ts';
import { createReminders, type Reminders } from '../../src/tools/reminders/reminders.ts';
import { openIn } from './storage/folders.ts';
import { timersLife } from './timers.ts';

export const MEMORY = MemoryPath.parse('MEMORY.md');

export interface OpenParts extends MemoryParts {
	readonly db: StateDb;
	readonly reminders: Reminders;
	/** All that was announced, oldest first. */
	readonly events: LiveEvent[];
	/** The one entry that says this. */
	entry(text: string): MemoryEntry;
}

/** Memory, its ledger and what waits for it, as the app puts them together over this folder; found by words only. */
export async function openParts(folder: string, clock: Clock = systemClock): Promise<OpenParts> {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'config.json'), '{"version":1,"embedding":{"kind":"off"}}');
	const db = openIn(folder);
	const config = openConfig({ file: join(folder, 'config.json'), clock, logger: silentLogger });
	const secrets = createSecretStore({ profileFolder: folder, onChange: () => undefined, now: Date.now });
	const events: LiveEvent[] = [];
	const stream = { ...createLive({ clock }), announce: (event: LiveEvent) => void events.push(event) };
	const live = withInboxCounts(stream, () => parts.proposals.decisions.counts());
	const forget = () => {
		throw new Error('nothing is forgotten here');
	};
	const noSkills = () => Promise.reject(new Error('there are no skills here'));
	const { background } = timersLife(db, clock);
	const { timers } = background;
	const reminders = createReminders({
		db,
		clock,
		slot: () => undefined,
		onChange: () => events.push({ type: 'reminders_changed' }),
		onDue: () => undefined,
	});
	const parts = createMemoryParts({
		redactor: createRedactor(Buffer.alloc(32)),
		db,
		paths: profilePaths(folder),
		config,
		secrets,
		live,
		logger: silentLogger,
		clock,
		fetch: createGuardedFetch(),
		audit: { append: (tx, entries) => appendRecords(tx, entries, Date.now()), record: async () => undefined },
		embedded: () => undefined,
		asLeft: false,
		forget,
		reminders: () => reminders,
		findings: findingPorts(() => ({ timers })),
		skills: () => ({ apply: noSkills, undo: noSkills, isUnderWay: () => false, textNow: () => null }),
	});
	onTestFinished(async () => {
		await parts.close();
		await config.close();
	});
	wakeSnoozed({ onDue: (kind, listener) => timers.onDue(kind, listener) }, parts.proposals.woken);
	await parts.ready;
	timers.start();
	const entry = (text: string): MemoryEntry => {
		const [found, ...more] = parts.memory.entries({}, { offset: 0, limit: 1000 }).entries.filter((one) => one.text === text);
		if (!found || more.length > 0) throw new Error(`${found ? more.length + 1 : 0} entries say “${text}”`);
		return found;
	};
	const close = async (): Promise<void> => {
		background.close();
		await parts.close();
	};
	return { ...parts, close, db, reminders, events, entry };
}

/** What the agent made of a web page. */
export function fromOutside(origin: Label = 'external'): Provenance {
	const quote = 'The bin is emptied on Tuesdays';
	const source = {
		kind: 'url',
		url: 'https://town.example/bins',
		fetchedAt: 1,
		fetchedHash: 'f'.repeat(64),
		quote,
		start: 0,
		end: 30,
	} as const;
	return { author: 'agent', label: origin, origin, sources: [source], modelName: 'm', reason: 'The owner asked when.', at: 1 };
}

export function toHold(operation: ProposalOperation, more: Partial<HoldRequest> = {}): HoldRequest {
	const provenance = fromOutside(more.label);
	return { operation, provenance, label: 'external', rule: 'memory_from_outside', reason: 'It has read a page.', ...more };
}

export function append(text: string, headingPath: string[] = []): ProposalOperation {
	return { kind: 'append', file: MEMORY, headingPath, text };
}

export const RUN = 'run-1' as RunId;
