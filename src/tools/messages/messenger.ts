import { HearthError, needsOwner, terminal } from '../../domain/errors.ts';
import { MAIL, MAIL_SECRET, type Outgoing, webhookSecret } from '../../domain/outgoing.ts';
import type { SecretReader } from '../../domain/secret-port.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import { type Mailer, NOTHING_SENT } from '../../net/mailer.ts';
import type { CallOrigin } from '../../net/purpose.ts';

export interface Message {
	/** `mail`, or the name of a webhook. */
	readonly via: string;
	readonly to: readonly string[];
	readonly subject: string;
	readonly text: string;
	/** The same for the same message: becomes its Message-ID, or its idempotency key. Letters and digits. */
	readonly key: string;
	readonly date: Date;
	readonly signal: AbortSignal;
	readonly by?: CallOrigin | undefined;
}

export interface Delivery {
	readonly accepted: readonly string[];
	readonly rejected: readonly string[];
	/** What the server said, in one sentence. */
	readonly answer: string;
}

/** Rejects with a HearthError: nothing was sent where its `safe` says so, else it may have been. */
export interface Messenger {
	deliver(message: Message): Promise<Delivery>;
}

export interface MessengerDeps {
	readonly outgoing: () => Outgoing;
	readonly secrets: SecretReader;
	readonly mailer: Mailer;
	readonly fetch: GuardedFetch;
}

const WEBHOOK_MS = 20_000;

export function createMessenger({ outgoing, secrets, mailer, fetch }: MessengerDeps): Messenger {
	async function mail(message: Message): Promise<Delivery> {
		const account = outgoing().mail;
		if (!account) throw gone('the mail account');
		const password = await secrets.get(MAIL_SECRET);
		if (account.user !== '' && password === undefined) throw missing('The password of the mail account');
		const { signal, by, to, subject, text, key, date } = message;
		const messageId = `<${key}@${account.from.split('@')[1]}>`;
		const receipt = await mailer.send({ account, password, signal, by }, { to, subject, text, messageId, date });
		return { ...receipt, answer: `The server took it (${receipt.code || 'no code'}; Message-ID ${messageId}).` };
	}

	async function post({ via, text, key, signal, by }: Message): Promise<Delivery> {
		const url = await secrets.get(webhookSecret(via));
		if (!outgoing().webhooks.some(({ name }) => name === via)) throw gone(`the webhook “${via}”`);
		if (url === undefined) throw missing(`The address of the webhook “${via}”`);
		const response = await fetch({
			url,
			allow: { baseUrl: url, ownerNamed: true },
			purpose: 'webhook',
			...(by && { by }),
			method: 'POST',
			headers: { 'content-type': 'application/json', 'idempotency-key': key },
			body: JSON.stringify({ text }),
			redirects: 'manual',
			signal,
			silenceMs: WEBHOOK_MS,
			totalMs: WEBHOOK_MS,
		}).catch((error: unknown) => Promise.reject(webhookError(error)));
		await response.body?.cancel();
		const { host } = new URL(url);
		if (response.status >= 300)
			throw terminal('network_bad_response', `The webhook “${via}” at ${host} did not take it: it answered ${response.status}.`, {
				safe: NOTHING_SENT,
				action: 'Check its address in Settings, Web and messages.',
			});
		return { accepted: [host], rejected: [], answer: `It answered ${response.status}.` };
	}

	return { deliver: (message) => (message.via === MAIL ? mail(message) : post(message)) };
}

/** A call that was not let out sent nothing; of any other nobody knows. */
function webhookError(error: unknown): unknown {
	if (!(error instanceof HearthError)) return error;
	const { shape } = error;
	if (shape.code === 'network_denied') return new HearthError({ ...shape, safe: NOTHING_SENT });
	return new HearthError({ ...shape, message: `${shape.message} It may have been sent.` });
}

function missing(what: string) {
	return needsOwner('unauthorised', `${what} is missing.`, { safe: NOTHING_SENT, action: 'Enter it in Settings, Web and messages.' });
}

function gone(what: string) {
	return needsOwner('not_found', `There is no longer ${what}.`, { safe: NOTHING_SENT });
}
