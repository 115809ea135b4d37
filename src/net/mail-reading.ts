import type { Socket } from 'node:net';
import { connect as startTls, type TLSSocket } from 'node:tls';
import type { ImapFlow, ImapFlowOptions, MailboxObject, MessageStructureObject } from 'imapflow';
import type { HearthError } from '../domain/errors.ts';
import type { PlaceOf } from '../domain/heartbeat.ts';
import { stoppedError } from './errors.ts';
import { canonicalHost, type GuardedConnect } from './guarded-connect.ts';
import { certificateProblem } from './mail-certificate.ts';
import { noPassword, readingError, unprotected } from './mail-reading-errors.ts';
import { isThisMachine, namesThisMachine } from './this-machine.ts';

export interface MailboxCall {
	readonly place: PlaceOf<'mailbox'>;
	readonly password: string | undefined;
	readonly signal: AbortSignal;
}

/** What a mail is from outside. */
export interface MailHead {
	readonly uid: number;
	/** When the server got it; undefined where it does not say. */
	readonly receivedAt: number | undefined;
	/** The first bytes of its header. */
	readonly header: Buffer;
}

/** A part of a mail as the server describes it, without its content. */
export type MailPart = Pick<
	MessageStructureObject,
	'part' | 'type' | 'parameters' | 'encoding' | 'size' | 'disposition' | 'dispositionParameters'
> & {
	readonly childNodes?: readonly MailPart[] | undefined;
};

/**
 * A mailbox that is open for looking only (EXAMINE), and in which nothing is marked as read (PEEK): there is no way to change anything. All
 * reject with a HearthError; `network_bad_response`: what the server sent of it can't be read.
 */
export interface OpenMailbox {
	readonly uidValidity: string;
	/** Above all that is there; undefined where the server does not say. */
	readonly uidNext: number | undefined;
	/** So many that came last, oldest first. */
	newest(count: number): Promise<Pick<MailHead, 'uid' | 'receivedAt'>[]>;
	/** From that one on, ascending. */
	uidsFrom(uid: number): Promise<number[]>;
	/** Of mails that the server got on that day or later, ascending. */
	uidsSince(day: Date): Promise<number[]>;
	/** In ascending order; a mail that is gone is left out. */
	heads(uids: readonly number[], headerBytes: number): Promise<MailHead[]>;
	/** Undefined where the mail is gone. */
	structure(uid: number): Promise<MailPart | undefined>;
	/** The first bytes of a part (`1.2`) as they lie there, encoded; of the whole mail where no part is named. */
	content(uid: number, part: string | undefined, bytes: number): Promise<Buffer | undefined>;
	/** That came over the connection so far. */
	bytes(): number;
}

/** Signs in, opens the mailbox, hands it over, and closes the connection. Rejects with a HearthError. */
export type MailReading = <T>(call: MailboxCall, use: (mailbox: OpenMailbox) => Promise<T>) => Promise<T>;

const CONNECT_MS = 15_000;
const SILENCE_MS = 30_000;
/** Bytes of one answer, and of one thing in it: far more than is ever asked for. */
const LARGEST_ANSWER = 32_000_000;
const LARGEST_LITERAL = 8_000_000;
const MOST_TOKENS = 200_000;

/**
 * imapflow speaks over a socket that was opened here, so that it looks nothing up itself. `authorities`: certificates to trust in place of the
 * system's; tests only.
 */
export function createMailReading({ connect, authorities }: { connect: GuardedConnect; authorities?: readonly string[] }): MailReading {
	return async ({ place, password, signal }, use) => {
		const { port, security } = place;
		// As the network writes it, which is what its certificate says.
		const host = canonicalHost(place.host)?.replace(/^\[|\]$/g, '') ?? place.host;
		const shown = `${host}:${port}`;
		if (password === undefined || password === '') throw noPassword(shown);
		if (security === 'none' && !namesThisMachine(host)) throw unprotected(shown);
		const socket = await connect({ host, port, allow: { ownerNamed: true }, purpose: 'source', signal });
		let problem: HearthError | undefined;
		const stop = () => {
			problem ??= stoppedError();
			socket.destroy();
		};
		signal.addEventListener('abort', stop, { once: true });
		// What goes wrong below TLS is told above it.
		socket.on('error', () => undefined);
		// One that waits for the other side to hear of it costs every question 40 ms.
		socket.setNoDelay(true);
		let client: ImapFlow | undefined;
		/** What ended the connection, where a command only hears that it is gone. */
		let broken: unknown;
		const asError = (error: unknown) => problem ?? readingError(error, broken, { shown, mailbox: place.mailbox });
		const open = async (): Promise<OpenMailbox> => {
			if (security === 'none' && !isThisMachine(socket)) throw unprotected(shown);
			if (signal.aborted) throw stoppedError();
			const { ImapFlow } = await import('imapflow');
			const secured = (servername: string | undefined, onSecure: () => void): TLSSocket => {
				// Its certificate is judged here, before anything is sent: one that the owner trusts has nobody else to vouch for it.
				const tls = startTls({
					socket,
					host,
					...(servername !== undefined && { servername }),
					minVersion: 'TLSv1.2',
					rejectUnauthorized: false,
					...(authorities && { ca: [...authorities] }),
				});
				tls.once('secureConnect', () => {
					problem ??= certificateProblem(tls, shown, place.certificate);
					if (problem) tls.destroy(problem);
					else onSecure();
				});
				return tls;
			};
			client = new ImapFlow({
				...OPTIONS,
				host,
				port,
				secure: security === 'tls',
				doSTARTTLS: security === 'starttls',
				auth: { user: place.user, pass: password },
				transport: {
					connect: ({ secure, servername }, onConnect) => (secure ? secured(servername, onConnect) : openAlready(socket, onConnect)),
					upgrade: (_, { servername }, onSecure) => secured(servername, onSecure),
				},
			});
			// Without a listener the process would end when the connection does.
			client.on('error', (error) => {
				broken ??= error;
			});
			await client.connect();
			const opened = await client.mailboxOpen(place.mailbox, { readOnly: true });
			return mailboxOf(client, opened, asError);
		};
		try {
			const mailbox = await open().catch((error: unknown) => Promise.reject(asError(error)));
			return await use(mailbox);
		} finally {
			signal.removeEventListener('abort', stop);
			await leave(client);
			socket.destroy();
		}
	};
}

