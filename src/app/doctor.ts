import { constants, existsSync } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { silentLogger } from '../base/logger.ts';
import type { ModelChoices } from '../contract/methods/models.ts';
import type { WorkStatus } from '../contract/methods/runs.ts';
import type { Check, DoctorReport } from '../contract/methods/system.ts';
import type { ProviderStatus, SandboxStatus, SecretStoreStatus } from '../contract/shapes.ts';
import type { StateDb } from '../db/open.ts';
import { displaced } from '../db/place.ts';
import { type ErrorShape, toErrorShape } from '../domain/errors.ts';
import { BUILTIN_PROVIDER_ID } from '../domain/model.ts';
import type { WorkflowSummary } from '../domain/workflow.ts';
import type { OpenAuditLog } from '../firewall/audit-log.ts';
import { auditBytes } from '../firewall/audit-store.ts';
import type { Memory } from '../memory/port.ts';
import type { ConfigStore } from './config.ts';
import { type ServerSeen, toolServersFinding } from './doctor-servers.ts';
import { collectVersions } from './doctor-versions.ts';
import { workFinding } from './doctor-work.ts';
import { sharedPlaceOf, sharedPlaceWarning } from './filesystem.ts';
import { freeBytesOf } from './health.ts';
import { isLocked } from './lock.ts';
import { openPolicyFile } from './policy-file.ts';
import type { ProfilePaths } from './profile-folder.ts';
import { readTicket, ticketFile } from './socket-address.ts';
import { folderBytes, storageReport } from './storage-report.ts';

const LOW_BYTES = 300 * 1024 * 1024;
const OUT_BYTES = 2 * 1024 * 1024;
const NEWEST_RECORDS = 1_000;

/** What there is to examine. Parts that could not be opened are absent; `startProblem` says why the runtime did not start. */
export interface DoctorSubject {
	readonly paths: ProfilePaths;
	readonly hostMode: DoctorReport['hostMode'];
	readonly shellVersions: Readonly<Record<string, string>>;
	readonly electronRuntime?: string | undefined;
	readonly startProblem?: ErrorShape;
	/** This process holds the profile's lock. */
	readonly ownsLock: boolean;
	readonly db?: StateDb;
	readonly audit?: Pick<OpenAuditLog, 'verify'>;
	readonly config?: ConfigStore;
	readonly socketAddress?: string | undefined;
	/** Why that door is closed. */
	readonly socketProblem?: ErrorShape | undefined;
	readonly secrets?: () => Promise<SecretStoreStatus>;
	readonly providers?: () => Promise<ProviderStatus[]>;
	readonly ignoredWorkflows?: () => Promise<readonly { readonly file: string; readonly why: string }[]>;
	readonly choices?: () => Promise<ModelChoices>;
	readonly memory?: Pick<Memory, 'verify' | 'status'>;
	readonly sandbox?: () => Promise<SandboxStatus>;
	readonly toolServers?: () => Promise<readonly ServerSeen[]>;
	readonly work?: () => WorkStatus;
	readonly workflows?: () => Promise<readonly Pick<WorkflowSummary, 'file' | 'name' | 'problems'>[]>;
}

type Finding = Pick<Check, 'state' | 'detail' | 'action'>;
const ok = (detail: string): Finding => ({ state: 'ok', detail });
const warning = (detail: string, action?: string): Finding => ({ state: 'warning', detail, action });
const failed = (detail: string, action?: string): Finding => ({ state: 'failed', detail, action });
const fromShape = (shape: ErrorShape, state: 'warning' | 'failed'): Finding => ({
	state,
	detail: [shape.message, shape.safe].filter(Boolean).join(' '),
	action: shape.action,
});

/** Looks at everything a profile needs and changes nothing. `fast` leaves out the network and the slow half of the database check. */
export async function examine(subject: DoctorSubject, fast: boolean): Promise<DoctorReport> {
	const { paths, db } = subject;
	const storage = db ? await storageReport(paths, db, fast ? 'quick' : 'full') : undefined;
	const checks: Check[] = [
		await check('profile', 'Profile folder', () => profileFolder(paths)),
		await check('folders', 'Folders inside it', () => folders(paths)),
		await check('lock', 'One owner', () => lock(subject)),
		await check('disk', 'Free space', () => disk(paths)),
		await check('filesystem', 'File system', () => filesystem(paths)),
		await check('state_db', 'Database', async () => database(subject, storage?.damage)),
		await check('audit', 'Audit log', () => audit(subject, fast)),
		await check('config', 'Settings', async () => config(subject)),
		await check('secrets', 'Keys', () => secrets(subject)),
		await check('models', 'Model for chat', () => models(subject, fast)),
		await check('memory', 'Memory', () => memory(subject)),
		await check('sandbox', 'Sandbox for commands', () => sandbox(subject)),
		await check('tool_servers', 'Tool servers', () => toolServers(subject)),
		await check('work', 'Work by itself', async () => workFinding(subject.work?.())),
		await check('workflows', 'Workflows', () => workflows(subject)),
		await check('socket', 'Door for the command line', () => socket(subject)),
	];
	return {
		ok: checks.every((one) => one.state !== 'failed'),
		checks,
		versions: collectVersions(subject.shellVersions),
		electronRuntime: subject.electronRuntime,
		hostMode: subject.hostMode,
		paths: { ...paths },
		sizes: storage?.sizes ?? { profile: await folderBytes(paths.folder) },
		schemaVersion: storage?.schemaVersion ?? 0,
	};
}

