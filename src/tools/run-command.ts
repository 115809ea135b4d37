import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { normalHostPattern } from '../base/host-pattern.ts';
import { sha256 } from '../base/sha256.ts';
import { asStorageError } from '../db/errors.ts';
import { type ContextSource, joinSources, sourceName } from '../domain/context-source.ts';
import { terminal, toErrorShape } from '../domain/errors.ts';
import { joinLabels } from '../domain/label.ts';
import type { TouchOf } from '../domain/sink.ts';
import { newAuditEntry } from '../firewall/audit-entries.ts';
import { AUDIT_RULES } from '../firewall/audit-rules.ts';
import type { AuditLog } from '../firewall/ports.ts';
import { callIdOf } from './call-origin.ts';
import { type CommandEnd, endInWords, isFine, OUTPUT_BYTES, summaryOf } from './command-end.ts';
import { CommandOutput } from './command-output.ts';
import type { Tool, ToolContext, ToolOutput } from './port.ts';
import type { RunningCommands } from './running-commands.ts';
import type { LaunchSpec, RunningProgram, Sandbox } from './sandbox/port.ts';
import { PATH } from './workspace/arguments.ts';
import type { CommandChanges, CommandFiles, CommandUnderWay } from './workspace/command-files.ts';
import type { Seen } from './workspace/meetings.ts';
import { namesOf } from './workspace/paths.ts';

const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 1_800;
/** Beside the command's own time: to look at files before and after. */
const LOOK_MS = 120_000;
const NAMED_FILES = 30;
/** Where `workspace/` is for a command in the sandbox. */
const INSIDE = '/workspace';

const Arguments = z.object({
	command: z.string().trim().min(1).max(20_000).describe('As one would type it.'),
	cwd: PATH.optional().describe('Folder below the workspace.'),
	reason: z.string().trim().min(1).max(500).describe('For the owner: one short sentence.'),
	timeoutSeconds: z.number().int().min(1).max(MOST_SECONDS).default(DEFAULT_SECONDS),
	hosts: z.array(z.string().trim().min(1).max(300)).max(20).default([]).describe('Hosts that it has to reach.'),
});
type Arguments = z.infer<typeof Arguments>;

export interface RunCommandDeps {
	readonly sandbox: Pick<Sandbox, 'status' | 'start'>;
	readonly files: CommandFiles;
	/** The workspace, absolute. */
	readonly workspace: string;
	readonly running: RunningCommands;
	readonly audit: Pick<AuditLog, 'record'>;
	/** While a program without a sandbox runs, the owner's doors that it could come through are shut. Returns what ends that. */
	readonly withoutSandbox: (name: string) => () => void;
	readonly clock: Clock;
}

export function runCommandTool(deps: RunCommandDeps): Tool<Arguments> {
	return {
		name: 'run_command',
		title: 'Run a command',
		description:
			'Runs a shell command in the workspace folder. It sees that folder and the system’s programs, has no network unless hosts are named, and can’t be asked anything.',
		schema: Arguments,
		effect: 'effectful',
		sinks: ['shell'],
		sources: ['command'],
		timeoutMs: MOST_SECONDS * 1_000 + LOOK_MS,
		outputCap: 60_000,
		touches: async (args) => [await touchOf(deps, args)],
		run: (args, context) => runCommand(deps, args, context),
	};
}

async function touchOf({ sandbox, workspace }: RunCommandDeps, { command, cwd, hosts }: Arguments): Promise<TouchOf<'shell'>> {
	const names = cwd === undefined ? [] : namesOf(cwd);
	const found = await stat(join(workspace, ...names)).catch(() => undefined);
	if (names.length > 0 && !found?.isDirectory())
		throw terminal('not_found', `There is no folder ${names.join('/')} in the workspace, so nothing was run.`);
	const { kind, network, why } = await sandbox.status();
	const sandboxed = kind !== 'none';
	const reached = hosts.map((host) => {
		const pattern = normalHostPattern(host);
		if (pattern === undefined) throw terminal('invalid_input', `“${host}” is not the name of a host. Nothing was run.`);
		return pattern;
	});
	if (sandboxed && reached.length > 0 && !network)
		throw terminal('network_denied', `A command can’t reach any host here. ${why}`, { safe: 'Nothing was run.' });
	return { sink: 'shell', command, cwd: ['workspace', ...names].join('/'), sandboxed, hosts: [...new Set(reached)].sort() };
}

