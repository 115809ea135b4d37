import { readFileSync, statSync } from 'node:fs';
import type { Logger } from '../base/logger.ts';
import { systemCode } from '../base/system-code.ts';
import { type ErrorShape, needsOwner, toErrorShape } from '../domain/errors.ts';
import { type ReadPolicy, readPolicy } from '../firewall/policy.ts';

/** Most bytes that are read at all: more is no policy. */
const MOST_BYTES = 1_000_000;
const MOST_TOLD = 3;

/** The first text of a new profile's `policy.yaml`: no rule of its own, and how to write one. */
export const FIRST_POLICY = `# Rules of your own for what the agent may do. The rules that come with Hearth follow after them: the first rule that fits
# decides. "hearth permissions policy" shows all of them, in order. A mistake in this file is told, and then only those of Hearth hold.
#
# sinks     memory, forget, skill, file, shell, network, message, server, task; none: a tool that touches nothing
# verdict   allow; ask: it waits for your yes; hold: it waits in the inbox (memory, forget, skill); deny
# Where it may be narrowed:
#   access: read | write      of a file
#   labels: [external]        what the step has read: owner, agent, workspace, approved, external
#   named: true | false       whether a permission of yours names it
#   sandboxed, network: true | false   of a command
#   folders: [workspace/letters, /home/ada/bills]   files there
#   hosts: ['*.example.com']  addresses there, and commands that would reach it
#   commands: [npm install *] only with verdict allow: whole commands in plain words
#   tools: [fetch_url, mcp_*]
#   jobs: [chat, child, workflow]
#   effects: [effectful]      of a tool that touches nothing
#
# No rule can allow what always needs your yes: an effect after text from outside that no permission names, a message, a command without
# a sandbox, a change of memory after text from outside, a procedure, forgetting.
#
# rules:
#   - id: no_network_at_night_work
#     sinks: [network]
#     jobs: [workflow]
#     verdict: deny
#     reason: Work that nobody watches stays off the network.
`;

export interface PolicyFile {
	/** Looked at anew each time: an edit holds from the next call on. Never throws. */
	current(): ReadPolicy;
	/** Why the file is not in force; undefined when it is. */
	problem(): ErrorShape | undefined;
}

/** The owner's `policy.yaml`. A file that can't be read or has a mistake leaves the shipped rules, and `onProblem` is told. */
export function openPolicyFile(file: string, logger: Logger, onProblem: (problem: ErrorShape | undefined) => void): PolicyFile {
	let stamp: string | undefined;
	let policy = readPolicy('');
	let problem: ErrorShape | undefined;
	const look = (): void => {
		const now = stampOf(file);
		if (now === stamp) return;
		stamp = now;
		try {
			policy = readPolicy(now === undefined ? '' : textOf(file));
			problem = policy.problems.length === 0 ? undefined : mistakes(file, policy);
		} catch (error) {
			policy = readPolicy('');
			problem = toErrorShape(unreadable(file, error));
		}
		if (problem) logger.warn('policy_not_in_force', { code: problem.code, problems: policy.problems.length });
		onProblem(problem);
	};
	look();
	return {
		current: () => {
			look();
			return policy;
		},
		problem: () => {
			look();
			return problem;
		},
	};
}

/** Undefined where there is none. Where it can't be looked at, something that differs from what was. */
function stampOf(file: string): string | undefined {
	try {
		const { mtimeMs, size, ino } = statSync(file);
		return `${mtimeMs}:${size}:${ino}`;
	} catch (error) {
		return systemCode(error) === 'ENOENT' ? undefined : `error:${systemCode(error) ?? ''}`;
	}
}

function textOf(file: string): string {
	const stats = statSync(file);
	// Reading a pipe would wait for whoever writes to it.
	if (!stats.isFile()) throw new Error('policy.yaml is no file');
	const { size } = stats;
	// What is cut here is too large for the reader, too, who says so.
	return size > MOST_BYTES ? ' '.repeat(MOST_BYTES) : readFileSync(file, 'utf8');
}

function mistakes(file: string, { problems }: ReadPolicy): ErrorShape {
	const told = problems.slice(0, MOST_TOLD).map(({ line, message }) => `line ${line}: ${message}`);
	const more = problems.length > told.length ? ` And ${problems.length - told.length} more.` : '';
	return toErrorShape(
		needsOwner('config_invalid', `policy.yaml is not in force: ${told.map(ended).join(' ')}${more}`, {
			safe: 'The rules that come with Hearth hold meanwhile.',
			action: `Correct it: ${file}`,
		}),
	);
}

/** The words of the YAML reader have no full stop. */
function ended(sentence: string): string {
	return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function unreadable(file: string, cause: unknown): Error {
	return needsOwner('config_invalid', 'policy.yaml can’t be read, so it is not in force.', {
		safe: 'The rules that come with Hearth hold meanwhile.',
		action: `Make it readable for you: ${file}`,
		cause,
	});
}
