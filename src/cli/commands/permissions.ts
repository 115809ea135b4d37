import type { HearthClient } from '../../contract/contract.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { Permission, PermissionJob, PermissionScope, PermissionTerms } from '../../domain/permission.ts';
import { ask, atTerminal } from '../ask.ts';
import { type CommandContext, findSession, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findTask } from '../find-task.ts';
import { printable, table } from '../output.ts';
import { jobText, scopeText, termsText } from '../permission-text.ts';
import { findRun } from './runs.ts';

const DAY_MS = 86_400_000;

export interface JobOptions {
	/** Also after text from outside: then it needs its work. */
	readonly outside?: boolean;
	readonly chat?: string;
	readonly workflow?: string;
	readonly task?: string;
	readonly run?: string;
	readonly tool?: string;
	readonly days?: number;
}

export async function listPermissions({ rpc, output }: CommandContext): Promise<number> {
	const { permissions } = await rpc.permissions.list();
	const rows = permissions.map(({ id, terms, uses, lastUsedAt, ...of }) => [
		id,
		stateOf({ terms, ...of }),
		scopeText(terms.scope),
		jobText(terms.job),
		terms.label === 'external' ? 'yes' : 'no',
		uses === 0 ? 'never' : `${uses}, last ${when(lastUsedAt ?? of.createdAt)}`,
	]);
	output.result(
		permissions,
		rows.length > 0 ? table([['ID', 'STATE', 'IT MAY', 'FOR', 'AFTER TEXT FROM OUTSIDE', 'USED'], ...rows]) : 'Nothing is permitted.',
	);
	return EXIT.ok;
}

/** Only at a terminal, after the whole of it was shown there: a script, a tool or a model's output can't permit anything (B3). */
export async function addPermission({ rpc, output }: CommandContext, scope: PermissionScope, options: JobOptions): Promise<number> {
	onlyAtTerminal('A permission is given only by you, at a terminal or in the app.');
	const terms = await termsOf(rpc, scope, options);
	process.stderr.write(`${printable(`The agent may, without asking: ${termsText(terms)}.`)}\n\n`);
	const word = (await ask('Type “permit” to let it; Enter leaves it as it is: ')).trim().toLowerCase();
	if (word !== 'permit') {
		output.result({ granted: false }, 'Left as it is: nothing was permitted.');
		return EXIT.needsOwner;
	}
	const permission = await rpc.permissions.add({ terms });
	output.result(permission, `Permitted: ${termsText(permission.terms)}.\nTake it back with: hearth permissions revoke ${permission.id}`);
	return EXIT.ok;
}

/** Taking back only ever makes less possible: it needs no terminal. */
export async function takeBack({ rpc, output }: CommandContext, given: string): Promise<number> {
	const { permissions } = await rpc.permissions.list();
	const matches = given === '' ? [] : permissions.filter(({ id }) => id === given || id.startsWith(given));
	const [found] = matches.length === 1 ? matches : matches.filter(({ id }) => id === given);
	if (!found) {
		const why = matches.length > 1 ? `“${given}” fits ${matches.length} permissions.` : `There is no permission “${given.slice(0, 80)}”.`;
		throw terminal('not_found', why, { action: 'List them with: hearth permissions list' });
	}
	const permission = await rpc.permissions.revoke({ permissionId: found.id });
	output.result(permission, `Taken back: ${scopeText(permission.terms.scope)}. From now on you are asked.`);
	return EXIT.ok;
}

export async function showPolicy({ rpc, output }: CommandContext): Promise<number> {
	const policy = await rpc.permissions.policy();
	const rows = policy.rules.map(({ id, origin, verdict, covers, reason }) => [id, origin, verdict, covers, reason]);
	const problem = policy.problem === undefined ? '' : `${policy.problem}\n\n`;
	const head =
		'From the top, the first rule that fits decides; a floor holds whatever the others say. More taint never loosens. Yours go into';
	output.result(policy, `${problem}${table([['RULE', 'FROM', 'VERDICT', 'COVERS', 'WHY'], ...rows])}\n\n${head} ${policy.path}`);
	return policy.problem === undefined ? EXIT.ok : EXIT.failed;
}

async function termsOf(rpc: HearthClient, scope: PermissionScope, options: JobOptions): Promise<PermissionTerms> {
	const job = await jobOf(rpc, options);
	if (options.outside && job.kind === 'any')
		throw terminal('invalid_input', 'A permission for steps that read outside text has to name its work.', {
			action: 'Add --chat, --workflow, --task or --run.',
		});
	return {
		scope,
		label: options.outside ? 'external' : 'approved',
		job,
		...(options.tool !== undefined && { tool: options.tool }),
		...(options.days !== undefined && { until: Date.now() + options.days * DAY_MS }),
	};
}

async function jobOf(rpc: HearthClient, { chat, workflow, task, run }: JobOptions): Promise<PermissionJob> {
	if (chat !== undefined) return { kind: 'chat', sessionId: (await findSession(rpc, chat)).id };
	if (workflow !== undefined) return { kind: 'workflow', name: workflow };
	if (task !== undefined) return { kind: 'task', taskId: (await findTask(rpc, task)).id };
	if (run !== undefined) return { kind: 'run', runId: (await findRun(rpc, run)).id };
	return { kind: 'any' };
}

function stateOf({ terms, revokedAt }: Pick<Permission, 'terms' | 'revokedAt'>): string {
	if (revokedAt !== undefined) return `ended ${when(revokedAt)}`;
	if (terms.until === undefined) return 'in force';
	return terms.until > Date.now() ? `until ${when(terms.until)}` : `ended ${when(terms.until)}`;
}

function onlyAtTerminal(message: string): void {
	if (atTerminal()) return;
	throw needsOwner('unauthorised', message, {
		safe: 'Nothing was permitted.',
		action: 'Run this command in a terminal, or use Settings, Permissions.',
	});
}
