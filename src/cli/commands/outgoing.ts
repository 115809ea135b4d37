import type { z } from 'zod';
import type { OutgoingView } from '../../contract/methods/outgoing.ts';
import { terminal } from '../../domain/errors.ts';
import { MAIL, MailAccount, SearchProvider } from '../../domain/outgoing.ts';
import type { CommandContext } from '../context.ts';
import { withKeys } from '../door.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';
import { problemsOf } from '../problems.ts';
import { askSecret, withSecretStore } from '../secret-input.ts';

export async function showOutgoing({ rpc, output }: CommandContext): Promise<number> {
	const view = await rpc.outgoing.get();
	output.result(view, asText(view));
	return EXIT.ok;
}

export async function setSearch(
	context: CommandContext,
	kind: string,
	address: string | undefined,
	{ ask }: { ask: boolean },
): Promise<number> {
	const { rpc, output } = context;
	if (!['searxng', 'brave', 'none'].includes(kind))
		throw terminal('invalid_input', `“${kind}” is no provider that Hearth knows: searxng, brave, or none.`, {
			safe: 'Nothing was changed.',
			action: 'See: hearth outgoing search --help',
		});
	const search = kind === 'none' ? null : read(SearchProvider, { kind, baseUrl: address });
	const key = search?.kind === 'brave' ? await askSecret('Key for Brave Search: ') : undefined;
	const view = await withSecretStore(context, () => rpc.outgoing.setSearch({ search, key, permit: !ask }));
	output.result(view, asText(view));
	return EXIT.ok;
}

export async function setMail(
	context: CommandContext,
	host: string,
	options: { port?: number; security: MailAccount['security']; user: string; from?: string },
): Promise<number> {
	const { rpc, output } = context;
	const port = options.port ?? (options.security === 'tls' ? 465 : 587);
	const mail = host === 'none' ? null : read(MailAccount, { ...options, host, port });
	const password = mail && mail.user !== '' ? await askSecret(`Password of ${mail.user} at ${mail.host}: `) : undefined;
	const view = await withSecretStore(context, () => rpc.outgoing.setMail({ mail, password }));
	output.result(view, asText(view));
	return EXIT.ok;
}

export async function setWebhook(context: CommandContext, name: string, { remove }: { remove: boolean }): Promise<number> {
	const { rpc, output } = context;
	const url = remove ? '' : await askSecret(`Address of the webhook “${name}”: `);
	const view = await withSecretStore(context, () =>
		remove ? rpc.outgoing.removeWebhook({ name }) : rpc.outgoing.setWebhook({ name, url }),
	);
	output.result(view, asText(view));
	return EXIT.ok;
}

/** `what`: `search`, `mail`, or the name of a webhook. */
export async function testOutgoing({ rpc, door, output }: CommandContext, what: string, { send }: { send: boolean }): Promise<number> {
	const test =
		what === 'search' ? { what: 'search' as const } : what === MAIL ? { what: MAIL, send } : { what: 'webhook' as const, name: what, send };
	const result = await withKeys(door, () => rpc.outgoing.test(test));
	output.result(result, `${result.found} (${Math.round(result.ms)} ms)`);
	return EXIT.ok;
}

function asText({ search, searchHasKey, searchPermitted, mail, mailHasPassword, webhooks }: OutgoingView): string {
	const provider =
		search && (search.kind === 'searxng' ? `SearXNG at ${search.baseUrl}` : `Brave Search${searchHasKey ? '' : ', key missing'}`);
	const account = mail && `${mail.from} by ${mail.host}:${mail.port} (${mail.security})`;
	const missing = mail && mail.user !== '' && !mailHasPassword ? ', password missing' : '';
	return table([
		[
			'search',
			provider
				? `${provider}; ${searchPermitted ? 'without asking where nothing from outside was read' : 'you are asked each time'}`
				: 'none',
		],
		['mail', account ? `${account}${missing}` : 'none'],
		...webhooks.map(({ name, host, hasAddress }) => [name, `webhook at ${host}${hasAddress ? '' : ', address missing'}`]),
	]);
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	throw terminal('invalid_input', problemsOf(parsed.error), { safe: 'Nothing was changed.', action: 'See: hearth outgoing --help' });
}