async function runCommand(deps: RunCommandDeps, args: Arguments, context: ToolContext): Promise<ToolOutput> {
	const touch = context.touches.find((one): one is TouchOf<'shell'> => one.sink === 'shell');
	if (touch?.command !== args.command)
		throw terminal('tool_denied', 'This command was not what was allowed.', { safe: 'Nothing was run.' });
	const { label, sources = [], runId, idempotencyKey: stepKey } = context;
	const underWay = deps.files.begin({ label, sources, runId, stepKey });
	try {
		return await runBeside(underWay, deps, args, touch, context);
	} finally {
		underWay.end();
	}
}

async function runBeside(
	underWay: CommandUnderWay,
	deps: RunCommandDeps,
	args: Arguments,
	touch: TouchOf<'shell'>,
	context: ToolContext,
): Promise<ToolOutput> {
	const { signal, runId, step } = context;
	const before = await deps.files.look(signal);
	underWay.reads(readable(deps, touch, before, context));
	const started = deps.clock.monotonic();
	const end = await runToEnd(deps, args, touch, context);
	const latencyMs = deps.clock.monotonic() - started;
	const seconds = latencyMs / 1_000;
	const { label, sources } = underWay.seen(before);
	const changes = await recorded(deps, before, { runId, step, stepKey: context.idempotencyKey, label, sources });
	await deps.audit.record([
		newAuditEntry({
			sink: 'shell',
			decision: isFine(end) ? 'done' : 'failed',
			rule: AUDIT_RULES.command,
			label,
			textHash: sha256(touch.command),
			latencyMs,
			runId,
			step,
			callId: callIdOf(context),
			sessionId: context.sessionId,
			detail: {
				from: sourceName(touch.sandboxed ? 'A command in the sandbox' : 'A command with all your rights'),
				to: touch.cwd,
				reason: endInWords(end, seconds),
				sources,
				tool: 'run_command',
				outcome: `${summaryOf(end, seconds)}; ${changes.files.length} files changed`,
			},
		}),
	]);
	const told = [endInWords(end, seconds), end.text === '' ? 'It put nothing out.' : end.text, filesInWords(changes)].filter(
		(part) => part !== '',
	);
	return {
		text: told.join('\n\n'),
		isError: !isFine(end),
		summary: summaryOf(end, seconds),
		label,
		sources: joinSources([{ kind: 'command', name: commandName(touch.command), label, hash: sha256(end.text) }], sources),
	};
}

/** What it did happened, also where it can't be written down: then nobody is known to have written these files, and they are trusted as such. */
async function recorded(
	{ files }: RunCommandDeps,
	...which: Parameters<CommandFiles['record']>
): Promise<CommandChanges & { problem?: string }> {
	try {
		return await files.record(...which);
	} catch (error) {
		return { files: [], incomplete: true, problem: toErrorShape(asStorageError(error)).message };
	}
}

/** What its output may hold: what the step saw, what lies in the workspace, and what it can reach beyond. */
function readable(
	{ files }: RunCommandDeps,
	touch: TouchOf<'shell'>,
	before: Parameters<CommandFiles['trust']>[0],
	context: ToolContext,
): Seen {
	const { label, sources } = files.trust(before);
	const beyond: ContextSource[] = [
		...touch.hosts.map((host): ContextSource => ({ kind: 'page', name: sourceName(host), label: 'external' })),
		...(touch.sandboxed ? [] : [{ kind: 'file' as const, name: 'All files of this machine', label: 'external' as const }]),
	];
	return { label: joinLabels(context.label, label, ...beyond.map((one) => one.label)), sources: joinSources(beyond, sources) };
}

