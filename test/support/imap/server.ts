import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { Certificate } from '../smtp-server.ts';
import { bodyStructure, parseMime, quoted, sectionOf } from './mime.ts';
import { CommandReader, type Token } from './tokens.ts';

export interface StoredMail {
	uid: number;
	raw: Buffer;
	receivedAt: Date;
	readonly flags: Set<string>;
}

/** What the server does with a command in place of what it should: drops the connection, answers so (`NO …`), or says that before its answer. */
export type Twist = 'drop' | { readonly answer: string } | { readonly untagged: string } | undefined;

export interface ImapServer {
	readonly port: number;
	/** Names of commands, in order, with what they are about: `UID FETCH 1:3`; of a sign-in nothing else. */
	readonly commands: string[];
	/** Commands that change something, whatever came of them. */
	readonly writes: string[];
	readonly signIns: string[];
	uidValidity: number;
	uidNext: number;
	readonly mails: StoredMail[];
	/** Asked before each command. */
	twist: ((command: string, count: number) => Twist) | undefined;
	/** A mail arrives. */
	add(raw: Buffer | string, receivedAt?: Date): StoredMail;
	/** The mails get other numbers, as after a restored back-up. */
	renumber(): void;
	close(): Promise<void>;
}

export interface ImapServerOptions {
	readonly security: 'tls' | 'starttls' | 'none';
	readonly certificate?: Certificate;
	readonly account?: { readonly user: string; readonly password: string };
	readonly mailbox?: string;
	/** It could do STARTTLS and does not say so. */
	readonly hideStartTls?: boolean;
}

/** A mail server on loopback that speaks as much IMAP4rev1 as a mail program needs: also what changes a mailbox, so that not using it means something. */
export async function startImapServer(options: ImapServerOptions): Promise<ImapServer> {
	const { account = { user: 'owner', password: 'correct horse' }, mailbox = 'INBOX' } = options;
	const sockets = new Set<Socket>();
	const server: ImapServer = {
		port: 0,
		commands: [],
		writes: [],
		signIns: [],
		uidValidity: 1_000,
		uidNext: 1,
		mails: [],
		twist: undefined,
		add: (raw, receivedAt = new Date('2026-11-30T05:00:00Z')) => {
			const stored = { uid: server.uidNext, raw: Buffer.from(raw), receivedAt, flags: new Set<string>() };
			server.mails.push(stored);
			server.uidNext += 1;
			return stored;
		},
		renumber: () => {
			server.uidValidity += 1;
			server.uidNext = 1;
			for (const stored of server.mails) {
				stored.uid = server.uidNext;
				server.uidNext += 1;
			}
		},
		close: () => {
			for (const socket of sockets) socket.destroy();
			return new Promise((resolve) => listening.close(() => resolve()));
		},
	};
	const welcome = (socket: Socket) => {
		sockets.add(socket);
		socket.setNoDelay(true);
		socket.once('close', () => sockets.delete(socket));
		new Session({ server, account, mailbox, options }, socket, options.security === 'tls').begin();
	};
	const listening: Server =
		options.security === 'tls'
			? createTlsServer({ ...options.certificate }, welcome).on('tlsClientError', () => undefined)
			: createServer(welcome);
	await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
	return Object.assign(server, { port: (listening.address() as AddressInfo).port });
}

interface Around {
	readonly server: ImapServer;
	readonly account: { readonly user: string; readonly password: string };
	readonly mailbox: string;
	readonly options: ImapServerOptions;
}

const WRITES = new Set([
	'SELECT',
	'STORE',
	'EXPUNGE',
	'APPEND',
	'COPY',
	'MOVE',
	'CREATE',
	'DELETE',
	'RENAME',
	'SUBSCRIBE',
	'UNSUBSCRIBE',
	'CLOSE',
]);

class Session {
	readonly #around: Around;
	#socket: Socket;
	#isSecure: boolean;
	#isSignedIn = false;
	#opened: 'no' | 'read' | 'write' = 'no';
	#count = 0;

	constructor(around: Around, socket: Socket, isSecure: boolean) {
		this.#around = around;
		this.#socket = socket;
		this.#isSecure = isSecure;
	}

