import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
	readonly from: string;
	readonly to: string[];
	/** As it came, headers and all. */
	readonly raw: string;
	readonly secure: boolean;
	readonly user: string | undefined;
}

export interface MailServer {
	readonly port: number;
	readonly mails: ReceivedMail[];
	/** Sign-ins that were tried: user and password. */
	readonly signIns: string[];
	/** Called when all of a mail has come, before the server says that it took it. */
	beforeAnswer: (() => Promise<void> | void) | undefined;
	/** Recipients that it does not take. */
	readonly unknown: Set<string>;
	close(): Promise<void>;
}

export interface MailServerOptions {
	readonly security: 'tls' | 'starttls' | 'none';
	readonly certificate?: Certificate;
	/** `user:password`; left out: it wants no sign-in. */
	readonly account?: string;
	/** It says that it can't do STARTTLS although it could. */
	readonly hideStartTls?: boolean;
}

/** A mail server on loopback that speaks SMTP. */
export async function startMailServer({ security, certificate, account, hideStartTls = false }: MailServerOptions): Promise<MailServer> {
	const mails: ReceivedMail[] = [];
	const signIns: string[] = [];
	const unknown = new Set<string>();
	const server = new SMTPServer({
		secure: security === 'tls',
		...certificate,
		disabledCommands: [...(account === undefined ? ['AUTH'] : []), ...(security === 'none' || hideStartTls ? ['STARTTLS'] : [])],
		authOptional: account === undefined,
		allowInsecureAuth: security === 'none',
		logger: false,
		onAuth(auth, _, done) {
			const given = `${auth.username}:${auth.password}`;
			signIns.push(given);
			if (given === account) done(null, { user: auth.username });
			else done(Object.assign(new Error('wrong password, dear sk-user'), { responseCode: 535 }));
		},
		onRcptTo({ address }, _, done) {
			if (unknown.has(address)) done(Object.assign(new Error('no such user'), { responseCode: 550 }));
			else done();
		},
		onData(stream, session, done) {
			const pieces: Buffer[] = [];
			stream.on('data', (piece: Buffer) => pieces.push(piece));
			stream.on('end', () => {
				const { mailFrom, rcptTo } = session.envelope;
				mails.push({
					from: mailFrom === false ? '' : mailFrom.address,
					to: rcptTo.map(({ address }) => address),
					raw: Buffer.concat(pieces).toString('utf8'),
					secure: session.secure,
					user: typeof session.user === 'string' ? session.user : undefined,
				});
				void Promise.resolve(mail.beforeAnswer?.()).then(() => done(), done);
			});
		},
	});
	server.on('error', () => undefined);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const mail: MailServer = {
		port: (server.server.address() as AddressInfo).port,
		mails,
		signIns,
		beforeAnswer: undefined,
		unknown,
		close: () => new Promise((resolve) => server.close(() => resolve())),
	};
	return mail;
}

export interface Certificate {
	readonly key: string;
	readonly cert: string;
}

/** For `localhost` and 127.0.0.1, signed by itself. */
export function ownCertificate(): Certificate {
	const folder = mkdtempSync(join(tmpdir(), 'hearth-certificate-'));
	try {
		const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
		const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
		execFileSync(
			'openssl',
			[
				'req',
				'-x509',
				'-newkey',
				'ec',
				'-pkeyopt',
				'ec_paramgen_curve:prime256v1',
				'-nodes',
				'-days',
				'2',
				'-subj',
				'/CN=localhost',
				'-addext',
				names,
				'-keyout',
				key,
				'-out',
				cert,
			],
			{ stdio: 'ignore' },
		);
		return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
