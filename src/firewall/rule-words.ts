import type { PolicyRule, RuleSink } from './policy-rule.ts';

/** What a rule covers, in one sentence for the owner. Pure. */

const SINKS: Record<RuleSink, string> = {
	memory: 'memory',
	forget: 'forgetting',
	skill: 'procedures',
	file: 'files',
	shell: 'commands',
	network: 'the network',
	message: 'messages',
	server: 'tool servers',
	task: 'scheduled tasks',
	none: 'tools that touch nothing',
};

export function ruleCovers(rule: PolicyRule): string {
	const { sinks, access, effects, labels, named, sandboxed, network, tools, jobs, folders, hosts, commands } = rule;
	const what =
		sinks.length === 1 && sinks[0] === 'file' && access
			? access === 'read'
				? 'reading files'
				: 'writing files'
			: list(sinks.map((sink) => SINKS[sink]));
	const conditions = [
		sinks.length > 1 && access !== undefined && `files to ${access}`,
		effects && `that are ${list(effects)}`,
		sandboxed !== undefined && (sandboxed ? 'in the sandbox' : 'without a sandbox'),
		network !== undefined && (network ? 'with network' : 'without network'),
		folders && `in ${list(folders)}`,
		hosts && `at ${list(hosts)}`,
		commands && `that read ${list(commands.map((command) => `“${command}”`))}`,
		named !== undefined && (named ? 'that you named' : 'that you did not name'),
		labels && `for a step labelled ${list(labels)}`,
		tools && `of ${list(tools)}`,
		jobs && `in work of the kind ${list(jobs)}`,
	].filter((condition) => typeof condition === 'string');
	const text = [what, ...conditions].join(', ');
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function list(words: readonly string[]): string {
	const last = words.at(-1) ?? '';
	return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
