import { dirname } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Disposables } from '../base/dispose.ts';
import { createLogger, type FileLogger } from '../base/logger.ts';
import type { InboxCounts } from '../contract/methods/memory.ts';
import { openStateDb } from '../db/open.ts';
import { Reserve } from '../db/reserve.ts';
import { networkCall } from '../firewall/audit-entries.ts';
import { createAuditLog } from '../firewall/audit-log.ts';
import type { Redactor } from '../firewall/ports.ts';
import { redactionSalt } from '../firewall/redaction-store.ts';
import { createGuardedFetch, type RequestRecord } from '../net/guarded-fetch.ts';
import { createSecretStore } from '../secrets/secret-store.ts';
import type { AppOptions } from './app-options.ts';
import { createProfileBackups } from './backup/profile-backups.ts';
import { sweepUnfinishedRestores } from './backup/restore.ts';
import { keepBackups } from './backups.ts';
import { openConfig } from './config.ts';
import { sharedPlaceOf, sharedPlaceWarning } from './filesystem.ts';
import { keepHealth } from './health.ts';
import { sweepDeletedProfiles, sweepUnfinishedWrites } from './leftovers.ts';
import { createLive } from './live.ts';
import { acquireLock } from './lock.ts';
import { withInboxCounts } from './memory.ts';
import { prepareProfileFolder, profilePaths } from './profile-folder.ts';
import { learningStore, learnSettings, startRedactor } from './redaction.ts';
import { withTasks } from './tasks.ts';

/** What belongs to it and is made later. */
interface Later {
	counts(): InboxCounts;
	tasks: Parameters<typeof withTasks>[1];
	secretsChanged(): void;
}

/**
 * What all parts of the runtime stand on: the profile's folder, owned by it alone, its log, settings and database, secrets, the audit log, live
 * events, the way out to the network. Rejects as `createApp` does.
 */
export async function openGround(options: AppOptions, disposables: Disposables, later: Later) {
	const clock = options.clock ?? systemClock;
	const paths = profilePaths(options.profileFolder);
	const home = dirname(dirname(paths.folder));
	const startedAt = Date.now();
	await prepareProfileFolder(paths);
	const lock = acquireLock(paths.lock);
	disposables.add(() => lock.release());

	const settingsFiles = [paths.config, paths.policy];
	const redactor = startRedactor(process.env, settingsFiles);
	const logger = options.logger ?? ownLogger(paths.logs, redactor, disposables);
	// Beside the start, which need not wait: what a crash left is out of the way of everything.
	const swept = Promise.all([
		sweepDeletedProfiles(home, logger),
		sweepUnfinishedRestores(home, startedAt, logger),
		sweepUnfinishedWrites(paths.folder, startedAt, logger),
	]);
	disposables.add(async () => void (await swept));
	const config = openConfig({ file: paths.config, clock, logger });
	disposables.add(() => config.close());
	const shared = await sharedPlaceOf(paths.folder);
	const reserve = new Reserve(paths.reserve);
	const exclusive = shared?.kind === 'network';
	const db = openStateDb({ file: paths.stateDb, backupsFolder: paths.backups, logger, clock, exclusive, reserve });
	disposables.add(() => db.close());
	redactor.maskWith(redactionSalt(db.read));
	const archives = createProfileBackups({ db, paths, clock, logger, redactor });
	disposables.add(() => archives.close());
	const backups = keepBackups({ db, folder: paths.folder, clock, logger, archives });
	disposables.add(() => backups.close());

	const stream = createLive({ clock });
	disposables.add(() => stream.close());
	const live = withTasks(withInboxCounts(stream, later.counts), later.tasks);
	const health = keepHealth({ db, folder: paths.folder, reserve, announce: live.announce, logger });
	disposables.add(() => health.close());
	disposables.add(config.onWriteFailed(health.report));
	if (shared) health.warn('filesystem', sharedPlaceWarning(shared));
	const configChanged = (): void => {
		health.warn('config', config.problem());
		learnSettings(redactor, settingsFiles);
		logger.keepDays?.(config.get().settings.logDays);
	};
	configChanged();
	disposables.add(
		config.onChange(() => {
			configChanged();
			live.announce({ type: 'config_changed' });
		}),
	);
	const store = createSecretStore({
		profileFolder: paths.folder,
		cipher: options.keychain,
		onChange: () => {
			live.announce({ type: 'secrets_changed' });
			later.secretsChanged();
		},
		now: () => clock.now(),
	});
	if (options.passphrase !== undefined && (await store.status()).locked) await store.unlock(options.passphrase);
	const secrets = learningStore(store, redactor);

	const audit = createAuditLog({
		db,
		headFile: paths.auditHead,
		clock,
		logger,
		redactor,
		warn: (warning) => health.warn('audit', warning),
		grew: (records) => live.announce({ type: 'audit_grew', records }),
	});
	disposables.add(() => audit.close());
	audit.begin({ settle: options.takeUpRuns ?? true });
	const onRequest = (record: RequestRecord): void => {
		logger.info('http_call', { ...record });
		void audit.record([networkCall(record)], { soon: record.purpose === 'source' });
	};
	const fetch = createGuardedFetch({ clock, onRequest });
	return { clock, paths, home, redactor, logger, config, db, archives, live, health, secrets, audit, onRequest, fetch };
}

function ownLogger(folder: string, redactor: Redactor, disposables: Disposables): FileLogger {
	const logger = createLogger({ folder, level: 'info', days: 14, redact: (line) => redactor.redact(line).text });
	disposables.add(() => logger.close());
	return logger;
}
