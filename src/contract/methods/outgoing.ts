import { z } from 'zod';
import { MailAccount, SearchProvider, WebhookName } from '../../domain/outgoing.ts';
import { method } from './base.ts';

/** What is set up for leaving this machine. Keys, passwords and addresses of webhooks are never returned. */
export const OutgoingView = z.object({
	search: SearchProvider.nullable(),
	/** Whether the key, the password is stored, as far as that can be seen. */
	searchHasKey: z.boolean(),
	/** Searching is permitted in advance for replies that have read nothing from outside. */
	searchPermitted: z.boolean(),
	mail: MailAccount.nullable(),
	mailHasPassword: z.boolean(),
	/** `host`: where it posts; the rest of the address is secret. */
	webhooks: z.array(z.object({ name: z.string(), host: z.string(), hasAddress: z.boolean() })),
});
export type OutgoingView = z.infer<typeof OutgoingView>;

export const OutgoingTest = z.object({
	/** In one sentence, what was found out. */
	found: z.string(),
	ms: z.number().nonnegative(),
	/** A message really left. */
	sent: z.boolean(),
});
export type OutgoingTest = z.infer<typeof OutgoingTest>;

const Secret = z.string().max(10_000);

/** Search, mail and webhooks. Changed only by the owner's own doors; views learn of it by `config_changed`. */
export const outgoing = {
	get: method.output(OutgoingView),
	/** `key`: of Brave; empty removes it. `permit`: lets replies that have read nothing from outside search without asking. */
	setSearch: method
		.input(z.object({ search: SearchProvider.nullable(), key: Secret.optional(), permit: z.boolean().default(true) }))
		.output(OutgoingView),
	/** `security: none` only for a server on this machine. A password is kept for its server alone: another host needs it again. */
	setMail: method.input(z.object({ mail: MailAccount.nullable(), password: Secret.optional() })).output(OutgoingView),
	/** Adds one, or gives it another address: https, or http on this machine or the local network. */
	setWebhook: method.input(z.object({ name: WebhookName, url: z.string().trim().min(1).max(2_000) })).output(OutgoingView),
	removeWebhook: method.input(z.object({ name: z.string().max(100) })).output(OutgoingView),
	/**
	 * Really connects: searches for one word, signs in at the mail server, reaches the webhook's host. Sends nothing unless `send`: then a mail to
	 * the owner's own address, a test message to the webhook. Fails with what is wrong.
	 */
	test: method
		.input(
			z.discriminatedUnion('what', [
				z.object({ what: z.literal('search') }),
				z.object({ what: z.literal('mail'), send: z.boolean().default(false) }),
				z.object({ what: z.literal('webhook'), name: z.string().max(100), send: z.boolean().default(false) }),
			]),
		)
		.output(OutgoingTest),
};
