import { z } from 'zod';

/** What leaves this machine by tools, as the owner set it up: in config.json, without secrets. */

const WebAddress = z
	.url({ protocol: /^https?$/, error: 'Use a whole address, such as https://search.example.org.' })
	.max(500)
	.refine((address) => !/^[a-z]+:[/\\]*[^/\\?#]*@/i.test(address), 'Leave out user name and password.');

/** SearXNG at an address of the owner's, or Brave with a key in the secret store. `baseUrl` of Brave: only where another server speaks for it. */
export const SearchProvider = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('searxng'), baseUrl: WebAddress }),
	z.object({ kind: z.literal('brave'), baseUrl: WebAddress.optional() }),
]);
export type SearchProvider = z.infer<typeof SearchProvider>;

const NAME = "[\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
const PLAIN_ADDRESS = new RegExp(`^${NAME}@(?:${LABEL}\\.)*${LABEL}$`, 'u');

/** One plain address, no display name: nothing in it can end a header or begin another address. */
export const MailAddress = z
	.string()
	.trim()
	.max(254)
	.refine((address) => PLAIN_ADDRESS.test(address), 'Use one mail address, such as anna@example.org.');
export type MailAddress = z.infer<typeof MailAddress>;

/** `tls`: from the first byte (port 465). `starttls`: before anything of the mail is said (port 587). `none`: only on this machine. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none']);
export type MailSecurity = z.infer<typeof MailSecurity>;

export const MailAccount = z.object({
	host: z
		.string()
		.trim()
		.min(1)
		.max(253)
		.regex(/^[\p{L}\p{N}.:_-]+$/u, 'Use the name of the mail server, such as smtp.example.org.'),
	port: z.number().int().min(1).max(65_535),
	security: MailSecurity,
	/** Empty: no sign-in. */
	user: z.string().trim().max(254),
	from: MailAddress,
});
export type MailAccount = z.infer<typeof MailAccount>;

export const WebhookName = z
	.string()
	.regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'Use up to 32 small letters, digits, - or _, starting with a letter or digit.')
	.refine((name) => name !== MAIL, 'That is the name of the mail account.');

/** The address itself is a secret, since whoever knows it can post there: it stands in the secret store. */
export const Webhook = z.object({ name: WebhookName, host: z.string().max(300) });
export type Webhook = z.infer<typeof Webhook>;

export const Outgoing = z.looseObject({
	search: SearchProvider.nullable().default(null),
	mail: MailAccount.nullable().default(null),
	webhooks: z.array(Webhook).max(50).default([]),
});
export type Outgoing = z.infer<typeof Outgoing>;

/** The name of the mail account beside those of webhooks. */
export const MAIL = 'mail' as const;

/** Names of what stands in the secret store. */
export const SEARCH_SECRET = 'search:brave';
export const MAIL_SECRET = 'mail:password';
export function webhookSecret(name: string): string {
	return `webhook:${name}`;
}
