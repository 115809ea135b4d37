import type { DoctorReport } from '../contract/methods/system.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Sandbox } from '../tools/sandbox/port.ts';
import type { Agent } from './agent.ts';
import type { AppOptions } from './app-options.ts';
import { type DoctorSubject, examine } from './doctor.ts';
import type { Doors } from './doors.ts';
import type { ServerParts } from './servers.ts';
import type { Work } from './work.ts';

export interface DoctorParts extends Required<Pick<DoctorSubject, 'paths' | 'db' | 'audit' | 'config' | 'memory'>> {
	readonly options: Pick<AppOptions, 'hostMode' | 'shellVersions' | 'electronRuntime'>;
	/** Made after the doctor. */
	readonly entrances: () => Pick<Doors, 'socketAddress' | 'socketProblem'>;
	readonly secrets: Pick<SecretStore, 'status'>;
	readonly agent: Pick<Agent, 'providers' | 'choices' | 'handlers'>;
	readonly sandbox: Pick<Sandbox, 'status'>;
	readonly toolServers: Pick<ServerParts, 'handlers'>;
	readonly work: Pick<Work, 'status'>;
}

/** `hearth doctor` from within the runtime, which holds the profile. */
export function createDoctor(parts: DoctorParts): (fast: boolean) => Promise<DoctorReport> {
	const { options, entrances, secrets, agent, sandbox, toolServers, work, paths, db, audit, config, memory } = parts;
	return (fast) =>
		examine(
			{
				paths,
				hostMode: options.hostMode,
				shellVersions: options.shellVersions ?? {},
				electronRuntime: options.electronRuntime,
				ownsLock: true,
				db,
				audit,
				config,
				socketAddress: entrances().socketAddress(),
				socketProblem: entrances().socketProblem(),
				secrets: () => secrets.status(),
				providers: () => agent.providers(),
				choices: () => agent.choices(),
				memory,
				sandbox: () => sandbox.status(),
				toolServers: async () => (await toolServers.handlers.list(undefined, {})).servers,
				work: () => work.status(),
				workflows: () => agent.handlers.workflows.list(undefined, {}),
				ignoredWorkflows: () => agent.handlers.workflows.ignored(undefined, {}),
			},
			fast,
		);
}