async function check(id: Check['id'], title: string, look: () => Promise<Finding>): Promise<Check> {
	try {
		return { id, title, ...(await look()) };
	} catch (error) {
		return { id, title, ...fromShape(toErrorShape(error), 'failed') };
	}
}

async function profileFolder(paths: ProfilePaths): Promise<Finding> {
	const info = await lstat(paths.folder).catch(() => undefined);
	if (!info) return failed(`${paths.folder} does not exist.`, 'Start Hearth once: it makes the folder.');
	const openToOthers = process.platform !== 'win32' && (info.mode & 0o077) !== 0;
	return openToOthers ? warning(`${paths.folder} can be read by other users.`, `Run: chmod 700 "${paths.folder}"`) : ok(paths.folder);
}

async function folders(paths: ProfilePaths): Promise<Finding> {
	const bad: string[] = [];
	for (const folder of [paths.folder, paths.attachments, paths.blobs, paths.workspace, paths.backups, paths.logs]) {
		if (
			!(await access(folder, constants.R_OK | constants.W_OK).then(
				() => true,
				() => false,
			))
		)
			bad.push(folder);
	}
	return bad.length > 0
		? failed(`Can’t be read and written: ${bad.join(', ')}.`, 'Give your user the right to read and write there.')
		: ok('All can be read and written.');
}

async function lock(subject: DoctorSubject): Promise<Finding> {
	if (subject.startProblem?.code === 'profile_locked') return fromShape(subject.startProblem, 'failed');
	if (subject.ownsLock) return ok(`Held by this Hearth (process ${process.pid}).`);
	return isLocked(subject.paths.lock) ? failed('Another process holds it.', 'Close the other Hearth.') : ok('Free.');
}

async function disk(paths: ProfilePaths): Promise<Finding> {
	const free = await freeBytesOf(paths.folder);
	const words = `${Math.floor(free / 1_000_000).toLocaleString('en')} MB free.`;
	if (free < OUT_BYTES) return failed(words, 'Free some space: until then nothing can be saved.');
	return free < LOW_BYTES ? warning(words, 'Free some space soon.') : ok(words);
}

async function filesystem(paths: ProfilePaths): Promise<Finding> {
	const shared = await sharedPlaceOf(paths.folder);
	return shared ? fromShape(sharedPlaceWarning(shared), 'warning') : ok('A local disk.');
}

function database(subject: DoctorSubject, damage: readonly string[] | undefined): Finding {
	const problem = subject.startProblem;
	if (problem?.code === 'profile_locked') return warning('Not looked at: another Hearth has it open.');
	if (problem) return fromShape(problem, 'failed');
	if (!subject.db || !damage) return failed('It is not open.');
	if (!subject.db.isInPlace()) return fromShape(displaced(subject.paths.stateDb).shape, 'failed');
	if (damage.length > 0)
		return failed(`Damaged: ${damage.join('; ')}`, 'Close Hearth and put back the newest file from the backups folder.');
	return ok(`Whole; schema ${subject.db.schemaVersion}.`);
}

/** S1. In the fast mode only the newest records and the end of the chain. */
async function audit({ audit: log, db }: DoctorSubject, fast: boolean): Promise<Finding> {
	if (!log) return warning('Not looked at: the runtime did not start.');
	const { whole, records, problem, breaks, forgotten, from } = await log.verify(fast ? { newest: NEWEST_RECORDS } : {});
	if (!whole) return failed(`The chain is broken. ${problem}`, 'Open Audit: what is in it was not repaired or hidden.');
	const size = from === undefined ? `${records} records` : `the newest ${records} records`;
	const gone = forgotten > 0 ? `; the details of ${forgotten} were forgotten, each accounted for` : '';
	const bytes = db ? `; the log takes about ${(auditBytes(db.read) / 1_000_000).toFixed(1)} MB` : '';
	if (breaks.length === 0) return ok(`The chain is whole: ${size}${gone}${bytes}.`);
	return warning(
		`Whole since record ${breaks.at(-1)}, which says that it had been broken before.`,
		`Run: hearth audit show ${breaks.at(-1)}`,
	);
}

function config(subject: DoctorSubject): Finding {
	const problem = subject.config?.problem();
	if (problem) return fromShape(problem, 'failed');
	const rules = openPolicyFile(subject.paths.policy, silentLogger, () => {}).problem();
	if (rules) return fromShape(rules, 'warning');
	if (subject.config && !existsSync(subject.paths.config)) return ok('The defaults are in force: there is no config.json yet.');
	return subject.config ? ok('config.json is in force.') : warning('Not looked at: the runtime did not start.');
}