async function runToEnd(
	deps: RunCommandDeps,
	{ command, timeoutSeconds }: Arguments,
	touch: TouchOf<'shell'>,
	context: ToolContext,
): Promise<CommandEnd> {
	const { signal, runId } = context;
	const output = new CommandOutput((text) => context.output(text));
	const letDoorsOpen = touch.sandboxed ? () => undefined : deps.withoutSandbox('run_command');
	try {
		const program = await deps.sandbox.start(specOf(deps, command, touch, context));
		let why: CommandEnd['stopped'];
		const stop = (reason: NonNullable<CommandEnd['stopped']>) => () => {
			why ??= reason;
			void program.kill();
		};
		const timer = setTimeout(stop('time'), timeoutSeconds * 1_000);
		const forget = deps.running.add(runId, callIdOf(context), stop('owner'));
		const onAbort = stop('run');
		signal.addEventListener('abort', onAbort, { once: true });
		if (signal.aborted) onAbort();
		try {
			const ended = await readToEnd(program, output, stop('output'));
			return { ...ended, text: output.end(), ...(why && { stopped: why }), timeoutSeconds };
		} finally {
			clearTimeout(timer);
			forget();
			signal.removeEventListener('abort', onAbort);
		}
	} finally {
		letDoorsOpen();
	}
}

async function readToEnd(program: RunningProgram, output: CommandOutput, tooMuch: () => void): ReturnType<() => RunningProgram['ended']> {
	const take = (chunk: Buffer): void => {
		if (output.bytes > OUTPUT_BYTES) return;
		output.push(chunk);
		if (output.bytes > OUTPUT_BYTES) tooMuch();
	};
	program.stdout.on('data', take);
	// What the sandbox itself has to say, and all errors where a shell could not put them in order.
	program.stderr.on('data', take);
	return program.ended;
}

function specOf({ workspace }: RunCommandDeps, command: string, touch: TouchOf<'shell'>, context: ToolContext): LaunchSpec {
	const { hosts, cwd, sandboxed } = touch;
	const windows = process.platform === 'win32';
	const { runId, sessionId, step, label } = context;
	const by = { runId, sessionId, step, tool: 'run_command', label };
	const ownerNamed = hosts.every(
		(host) => context.namedBy({ sink: 'network', url: `https://${host}/`, host, method: 'GET' }) !== undefined,
	);
	return {
		file: windows ? (process.env.ComSpec ?? 'cmd.exe') : '/bin/sh',
		args: windows ? ['/d', '/s', '/c', command] : ['-c', command],
		cwd: join(workspace, ...cwd.split('/').slice(1)),
		folders: [{ path: workspace, access: 'write', at: INSIDE }],
		network: hosts.length === 0 ? { kind: 'none' } : { kind: 'hosts', hosts, ownerNamed, by },
		sandboxed,
		mergeOutput: true,
	};
}

function filesInWords({ files, incomplete, problem }: CommandChanges & { problem?: string }): string {
	if (problem !== undefined) return `Which files it changed could not be written down. ${problem}`;
	const lines = files
		.slice(0, NAMED_FILES)
		.map(({ path, change, restorable }) => `- ${path}: ${change}${restorable ? '' : ', can’t be put back'}`);
	if (files.length > NAMED_FILES) lines.push(`- and ${files.length - NAMED_FILES} more`);
	if (incomplete) lines.push('- perhaps more: there are too many or too large files to look at all');
	return lines.length === 0 ? '' : `Files changed in the workspace:\n${lines.join('\n')}`;
}

/** For people, one short line. */
function commandName(command: string): string {
	const line = command.split('\n', 1)[0] ?? '';
	return sourceName(line.length > 80 ? `${line.slice(0, 79)}…` : line);
}
