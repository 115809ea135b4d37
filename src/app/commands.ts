import type { Clock } from '../base/clock.ts';
import type { ContentFiles } from '../base/content-files.ts';
import type { StateDb } from '../db/open.ts';
import type { RunId } from '../domain/ids.ts';
import type { AuditLog } from '../firewall/ports.ts';
import type { FirewallDoor } from '../run/gate-port.ts';
import type { Tool } from '../tools/port.ts';
import { runCommandTool } from '../tools/run-command.ts';
import { RunningCommands } from '../tools/running-commands.ts';
import type { Sandbox } from '../tools/sandbox/port.ts';
import { createCommandFiles } from '../tools/workspace/command-files.ts';
import { unseenSince } from '../tools/workspace/content-labels.ts';
import type { Meetings } from '../tools/workspace/meetings.ts';
import { auditFiles } from './audited.ts';
import type { OwnerDoors } from './owner-doors.ts';
import type { ProfilePaths } from './profile-folder.ts';

export interface CommandsDeps {
	readonly db: StateDb;
	readonly paths: Pick<ProfilePaths, 'workspace'>;
	readonly clock: Clock;
	readonly audit: AuditLog;
	readonly firewall: Pick<FirewallDoor, 'law'>;
	readonly sandbox: Sandbox;
	readonly doors: Pick<OwnerDoors, 'withoutSandbox'>;
	readonly blobs: ContentFiles;
	readonly meetings: Meetings;
}

export interface Commands {
	readonly tool: Tool;
	/** Ends one command; its run goes on. Throws `not_found`. */
	stop(runId: RunId, callId: string): void;
}

/** Commands of the agent, in this profile's workspace. */
export function createCommands({ db, paths, clock, audit, firewall, sandbox, doors, blobs, meetings }: CommandsDeps): Commands {
	const workspace = paths.workspace;
	const running = new RunningCommands();
	const isMine = (): boolean =>
		firewall
			.law()
			.permissions.some(
				({ terms: { scope, job }, createdAt }) =>
					scope.kind === 'folder' &&
					scope.mine &&
					scope.path === workspace &&
					job.kind === 'any' &&
					createdAt > (unseenSince(db.read) ?? Number.NEGATIVE_INFINITY),
			);
	const files = createCommandFiles({ db, folder: workspace, blobs, clock, meetings, isMine, changed: auditFiles(audit) });
	return {
		tool: runCommandTool({ sandbox, files, workspace, running, audit, withoutSandbox: doors.withoutSandbox, clock }),
		stop: (runId, callId) => running.stop(runId, callId),
	};
}