async function secrets(subject: DoctorSubject): Promise<Finding> {
	const status = await subject.secrets?.();
	if (!status) return warning('Not looked at: the runtime did not start.');
	if (status.locked) return warning(status.explanation, 'Enter the passphrase in Settings, Keys.');
	return status.protected ? ok(status.explanation) : warning(status.explanation);
}

async function models(subject: DoctorSubject, fast: boolean): Promise<Finding> {
	const choices = await subject.choices?.();
	if (!choices) return warning('Not looked at: the runtime did not start.');
	const { providerId, modelId } = choices.chat;
	if (providerId === BUILTIN_PROVIDER_ID) return ok('The built-in responder (no model) answers.');
	if (fast) return ok(`${providerId}/${modelId}; not asked now.`);
	const status = (await subject.providers?.())?.find((one) => one.provider.id === providerId);
	if (!status) return failed(`The provider “${providerId}” is chosen, but no longer saved.`, 'Choose a model in Settings.');
	if (status.state !== 'ready') {
		return status.problem
			? fromShape(status.problem, 'failed')
			: failed(
					`${status.provider.name} is not ready (${status.state.replaceAll('_', ' ')}).`,
					'Start it, or choose another model in Settings.',
				);
	}
	// Some servers list no models, or not all that they serve.
	const listed = status.models.length === 0 || status.models.some((model) => model.id === modelId);
	return listed
		? ok(`${status.provider.name}: ${modelId}.`)
		: warning(`${status.provider.name} answers, but does not list ${modelId}.`, 'Choose a model in Settings.');
}

/** What Hearth makes good by itself is a warning; texts that need the owner, or that could be lost, are not. */
async function memory(subject: DoctorSubject): Promise<Finding> {
	if (!subject.memory) return warning('Not looked at: the runtime did not start.');
	const { files, entries, problems } = await subject.memory.verify();
	const index = subject.memory.status();
	const conflicts = problems.filter(({ kind }) => kind === 'conflict');
	if (conflicts.length > 0) {
		return warning(`${conflicts.length} texts could not be merged; both of each are kept.`, 'Open Memory and choose what holds.');
	}
	const [first] = problems;
	if (first) {
		const more = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
		return warning(`Files, ledger and index differ: ${first.file}: ${first.detail}${more}.`, 'Run: hearth memory verify');
	}
	const searched = index.state === 'ready' ? 'all can be found' : `${index.done} of ${index.total} can be found so far`;
	const meaning = index.model === null ? 'by words only' : `${index.embedded} also by meaning`;
	const size = `${entries} entries in ${files} files; ${searched}, ${meaning}.`;
	return index.problem ? warning(`${size} ${index.problem.message}`, index.problem.action) : ok(size);
}

async function sandbox(subject: DoctorSubject): Promise<Finding> {
	const status = await subject.sandbox?.();
	if (!status) return warning('Not looked at: the runtime did not start.');
	return status.kind === 'none' || !status.network ? warning(status.why, status.action) : ok(status.why);
}

async function toolServers(subject: DoctorSubject): Promise<Finding> {
	const views = await subject.toolServers?.();
	return views ? toolServersFinding(views) : warning('Not looked at: the runtime did not start.');
}

async function workflows({ workflows: list, ignoredWorkflows }: DoctorSubject): Promise<Finding> {
	const files = await list?.();
	const ignored = (await ignoredWorkflows?.()) ?? [];
	if (!files) return warning('Not looked at: the runtime did not start.');
	const bad = files.filter(({ problems }) => problems.length > 0);
	const told = [
		...(bad.length > 0 ? [`With problems: ${bad.map(({ file }) => file).join(', ')}.`] : []),
		...ignored.map(({ file, why }) => `Not taken: ${file}. ${why}`),
	];
	if (told.length === 0) return ok(`${files.length} files, none has problems.`);
	return warning(told.join(' '), bad[0] ? `Run: hearth workflows validate ${bad[0].name}` : 'Rename it.');
}

const REMADE = 'Hearth makes it anew within seconds.';

async function socket(subject: DoctorSubject): Promise<Finding> {
	if (subject.startProblem) return warning('Closed: the runtime did not start.');
	const address = subject.socketAddress;
	if (!address) {
		const why = subject.socketProblem?.message ?? '';
		return warning(
			`Closed: commands can’t reach this Hearth while it runs. ${why}`.trim(),
			'Hearth tries to open it again every few seconds.',
		);
	}
	const ticket = await readTicket(subject.paths.folder);
	if (ticket?.address !== address) return failed(`${ticketFile(subject.paths.folder)} is gone or is not this Hearth’s.`, REMADE);
	if (process.platform === 'win32') return ok(address);
	const info = await lstat(address).catch(() => undefined);
	if (!info?.isSocket()) return failed(`${address} is gone.`, REMADE);
	return (info.mode & 0o077) === 0 ? ok(address) : failed(`${address} can be opened by other users.`, `Run: chmod 600 "${address}"`);
}