	begin(): void {
		this.#listen(this.#socket);
		this.#send(`* OK [CAPABILITY ${this.#capability()}] ready`);
	}

	#listen(socket: Socket): void {
		this.#socket = socket;
		const reader = new CommandReader(
			(tokens) => this.#command(tokens),
			() => socket.write('+ go on\r\n'),
		);
		socket.on('error', () => undefined);
		socket.on('data', (bytes: Buffer) => reader.push(bytes));
	}

	#capability(): string {
		const { security, hideStartTls } = this.#around.options;
		const startTls = security === 'starttls' && !this.#isSecure;
		return [
			'IMAP4rev1',
			...(startTls && !hideStartTls ? ['STARTTLS'] : []),
			...(startTls ? ['LOGINDISABLED'] : []),
			'ID',
			'NAMESPACE',
		].join(' ');
	}

	#send(line: string): void {
		this.#socket.write(Buffer.from(`${line}\r\n`, 'latin1'));
	}

	#command(tokens: readonly Token[]): void {
		const [tag = '*', first = ''] = tokens.map(String);
		const isUid = first.toUpperCase() === 'UID';
		const name = (isUid ? String(tokens[2] ?? '') : first).toUpperCase();
		const args = tokens.slice(isUid ? 3 : 2);
		const { server } = this.#around;
		const shown =
			name === 'LOGIN' || name === 'AUTHENTICATE'
				? name
				: [isUid ? `UID ${name}` : name, ...args.slice(0, 2).map(written)].join(' ').trim();
		server.commands.push(shown);
		if (WRITES.has(name)) server.writes.push(shown);
		this.#count += 1;
		const twist = server.twist?.(shown, this.#count);
		if (twist === 'drop') {
			this.#socket.destroy();
			return;
		}
		if (twist && 'untagged' in twist) this.#send(twist.untagged);
		this.#send(`${tag} ${twist && 'answer' in twist ? twist.answer : this.#answer(name, args, isUid)}`);
		if (name === 'LOGOUT') this.#socket.end();
		if (name === 'STARTTLS' && !this.#isSecure) this.#startTls();
	}

	#startTls(): void {
		const plain = this.#socket;
		plain.removeAllListeners('data');
		this.#isSecure = true;
		this.#listen(new TLSSocket(plain, { isServer: true, ...this.#around.options.certificate }));
	}

	#answer(name: string, args: readonly Token[], isUid: boolean): string {
		const { server, account, mailbox } = this.#around;
		switch (name) {
			case 'CAPABILITY':
				this.#send(`* CAPABILITY ${this.#capability()}`);
				return 'OK done';
			case 'ID':
				this.#send('* ID NIL');
				return 'OK done';
			case 'NAMESPACE':
				this.#send('* NAMESPACE (("" "/")) NIL NIL');
				return 'OK done';
			case 'STARTTLS':
				return 'OK begin';
			case 'LOGIN': {
				const [user = '', password = ''] = args.map(String);
				server.signIns.push(`${user}:${password}`);
				this.#isSignedIn = user === account.user && password === account.password;
				return this.#isSignedIn ? 'OK welcome' : `NO [AUTHENTICATIONFAILED] not with ${password}`;
			}
			case 'LOGOUT':
				this.#send('* BYE see you');
				return 'OK done';
			case 'LIST':
			case 'LSUB':
				this.#send(`* ${name} () "/" ${quoted(mailbox)}`);
				return 'OK done';
			case 'NOOP':
			case 'CLOSE':
				return 'OK done';
			case 'SELECT':
			case 'EXAMINE': {
				if (!this.#isSignedIn) return 'BAD sign in first';
				if (String(args[0]) !== mailbox) return 'NO [NONEXISTENT] no such mailbox, dear sk-user';
				this.#opened = name === 'SELECT' ? 'write' : 'read';
				this.#send('* FLAGS (\\Seen \\Deleted)');
				this.#send(`* ${server.mails.length} EXISTS`);
				this.#send(`* OK [UIDVALIDITY ${server.uidValidity}] valid`);
				this.#send(`* OK [UIDNEXT ${server.uidNext}] next`);
				return `OK [READ-${this.#opened === 'write' ? 'WRITE' : 'ONLY'}] opened`;
			}
			case 'SEARCH':
				this.#send(
					`* SEARCH${this.#found(args)
						.map((one) => ` ${isUid ? one.uid : server.mails.indexOf(one) + 1}`)
						.join('')}`,
				);
				return 'OK done';
			case 'FETCH':
				return this.#fetch(String(args[0]), args[1] ?? '', isUid);
			case 'STORE':
			case 'EXPUNGE':
				return this.#opened === 'write' ? 'OK changed' : 'NO it is open for reading';
			default:
				return 'BAD what?';
		}
	}

	#found(args: readonly Token[]): StoredMail[] {
		const words = args.map((word) => String(word));
		return this.#around.server.mails.filter((stored) =>
			words.every((word, index) => {
				const value = words[index + 1] ?? '';
				if (word.toUpperCase() === 'UID') return this.#isIn(value, stored, true);
				if (word.toUpperCase() === 'SINCE') return stored.receivedAt.getTime() >= Date.parse(`${value} 00:00 UTC`);
				return true;
			}),
		);
	}

	#isIn(set: string, stored: StoredMail, isUid: boolean): boolean {
		const { mails } = this.#around.server;
		const number = isUid ? stored.uid : mails.indexOf(stored) + 1;
		const last = isUid ? (mails.at(-1)?.uid ?? 0) : mails.length;
		return set.split(',').some((range) => {
			const [from = 0, to] = range.split(':').map((end) => (end === '*' ? last : Number(end)));
			const until = to ?? from;
			return number >= Math.min(from, until) && number <= Math.max(from, until);
		});
	}

	#fetch(set: string, asked: Token, isUid: boolean): string {
		if (this.#opened === 'no') return 'BAD open one first';
		const items = Array.isArray(asked) ? asked.map(String) : [String(asked)];
		for (const [index, stored] of this.#around.server.mails.entries()) {
			if (!this.#isIn(set, stored, isUid)) continue;
			const wanted = isUid && !items.includes('UID') ? ['UID', ...items] : items;
			this.#send(`* ${index + 1} FETCH (${wanted.map((item) => this.#item(item, stored)).join(' ')})`);
		}
		return 'OK done';
	}

	#item(item: string, stored: StoredMail): string {
		const name = item.toUpperCase();
		if (name === 'UID') return `UID ${stored.uid}`;
		if (name === 'FLAGS') return `FLAGS (${[...stored.flags].join(' ')})`;
		if (name === 'RFC822.SIZE') return `RFC822.SIZE ${stored.raw.length}`;
		if (name === 'INTERNALDATE') return `INTERNALDATE "${internalDate(stored.receivedAt)}"`;
		if (name === 'BODYSTRUCTURE') return `BODYSTRUCTURE ${bodyStructure(parseMime(stored.raw))}`;
		const body = /^BODY(\.PEEK)?\[(.*)\](?:<(\d+)\.(\d+)>)?$/.exec(name);
		if (!body) return `${name} NIL`;
		const [, peek, section = '', start, length] = body;
		if (peek === undefined && this.#opened === 'write') {
			stored.flags.add('\\Seen');
			this.#around.server.writes.push(item);
		}
		const whole = sectionOf(stored.raw, section);
		const from = Number(start ?? 0);
		const bytes = start === undefined ? whole : whole?.subarray(from, from + Number(length));
		const label = `BODY[${section}]${start === undefined ? '' : `<${start}>`}`;
		return bytes === undefined ? `${label} NIL` : `${label} {${bytes.length}}\r\n${bytes.toString('latin1')}`;
	}
}

function written(token: Token): string {
	return Array.isArray(token) ? `(${token.map(written).join(' ')})` : String(token);
}

function internalDate(date: Date): string {
	const [, day, month, year] = date.toUTCString().split(' ');
	return `${day}-${month}-${year} ${date.toISOString().slice(11, 19)} +0000`;
}