const OPTIONS = {
	// Of the program no more than its name, which some servers want to know.
	clientInfo: { name: 'Hearth', version: false, vendor: false, 'support-url': false, date: false },
	logger: false,
	disableAutoIdle: true,
	disableAutoEnable: true,
	disableCompression: true,
	disableIMAP4rev2: true,
	disableBinary: true,
	connectionTimeout: CONNECT_MS,
	greetingTimeout: CONNECT_MS,
	socketTimeout: SILENCE_MS,
	maxLineLength: LARGEST_ANSWER,
	maxLiteralSize: LARGEST_LITERAL,
	maxResponseSize: LARGEST_ANSWER,
	maxResponseTokens: MOST_TOKENS,
} as const satisfies Partial<ImapFlowOptions>;

function openAlready(socket: Socket, onConnect: () => void): Socket {
	setImmediate(onConnect);
	return socket;
}

/** A word of goodbye where the server still listens; it has no time to think about it. */
async function leave(client: ImapFlow | undefined): Promise<void> {
	if (!client) return;
	let timer: NodeJS.Timeout | undefined;
	const soon = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, 1_000);
	});
	if (client.usable) await Promise.race([client.logout().then(ignore, ignore), soon]);
	clearTimeout(timer);
	client.close();
}

const ignore = () => undefined;

function mailboxOf(
	client: ImapFlow,
	{ uidValidity, uidNext, exists }: Pick<MailboxObject, 'uidValidity' | 'uidNext' | 'exists'>,
	asError: (error: unknown) => HearthError,
): OpenMailbox {
	const asked = <T>(ask: () => Promise<T>): Promise<T> => ask().catch((error: unknown) => Promise.reject(asError(error)));
	const search = async (query: Parameters<ImapFlow['search']>[0]): Promise<number[]> => {
		const uids = await asked(() => client.search(query, { uid: true }));
		return [...new Set(Array.isArray(uids) ? uids : [])].sort((a, b) => a - b);
	};
	const one = async (uid: number, query: Parameters<ImapFlow['fetchAll']>[1]) =>
		(await asked(() => client.fetchAll(String(uid), { uid: true, ...query }, { uid: true }))).find((mail) => mail.uid === uid);
	return {
		uidValidity: String(uidValidity),
		uidNext: uidNext || undefined,
		newest: async (count) => {
			if (exists === 0) return [];
			const range = `${Math.max(1, exists - count + 1)}:*`;
			const mails = await asked(() => client.fetchAll(range, { uid: true, internalDate: true }));
			return mails.map(({ uid, internalDate }) => ({ uid, receivedAt: timeOf(internalDate) })).sort((a, b) => a.uid - b.uid);
		},
		// A range to the last one gives that one even where it lies before its beginning.
		uidsFrom: async (uid) => (await search({ uid: `${uid}:*` })).filter((found) => found >= uid),
		uidsSince: (day) => search({ since: day }),
		heads: async (uids, headerBytes) => {
			const query = { uid: true, internalDate: true, bodyParts: [{ key: 'HEADER', maxLength: headerBytes }] };
			const mails = await asked(() => client.fetchAll(uids.join(','), query, { uid: true }));
			return mails
				.filter(({ uid }) => uids.includes(uid))
				.map(({ uid, internalDate, headers }) => ({
					uid,
					receivedAt: timeOf(internalDate),
					header: headers?.subarray(0, headerBytes) ?? Buffer.alloc(0),
				}))
				.sort((a, b) => a.uid - b.uid);
		},
		structure: async (uid) => (await one(uid, { bodyStructure: true }))?.bodyStructure,
		content: async (uid, part, bytes) => {
			if (part === undefined) return (await one(uid, { source: { maxLength: bytes } }))?.source?.subarray(0, bytes);
			const mail = await one(uid, { bodyParts: [{ key: part, maxLength: bytes }] });
			// A server may send more than it was asked for.
			return mail?.bodyParts?.get(part.toLowerCase())?.subarray(0, bytes);
		},
		bytes: () => client.stats().received,
	};
}

function timeOf(date: Date | string | undefined): number | undefined {
	const at = date === undefined ? Number.NaN : new Date(date).getTime();
	return Number.isFinite(at) ? at : undefined;
}
