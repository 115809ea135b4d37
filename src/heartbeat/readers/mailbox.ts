import { z } from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { HearthError } from '../../domain/errors.ts';
import type { MailHead, MailReading, OpenMailbox } from '../../net/mail-reading.ts';
import { GLANCE_ITEMS, type ReadItem, type Reading, type ReadRequest, type SourceReader } from '../ports.ts';
import { chooseParts, type MailHeader, readHeader, textOfPart, textOfSource, UNREADABLE } from './mail-text.ts';
import { checkWanted } from './stopped.ts';

/** Of a mailbox that is read for the first time: so many mails that came last. */
const FIRST_MAILS = 300;
const HEADS_AT_ONCE = 50;
const HEADER_BYTES = 64_000;
/** Of the text of one mail, as it lies on the server. */
const TEXT_BYTES = 128_000;
/** A reading ends after so long, and goes on with the next. */
const LONGEST_MS = 60_000;

const Cursor = z.object({
	uidValidity: z.string().max(20),
	lastUid: z.number().int().nonnegative(),
	/** When the first mail came that is this source's: older ones are not, whatever number they get. */
	since: z.number(),
});
type Cursor = z.infer<typeof Cursor>;

/**
 * Mails of one mailbox over IMAP. It is opened for looking only, nothing is marked as read. Of each mail its text is fetched, and what is attached
 * is named. Where the server numbers its mails anew (UIDVALIDITY), those taken in before are recognised by their Message-ID or their header.
 */
export function createMailboxReader({ mail }: { mail: MailReading }): SourceReader<'mailbox'> {
	return {
		kind: 'mailbox',
		read: (request) =>
			mail({ place: request.place, password: request.secret, signal: request.signal }, (mailbox) =>
				new MailboxVisit(request, mailbox).read(),
			),
	};
}

class MailboxVisit {
	readonly #request: ReadRequest<'mailbox'>;
	readonly #mailbox: OpenMailbox;
	readonly #items: ReadItem[] = [];
	/** Keys of this reading: a mail may lie there twice. */
	readonly #taken = new Set<string>();
	readonly #until = performance.now() + LONGEST_MS;
	#unreadable = 0;
	/** Mails were there already that are not this source's. */
	#isCut = false;

	constructor(request: ReadRequest<'mailbox'>, mailbox: OpenMailbox) {
		this.#request = request;
		this.#mailbox = mailbox;
	}

