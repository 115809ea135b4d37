import { mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isBelow } from '../../base/below.ts';
import type { Logger } from '../../base/logger.ts';
import { systemCode } from '../../base/system-code.ts';
import { terminal } from '../../domain/errors.ts';
import { bubblewrapCommand, insideEnvironment, insideOf, type LinuxHost } from './bubblewrap.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { lookAtLinux, Missing } from './linux-host.ts';
import { plainEnvironment } from './plain-environment.ts';
import type { Launch, LaunchSpec, RunningProgram, Sandbox, SandboxLimits, SandboxNetwork, SandboxStatus } from './port.ts';
import { explainRefusal, tryOut } from './probe.ts';
import { startProgram } from './running.ts';
import { type MacHost, macEnvironment, SANDBOX_EXEC, seatbeltProfile } from './seatbelt.ts';
import { findToolchains } from './toolchains.ts';

const FOLDER = 'hearth-sandbox-';

export interface SandboxDeps {
	/** What no program sees but the folders that it is given: Hearth's home and the profile's folder. */
	readonly hidden: readonly string[];
	/** Of it, the one folder that may be given: the workspace. */
	readonly workspace: string;
	/** Opens a way out to these hosts at a socket with this path. */
	readonly openProxy: (socketPath: string, network: Extract<SandboxNetwork, { kind: 'hosts' }>) => Promise<{ close(): Promise<void> }>;
	readonly logger: Logger;
	/** Where bubblewrap is looked for, in place of the PATH; tests only. */
	readonly path?: string | undefined;
}

type Found =
	| { readonly status: SandboxStatus & { kind: 'bubblewrap' }; readonly host: LinuxHost; readonly folder: string }
	| { readonly status: SandboxStatus & { kind: 'seatbelt' }; readonly host: Omit<MacHost, 'temporary'>; readonly folder: string }
	| { readonly status: SandboxStatus & { kind: 'none' } };

export function createSandbox(deps: SandboxDeps): Sandbox {
	return new SystemSandbox(deps);
}

class SystemSandbox implements Sandbox {
	readonly #deps: SandboxDeps;
	readonly #running = new Set<RunningProgram>();
	readonly #launched = new Set<Launch>();
	readonly #path: string;
	#found: Promise<Found> | undefined;

	constructor(deps: SandboxDeps) {
		this.#deps = deps;
		// A program that was started from a desktop may have hardly any.
		this.#path = deps.path ?? [process.env.PATH ?? '', '/usr/bin', '/bin', '/usr/local/bin'].join(delimiter);
	}

