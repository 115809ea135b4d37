import type { z } from 'zod';
import { create } from 'zustand';
import type { InboxCounts, IndexStatus } from '../../src/contract/methods/memory.ts';
import type { WorkStatus } from '../../src/contract/methods/runs.ts';
import type { Hello } from '../../src/contract/methods/system.ts';
import type { Health } from '../../src/contract/shapes.ts';
import type { RuntimeStatus } from '../../src/contract/shell.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';

/** `offline`: the connection broke and is tried again at `retryAt`. `refused`: trying again would not help. */
export type Link =
	| { readonly state: 'connecting' }
	| { readonly state: 'online' }
	| { readonly state: 'offline'; readonly since: number; readonly attempt: number; readonly retryAt: number }
	| { readonly state: 'refused'; readonly error: ErrorShape };

interface ConnectionState {
	readonly link: Link;
	readonly hello: z.infer<typeof Hello> | null;
	readonly health: Health | null;
	/** What the shell says of the runtime process; null in a browser. */
	readonly runtime: RuntimeStatus | null;
	/** How memory's index stands, where that was said since the last snapshot. */
	readonly index: IndexStatus | null;
	/** How much waits for the owner; null until the runtime said so. */
	readonly inbox: InboxCounts | null;
	/** How work that goes on by itself stands; null until the runtime said so. */
	readonly work: WorkStatus | null;
	/**
	 * Grows when models, settings, secrets, memory, what runs wait for, workflow files or the audit log changed, so that screens ask for them again; `runs` with each
	 * snapshot: how a run stands is told by itself.
	 */
	readonly revision: {
		readonly models: number;
		readonly config: number;
		readonly secrets: number;
		readonly memory: number;
		/** What runs wait for. */
		readonly actions: number;
		readonly workflows: number;
		readonly runs: number;
		readonly audit: number;
		readonly servers: number;
		readonly permissions: number;
		readonly skills: number;
		readonly reminders: number;
		readonly sources: number;
		readonly heartbeat: number;
		readonly tasks: number;
	};
}

export const useConnection = create<ConnectionState>()(() => ({
	link: { state: 'connecting' },
	hello: null,
	health: null,
	runtime: null,
	index: null,
	inbox: null,
	work: null,
	revision: {
		models: 0,
		config: 0,
		secrets: 0,
		memory: 0,
		actions: 0,
		workflows: 0,
		runs: 0,
		audit: 0,
		servers: 0,
		skills: 0,
		reminders: 0,
		permissions: 0,
		sources: 0,
		heartbeat: 0,
		tasks: 0,
	},
}));

export function setLink(link: Link): void {
	useConnection.setState({ link });
}
