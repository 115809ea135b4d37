import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ContentFiles } from '../../../src/base/content-files.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { StateDb } from '../../../src/db/open.ts';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import type { Label } from '../../../src/domain/label.ts';
import type { Touch } from '../../../src/domain/sink.ts';
import type { Tool, ToolContext, ToolOutput } from '../../../src/tools/port.ts';
import { createWorkspaceFiles } from '../../../src/tools/workspace/files.ts';
import type { ChangedByStep, Grant, WorkspaceChange, WorkspaceFiles } from '../../../src/tools/workspace/port.ts';
import { workspaceTools } from '../../../src/tools/workspace/tools.ts';
import { freedesktopTrash } from '../../../src/tools/workspace/trash.ts';
import { openIn, temporaryFolder } from '../storage/folders.ts';

export const RUN = 'run-1' as RunId;

export interface WorkspaceHarness {
	/** Of the profile. */
	readonly folder: string;
	readonly db: StateDb;
	readonly blobs: ContentFiles;
	readonly files: WorkspaceFiles;
	/** Absolute path below workspace/. */
	at(path: string): string;
	/** The text of a file, undefined where there is none. */
	text(path: string): string | undefined;
	/** Writes as another program does; folders that are missing are made. */
	edit(path: string, content: string | Uint8Array): void;
	/** All files below workspace/ by path. */
	all(): Record<string, string>;
	/** All rows of the ledger, oldest first. */
	rows(): Pick<WorkspaceChange, 'path' | 'status' | 'before' | 'after' | 'label'>[];
	call(tool: string, args: Record<string, unknown>, context?: Partial<ToolContext>): Promise<ToolOutput>;
	/** What the gate would judge the call by. */
	touches(tool: string, args: Record<string, unknown>): Promise<readonly Touch[]>;
}

/** The files of a profile's workspace, as the app puts them together over this folder; closed with the test. */
export function openWorkspace(folder = temporaryFolder(), grants: readonly Grant[] = []): WorkspaceHarness {
	return createHarness(folder, openIn(folder), grants);
}

export function createHarness(folder: string, db: StateDb, grants: readonly Grant[] = []): WorkspaceHarness {
	const blobs = new ContentFiles(join(folder, 'blobs'));
	const clock = { now: () => Date.now(), monotonic: () => performance.now() };
	const workspace = join(folder, 'workspace');
	const files = createWorkspaceFiles({ db, folder: workspace, hearth: folder, blobs, clock, logger: silentLogger });
	mkdirSync(workspace, { recursive: true });
	const tools = new Map<string, Tool>(
		workspaceTools({ files, granted: () => grants, trash: freedesktopTrash(join(folder, 'Trash')) }).map((tool) => [tool.name, tool]),
	);
	const at = (path: string) => join(workspace, path);
	const all = () => Object.fromEntries(filesIn(workspace).map((path) => [path.slice(workspace.length + 1), readFileSync(path, 'utf8')]));
	let calls = 0;
	return {
		folder,
		db,
		blobs,
		files,
		at,
		all,
		text: (path) => all()[path],
		edit: (path, content) => {
			mkdirSync(dirname(at(path)), { recursive: true });
			writeFileSync(at(path), content);
		},
		rows: () =>
			db.read
				.prepare('SELECT path, status, before_hash AS before, after_hash AS after, label FROM workspace_changes ORDER BY seq')
				.all() as WorkspaceChange[],
		touches: async (name, args) => {
			const tool = tools.get(name);
			return (await tool?.touches?.(tool.schema.parse(args), contextOf({}))) ?? [];
		},
		call: async (name, args, context) => {
			const tool = tools.get(name);
			if (!tool) throw new Error(`no tool ${name}`);
			calls += 1;
			const parsed = tool.schema.parse(args);
			const caller = contextOf({ idempotencyKey: `${RUN}:1:call-${calls}`, ...context });
			// As the gate does, which has let it through.
			const touches = context?.touches ?? (await tool.touches?.(parsed, caller)) ?? [];
			return tool.run(parsed, { ...caller, touches });
		},
	};
}

/** By name; through no link, which Node's own recursion follows. */
function filesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : []))
		.sort();
}

function contextOf(more: Partial<ToolContext>): ToolContext {
	return {
		runId: RUN,
		sessionId: 'session-1' as SessionId,
		step: 1,
		idempotencyKey: `${RUN}:1:call`,
		signal: new AbortController().signal,
		label: 'agent',
		state: { get: () => undefined, entries: () => [], set: () => undefined, save: async () => undefined },
		plan: undefined,
		touches: [],
		mayTouch: () => true,
		namedBy: () => undefined,
		output: () => undefined,
		unattended: false,
		...more,
	};
}

export function byStep(stepKey: string, label: Label = 'agent'): ChangedByStep {
	return { runId: RUN, step: 1, stepKey, label };
}

export const whole = (content: string | null) => () => ({
	bytes: content === null ? null : Buffer.from(content),
	keepsLabel: false,
});
