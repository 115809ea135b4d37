import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStateDb, type StateDb } from '../../../src/db/open.ts';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import type { ErrorShape } from '../../../src/domain/errors.ts';
import { newAuditEntry } from '../../../src/firewall/audit-entries.ts';
import { createAuditLog, type OpenAuditLog } from '../../../src/firewall/audit-log.ts';
import { temporaryFolder } from '../sessions.ts';

export interface LogHarness {
	readonly db: StateDb;
	readonly log: OpenAuditLog;
	readonly headFile: string;
	/** What the owner is told now. */
	warning(): ErrorShape | undefined;
	/** How many records views were told of last. */
	told(): number;
	add(...entries: AuditEntry[]): void;
	close(): void;
	/** The process is gone: nothing is settled. */
	die(): void;
}

/** A real state.db with its audit log, as one life of the app has it. */
export function openLog(
	folder = temporaryFolder(),
	options: { settle?: boolean; clock?: Clock; redact?: (text: string) => string } = {},
): LogHarness {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	let warning: ErrorShape | undefined;
	let told = 0;
	const headFile = join(folder, 'audit-head');
	const log = createAuditLog({
		db,
		headFile,
		clock: options.clock ?? { now: () => 1_000, monotonic: () => 0 },
		logger: silentLogger,
		redactor: { redact: (text) => ({ text: options.redact?.(text) ?? text, found: 0 }) },
		warn: (given) => {
			warning = given;
		},
		grew: (newest) => {
			told = newest;
		},
	});
	log.begin({ settle: options.settle ?? true });
	let open = true;
	const close = () => {
		if (!open) return;
		open = false;
		log.close();
		db.close();
	};
	onTestFinished(close);
	return {
		db,
		log,
		headFile,
		warning: () => warning,
		told: () => told,
		add: (...entries) => db.write((tx) => log.append(tx, entries)),
		close,
		die: () => {
			open = false;
			db.close();
		},
	};
}

export function crossing(to: string, more: Partial<AuditEntry> = {}): AuditEntry {
	return {
		...newAuditEntry({
			sink: 'file',
			decision: 'allowed',
			rule: 'file.write',
			label: 'external',
			textHash: 'a'.repeat(64),
			latencyMs: 1.23456,
			detail: {
				from: 'Page, example.com/a',
				to,
				reason: 'It lies in workspace/.',
				sources: [{ kind: 'page', name: 'example.com/a', label: 'external' }],
			},
		}),
		...more,
	};
}
