import { Transform } from 'node:stream';
import { HearthError, needsOwner, retryable, terminal } from '../domain/errors.ts';
import type { MailAccount } from '../domain/outgoing.ts';
import { connectionError } from './errors.ts';
import type { GuardedConnect } from './guarded-connect.ts';
import type { CallOrigin } from './purpose.ts';
import { isThisMachine, namesThisMachine } from './this-machine.ts';

export interface OutgoingMail {
	readonly to: readonly string[];
	readonly subject: string;
	/** Plain text, sent as UTF-8. */
	readonly text: string;
	/** In angle brackets. */
	readonly messageId: string;
	readonly date: Date;
}

export interface MailReceipt {
	/** Recipients that the server took the mail for, and those that it did not. */
	readonly accepted: string[];
	readonly rejected: string[];
	/** The server's own word: `250`. */
	readonly code: string;
}

export interface MailCall {
	readonly account: MailAccount;
	readonly password: string | undefined;
	readonly signal: AbortSignal;
	readonly by?: CallOrigin | undefined;
}

/**
 * Mail over SMTP, by the rules of `src/net`. Rejects with a HearthError: nothing was sent where its `safe` says so, else it may have been.
 */
export interface Mailer {
	/** Connects, secures the connection and signs in. Sends nothing. */
	check(call: MailCall): Promise<void>;
	send(call: MailCall, mail: OutgoingMail): Promise<MailReceipt>;
}

export const NOTHING_SENT = 'Nothing was sent.';
const GREETING_MS = 15_000;
const SILENCE_MS = 30_000;

/** nodemailer speaks over a socket that was opened here, so that it looks nothing up itself. `authorities`: certificates to trust; tests only. */
export function createMailer({ connect, authorities }: { connect: GuardedConnect; authorities?: readonly string[] }): Mailer {
	/** `begun`: says that the text of a mail was on its way. */
	async function withTransport<T>(call: MailCall, use: (transport: Transport) => Promise<T>, begun: () => boolean): Promise<T> {
		const { account, password, signal, by } = call;
		const shown = `${account.host}:${account.port}`;
		if (account.security === 'none' && !namesThisMachine(account.host)) throw plainText(shown);
		const place = { host: account.host, port: account.port, allow: { ownerNamed: true }, purpose: 'mail' } as const;
		const socket = await connect({ ...place, by, signal }).catch((error: unknown) => Promise.reject(mailError(error, shown, false)));
		const stop = () => socket.destroy();
		signal.addEventListener('abort', stop, { once: true });
		try {
			if (account.security === 'none' && !isThisMachine(socket)) throw plainText(shown);
			const { createTransport } = await import('nodemailer');
			const transport = createTransport({
				host: account.host,
				port: account.port,
				secure: account.security === 'tls',
				requireTLS: account.security === 'starttls',
				ignoreTLS: account.security === 'none',
				// The library's types leave out that it takes an open socket.
				...({ connection: socket } as object),
				tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(authorities && { ca: [...authorities] }) },
				...(account.user !== '' && { auth: { user: account.user, pass: password ?? '' } }),
				// Else it would tell the name of this machine.
				name: '[127.0.0.1]',
				greetingTimeout: GREETING_MS,
				socketTimeout: SILENCE_MS,
				disableFileAccess: true,
				disableUrlAccess: true,
				logger: false,
			});
			return await use(transport);
		} catch (error) {
			throw mailError(error, shown, begun());
		} finally {
			signal.removeEventListener('abort', stop);
			socket.destroy();
		}
	}

	return {
		check: (call) => withTransport(call, async (transport) => void (await transport.verify()), never),
		send: (call, { to, subject, text, messageId, date }) => {
			let begun = false;
			// Read as soon as the server is ready for it, and never before.
			const watched = (): Transform =>
				new Transform({
					transform(piece, _, done) {
						begun = true;
						done(null, piece);
					},
				});
			const sending = async (transport: Transport): Promise<MailReceipt> => {
				transport.use('stream', (mail, done) => {
					mail.message.transform(watched);
					done();
				});
				const { from } = call.account;
				const info = await transport.sendMail({ envelope: { from, to: [...to] }, from, to: [...to], subject, text, messageId, date });
				return {
					accepted: info.accepted.map(addressOf),
					rejected: info.rejected.map(addressOf),
					code: /^\d{3}/.exec(info.response)?.[0] ?? '',
				};
			};
			return withTransport(call, sending, () => begun);
		},
	};
}

const never = (): boolean => false;

type Transport = ReturnType<typeof import('nodemailer').createTransport>;

function addressOf(recipient: string | { address: string }): string {
	return typeof recipient === 'string' ? recipient : recipient.address;
}

function plainText(shown: string): HearthError {
	return terminal('network_denied', `Mail to ${shown} would go over the network unprotected.`, {
		safe: NOTHING_SENT,
		action: 'Choose TLS or STARTTLS in Settings, Web and messages.',
	});
}

interface SmtpFailure {
	readonly code?: string;
	/** The system's, where the library put its own in its place. */
	readonly originalCode?: string;
	readonly responseCode?: number | false;
}

/** Only codes are read: the server's own words may hold anything (S3). */
function mailError(error: unknown, shown: string, begun: boolean): HearthError {
	const safe = NOTHING_SENT;
	if (error instanceof HearthError) return new HearthError({ ...error.shape, safe });
	const { code = '', originalCode, responseCode } = (error ?? {}) as SmtpFailure;
	const answered = responseCode ? ` (it answered ${responseCode})` : '';
	if (code === 'EAUTH')
		return needsOwner('unauthorised', `${shown} did not accept the sign-in${answered}.`, {
			safe,
			action: 'Check the user name and the password in Settings, Web and messages.',
		});
	if (code === 'ETLS')
		return terminal('network_unreachable', `${shown} offers no connection that others can’t read.`, {
			safe,
			action: 'Check the port and the kind of security.',
		});
	if (code === 'EENVELOPE') return terminal('network_bad_response', `${shown} takes no mail for these addresses${answered}.`, { safe });
	if (responseCode && responseCode >= 400) return terminal('network_bad_response', `${shown} refused it${answered}.`, { safe });
	if (!begun) {
		const cause = Object.assign(new Error('of the connection'), { code: originalCode ?? code });
		return new HearthError({ ...connectionError(cause, shown, 'mail').shape, safe });
	}
	return retryable(
		'network_cut',
		`The connection to ${shown} broke before the server said whether it took the mail. It may have been sent.`,
	);
}
