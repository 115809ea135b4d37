import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { createGuardedConnect } from '../net/guarded-connect.ts';
import type { NetOptions } from '../net/guarded-fetch.ts';
import { openHostProxy } from '../net/proxy.ts';
import type { Sandbox } from '../tools/sandbox/port.ts';
import { createSandbox } from '../tools/sandbox/sandbox.ts';
import type { ProfilePaths } from './profile-folder.ts';

export interface AppSandboxDeps {
	readonly paths: Pick<ProfilePaths, 'folder' | 'workspace'>;
	/** Of all profiles. */
	readonly home: string;
	readonly logger: Logger;
	readonly clock: Clock;
	readonly onRequest: NonNullable<NetOptions['onRequest']>;
	/** Where bubblewrap is looked for, in place of the PATH; tests only. */
	readonly path?: string | undefined;
}

/** The sandbox of this profile: no program in it sees anything of Hearth's own, and what it reaches over the network is written down. */
export function createAppSandbox({ paths, home, logger, clock, onRequest, path }: AppSandboxDeps): Sandbox {
	const connect = createGuardedConnect({ clock, onRequest });
	return createSandbox({
		hidden: [...new Set([home, paths.folder])],
		workspace: paths.workspace,
		openProxy: (socketPath, { hosts, ownerNamed, by }) => openHostProxy({ socketPath, hosts, ownerNamed, by }, connect),
		logger,
		path,
	});
}
