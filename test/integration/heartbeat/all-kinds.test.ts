import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WatchedPlace } from '../../../src/domain/heartbeat.ts';
import { ServerId } from '../../../src/domain/tool-server.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { REPOSITORY, startForge } from '../../support/heartbeat/forge.ts';
import { mail } from '../../support/imap/mails.ts';
import { startImapServer } from '../../support/imap/server.ts';
import { connectFixture, startHttpFixture } from '../../support/mcp-fixture.ts';
import { ownCertificate } from '../../support/smtp-server.ts';
import { temporaryFolder } from '../../support/storage/folders.ts';

const PASSWORD = 'horse-battery-staple-7';
const certificate = ownCertificate();

test('S3 the running app looks into, adds and reads a source of each kind; a password stays where passwords are kept', async () => {
	const { home, remove } = temporaryHome();
	const { rpc, close, profileFolder } = await startApp(home);
	onTestFinished(remove);
	await rpc.secrets.choose({ store: 'memory' });
	const imap = await startImapServer({ security: 'tls', certificate, account: { user: 'owner', password: PASSWORD } });
	const forge = await startForge('gitea');
	const notes = await startHttpFixture(new Map([['notes://shopping', { text: 'zzmilk' }]]));
	onTestFinished(async () => void (await Promise.all([imap.close(), forge.close(), notes.close()])));
	imap.add(mail({ subject: 'A mail', text: 'zzmail' }));
	forge.issue('Broken', Date.now() - 60_000, { body: 'zzissue' });
	await connectFixture(rpc, notes);
	const path = temporaryFolder();
	writeFileSync(join(path, 'note.md'), 'zznote');
	const calendar = join(temporaryFolder(), 'village.ics');
	const tomorrow = new Date(Date.now() + 86_400_000).toISOString().replace(/[-:]|\.\d+/g, '');
	const event = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:zzfair', `DTSTART:${tomorrow}`, 'END:VEVENT'];
	writeFileSync(calendar, ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n'));

	const mailbox = { kind: 'mailbox', host: '127.0.0.1', port: imap.port, security: 'tls', user: 'owner', mailbox: 'INBOX' } as const;
	const refused = await rpc.sources.preview({ place: mailbox, secret: PASSWORD }).catch((error: unknown) => JSON.stringify(error));
	const hash = new X509Certificate(certificate.cert).fingerprint256.replaceAll(':', '').toLowerCase();
	expect(refused).toContain(hash);
	const places: [WatchedPlace, string][] = [
		[{ ...mailbox, certificate: hash }, 'zzmail'],
		[{ kind: 'issues', service: 'gitea', baseUrl: forge.url, repository: REPOSITORY }, 'zzissue'],
		[{ kind: 'folder', path }, 'zznote'],
		[{ kind: 'calendar_file', path: calendar }, 'zzfair'],
		[{ kind: 'resource', server: ServerId.parse('fixture'), uri: 'notes://shopping' }, 'zzmilk'],
	];
	for (const [place, word] of places) {
		const secret = place.kind === 'mailbox' ? PASSWORD : undefined;
		const preview = await rpc.sources.preview({ place, secret });
		expect(preview.items[0]?.text, place.kind).toContain(word);
		const { id } = await rpc.sources.add({ title: place.kind, place, secret });
		const { items, source } = await rpc.sources.test({ sourceId: id });
		expect([items, source.health.kind], place.kind).toEqual([1, 'ok']);
		expect((await rpc.sources.items({ sourceId: id }))[0]?.text).toContain(word);
	}
	expect(imap.writes).toEqual([]);
	await close();
	const files = readdirSync(profileFolder, { recursive: true, encoding: 'utf8' }).map((name) => join(profileFolder, name));
	const told = files.filter((file) => statSync(file).isFile() && readFileSync(file).includes(PASSWORD));
	expect(told).toEqual([]);
});