	async status(): Promise<SandboxStatus> {
		return (await this.#find()).status;
	}

	async launch(spec: LaunchSpec): Promise<Launch> {
		for (const { path } of spec.folders) await mustBeFolder(path);
		const found = await this.#find();
		const launch = await (spec.sandboxed === false || !('host' in found) ? plainLaunch(spec) : this.#confined(found, spec));
		this.#launched.add(launch);
		return {
			...launch,
			dispose: async () => {
				if (this.#launched.delete(launch)) await launch.dispose();
			},
		};
	}

	async start(spec: LaunchSpec): Promise<RunningProgram> {
		const launch = await this.launch(spec);
		const limits = { ...DEFAULT_LIMITS, ...spec.limits };
		const folder = spec.folders[0]?.path ?? spec.cwd;
		const program = await startProgram(launch, { limits, folder });
		this.#running.add(program);
		void program.ended.then(() => this.#running.delete(program));
		return program;
	}

	async close(): Promise<void> {
		await Promise.all([...this.#running].map((program) => program.kill()));
		await Promise.all([...this.#launched].map((launch) => launch.dispose()));
		const found = await this.#found;
		if (found && 'folder' in found) await rm(found.folder, { recursive: true, force: true });
	}

	#find(): Promise<Found> {
		this.#found ??= this.#look().catch((error: unknown): Found => {
			this.#deps.logger.warn('sandbox_not_found', { error });
			const action = error instanceof Missing ? error.action : undefined;
			const why = error instanceof Missing ? error.message : 'A sandbox could not be made here.';
			return {
				status: {
					kind: 'none',
					why: `${why} A command would run with all your rights, so each one asks you.`,
					...(action && { action }),
					network: false,
				},
			};
		});
		return this.#found;
	}

	async #look(): Promise<Found> {
		const { hidden } = this.#deps;
		if (process.platform !== 'linux' && process.platform !== 'darwin')
			throw new Missing('Hearth has no sandbox for this system.', 'Say yes only to commands that you understand.');
		const temporary = await realpath(tmpdir());
		void sweepLeftovers(temporary);
		const folder = await mkdtemp(join(temporary, `${FOLDER}${process.pid}-`));
		try {
			if (process.platform === 'darwin') {
				const home = await realpath(homedir());
				const toolchains = await findToolchains(this.#path, home);
				const host = { home, toolchains, hidden: await Promise.all(hidden.map((one) => realpath(one).catch(() => one))) };
				const status = { kind: 'seatbelt' as const, why: 'Commands run in macOS’s own sandbox.', network: false };
				const found: Found = { status, host, folder };
				await tryOut((spec) => this.#confined(found, spec), folder, hidden);
				return found;
			}
			const host = await lookAtLinux(folder, hidden, this.#path);
			const why = `Commands run in bubblewrap${host.socat === undefined ? ', without any network, because socat is not installed' : ''}.`;
			const status = {
				kind: 'bubblewrap' as const,
				why,
				...(host.socat === undefined && { action: 'Install socat, then restart Hearth, to let commands reach hosts that you name.' }),
				network: host.socat !== undefined,
			};
			const works = async (found: Extract<Found, { host: unknown }>): Promise<Found> => {
				await tryOut((spec) => this.#confined(found, spec), folder, hidden);
				return found;
			};
			// Some systems let it make a room, but not forbid rooms within it.
			const milder = { ...host, options: new Set([...host.options].filter((option) => option !== '--disable-userns')) };
			return await works({ status, host, folder }).catch((error: unknown) =>
				works({ status, host: milder, folder }).catch(() => Promise.reject(error)),
			);
		} catch (error) {
			await rm(folder, { recursive: true, force: true });
			throw await explainRefusal(error);
		}
	}

	async #confined(found: Extract<Found, { host: unknown }>, given: LaunchSpec): Promise<Launch> {
		const spec = await withoutLinks(given);
		await this.#mustBeGivable(spec, found.host.hidden);
		const limits: SandboxLimits = { ...DEFAULT_LIMITS, ...spec.limits };
		if (spec.network.kind === 'hosts' && !found.status.network)
			throw terminal('network_denied', `A command can’t reach any host here. ${found.status.why}`, {
				safe: 'Nothing was run.',
				action: found.status.action,
			});
		const temporary = await mkdtemp(join(found.folder, 'run-'));
		const undo = () => rm(temporary, { recursive: true, force: true });
		try {
			if (found.status.kind === 'seatbelt') {
				const host: MacHost = { ...(found.host as Omit<MacHost, 'temporary'>), temporary };
				const args = ['-p', seatbeltProfile(host, spec), '/bin/sh', '-c', macScript(spec, limits), 'sh', spec.file, ...spec.args];
				return { file: SANDBOX_EXEC, args, env: macEnvironment(host, spec), cwd: spec.cwd, sandboxed: true, dispose: undo };
			}
			const host = found.host as LinuxHost;
			const proxySocket = spec.network.kind === 'hosts' ? join(temporary, 'proxy.sock') : undefined;
			const proxy =
				proxySocket !== undefined && spec.network.kind === 'hosts' ? await this.#deps.openProxy(proxySocket, spec.network) : undefined;
			const launch = { spec, limits, proxySocket };
			return {
				...bubblewrapCommand(host, launch),
				env: { ...insideEnvironment(host, launch), PWD: insideOf(spec, spec.cwd) },
				cwd: '/',
				sandboxed: true,
				dispose: async () => {
					await proxy?.close();
					await undo();
				},
			};
		} catch (error) {
			await undo();
			throw error;
		}
	}

	/** Of Hearth's own folder only the workspace. */
	async #mustBeGivable({ folders }: LaunchSpec, hidden: readonly string[]): Promise<void> {
		const workspace = await realpath(this.#deps.workspace).catch(() => this.#deps.workspace);
		const own = folders.find(({ path }) => hidden.some((one) => isBelow(one, path)) && !isBelow(workspace, path));
		if (own) throw terminal('tool_denied', `${own.path} is Hearth’s own: no program is shown it.`, { safe: 'Nothing was run.' });
	}
}

async function withoutLinks(spec: LaunchSpec): Promise<LaunchSpec> {
	const folders = await Promise.all(spec.folders.map(async (one) => ({ ...one, path: await realpath(one.path) })));
	return { ...spec, folders, cwd: await realpath(spec.cwd) };
}

/** Folders of processes that are gone: one that was killed leaves its own. */
async function sweepLeftovers(temporary: string): Promise<void> {
	const names = await readdir(temporary).catch(() => []);
	for (const name of names) {
		const pid = name.startsWith(FOLDER) ? Number.parseInt(name.slice(FOLDER.length), 10) : Number.NaN;
		if (Number.isNaN(pid) || isRunning(pid)) continue;
		await rm(join(temporary, name), { recursive: true, force: true }).catch(() => undefined);
	}
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return systemCode(error) === 'EPERM';
	}
}

async function plainLaunch(spec: LaunchSpec): Promise<Launch> {
	const merged = spec.mergeOutput && process.platform !== 'win32';
	return {
		file: merged ? '/bin/sh' : spec.file,
		args: merged ? ['-c', 'exec "$@" 2>&1', 'sh', spec.file, ...spec.args] : [...spec.args],
		env: { ...plainEnvironment(), ...spec.env },
		cwd: spec.cwd,
		sandboxed: false,
		dispose: async () => undefined,
	};
}

/** What the shell of macOS can limit; memory it can't. */
function macScript(spec: LaunchSpec, limits: SandboxLimits): string {
	const set = (letter: string, value: number): string[] => (Number.isFinite(value) ? [`ulimit -${letter} ${Math.ceil(value)}`] : []);
	return [
		...(spec.mergeOutput ? ['exec 2>&1'] : []),
		'ulimit -c 0',
		...set('t', limits.cpuSeconds),
		...set('f', limits.fileBytes / 512),
		...set('n', limits.openFiles),
		'exec "$@"',
	].join('\n');
}

async function mustBeFolder(path: string): Promise<void> {
	const found = await stat(path).catch(() => undefined);
	if (!found?.isDirectory()) throw terminal('not_found', `There is no folder ${path}, so nothing was run.`);
}