	async read(): Promise<Reading> {
		const before = Cursor.safeParse(this.#request.cursor).data;
		const start = await this.#start(before);
		const { uidNext } = this.#mailbox;
		const isNews = uidNext === undefined || start.lastUid + 1 < uidNext;
		const uids = isNews ? await this.#mailbox.uidsFrom(start.lastUid + 1) : [];
		const { lastUid, more } = await this.#readAll(uids, start.lastUid);
		const note = this.#note();
		return {
			items: this.#items,
			cursor: { ...start, lastUid },
			more: more || (this.#request.glance === true && this.#isCut),
			bytes: this.#mailbox.bytes(),
			...(note !== undefined && { note }),
		};
	}

	/** What was read before, in numbers that count now. */
	async #start(before: Cursor | undefined): Promise<Cursor> {
		const { uidValidity } = this.#mailbox;
		if (before?.uidValidity === uidValidity) return before;
		if (before) {
			const [first] = await this.#mailbox.uidsSince(new Date(before.since - 86_400_000));
			const last = first === undefined ? (await this.#mailbox.newest(1))[0]?.uid : first - 1;
			return { uidValidity, since: before.since, lastUid: last ?? 0 };
		}
		const most = this.#request.glance ? GLANCE_ITEMS : FIRST_MAILS;
		const newest = await this.#mailbox.newest(most + 1);
		this.#isCut = newest.length > most;
		const mine = newest.slice(-most);
		const times = mine.flatMap(({ receivedAt }) => receivedAt ?? []);
		return { uidValidity, since: Math.min(this.#request.now, ...times), lastUid: (mine[0]?.uid ?? 1) - 1 };
	}

	async #readAll(uids: readonly number[], from: number): Promise<{ lastUid: number; more: boolean }> {
		let lastUid = from;
		for (let at = 0; at < uids.length; at += HEADS_AT_ONCE) {
			const wanted = uids.slice(at, at + HEADS_AT_ONCE);
			const heads = new Map((await this.#mailbox.heads(wanted, HEADER_BYTES)).map((head) => [head.uid, head]));
			for (const uid of wanted) {
				checkWanted(this.#request.signal);
				if (this.#isEnough()) return { lastUid, more: true };
				const head = heads.get(uid);
				// What is gone meanwhile was never there.
				const isBroken = head !== undefined && (await this.#take(head)) === 'connection_lost';
				lastUid = uid;
				if (isBroken) return { lastUid, more: true };
			}
		}
		return { lastUid, more: false };
	}

	#isEnough(): boolean {
		const { limits } = this.#request;
		return this.#items.length >= limits.maxItems || this.#mailbox.bytes() >= limits.maxBytes || performance.now() >= this.#until;
	}

	/** `connection_lost`: the mail is one that ends the connection, so nothing more can be asked over it. */
	async #take(head: MailHead): Promise<'done' | 'connection_lost'> {
		const header = await readHeader(head.header);
		const keys = this.#keysOf(head, header);
		if (this.#request.known(keys) || keys.some((key) => this.#taken.has(key))) return 'done';
		for (const key of keys) this.#taken.add(key);
		let [text, raw, outcome]: [string, string, 'done' | 'connection_lost'] = ['', '', 'done'];
		try {
			({ text, raw } = await this.#textOf(head.uid));
		} catch (error) {
			if (!(error instanceof HearthError) || error.code !== 'network_bad_response') throw error;
			// It comes without its text rather than to stand in the way of all later ones.
			text = UNREADABLE;
			this.#unreadable += 1;
			outcome = 'connection_lost';
		}
		const { now } = this.#request;
		// A sender may write any time; of one that has not come yet, the server's counts.
		const sentAt = header.sentAt !== undefined && header.sentAt <= now ? header.sentAt : head.receivedAt;
		this.#items.push({
			keys,
			title: header.subject === '' ? '(no subject)' : header.subject,
			url: this.#addressOf(head.uid),
			...(header.from !== '' && { author: header.from }),
			...(sentAt !== undefined && { publishedAt: Math.min(sentAt, now) }),
			text,
			fetchedHash: sha256(Buffer.concat([head.header, Buffer.from(raw, 'latin1')])),
		});
		return outcome;
	}

	/** Its own id, with its date, since some programs give each of their mails the same; of one without, its header. */
	#keysOf({ uid, header }: MailHead, { messageId, sentAt }: MailHeader): string[] {
		if (messageId !== '') return [`mail:${sha256(JSON.stringify([messageId, sentAt ?? null]))}`];
		return [header.length > 0 ? `hash:${sha256(header)}` : `uid:${this.#mailbox.uidValidity}:${uid}`];
	}

	async #textOf(uid: number): Promise<{ text: string; raw: string }> {
		const structure = await this.#mailbox.structure(uid);
		if (!structure) {
			const source = (await this.#mailbox.content(uid, undefined, TEXT_BYTES)) ?? Buffer.alloc(0);
			const { text, names } = await textOfSource(source);
			return { text: withNames(text, names), raw: source.toString('latin1') };
		}
		const { texts, names, isEncrypted } = chooseParts(structure);
		const [pieces, raws]: [string[], string[]] = [[], []];
		for (const part of texts) {
			const content = await this.#mailbox.content(uid, part.part, TEXT_BYTES);
			if (!content) continue;
			raws.push(content.toString('latin1'));
			pieces.push(await textOfPart(part, content));
		}
		const text = pieces.filter((piece) => piece !== '').join('\n\n');
		return { text: withNames(isEncrypted && text === '' ? '(This mail is encrypted.)' : text, names), raw: raws.join('') };
	}

	/** As RFC 5092 writes it. */
	#addressOf(uid: number): string {
		const { host, port, user, mailbox } = this.#request.place;
		const server = `${host.includes(':') ? `[${host}]` : host}${port === 993 || port === 143 ? '' : `:${port}`}`;
		const box = mailbox.split('/').map(encodeURIComponent).join('/');
		return `imap://${encodeURIComponent(user)}@${server}/${box};UIDVALIDITY=${this.#mailbox.uidValidity}/;UID=${uid}`;
	}

	#note(): string | undefined {
		const parts = [
			...(this.#isCut && !this.#request.glance ? [`Of the mails that were there already, the newest ${FIRST_MAILS} are read.`] : []),
			...(this.#unreadable > 0 ? ['The text of one mail can’t be read.'] : []),
		];
		return parts.length === 0 ? undefined : parts.join(' ');
	}
}

function withNames(text: string, names: readonly string[]): string {
	if (names.length === 0) return text;
	return `${text}\n\nAttached, and not read: ${names.join(', ')}`.trim();
}
