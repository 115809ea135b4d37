import { expect, onTestFinished, test } from 'vitest';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { cli, cliHere } from '../../support/cli.ts';
import { startMailServer } from '../../support/smtp-server.ts';
import { send, startWebServer } from '../../support/web-server.ts';

test('what leaves this computer is set up and tried from the command line; secrets come by standard input and never back', async () => {
	const { home, remove } = temporaryHome();
	onTestFinished(remove);
	const [app, site, mail] = await Promise.all([
		startApp(home),
		startWebServer(),
		startMailServer({ security: 'none', account: 'me:sk-pass' }),
	]);
	for (const each of [app, site, mail]) onTestFinished(() => each.close());
	await app.rpc.secrets.choose({ store: 'memory' });
	site.on('/hook/T0KEN', send('ok', 'text/plain'));

	expect((await cliHere(home, ['outgoing', 'show'])).stdout).toMatch(/search\s+none\s+mail\s+none/);
	const hook = await cli(home, ['outgoing', 'webhook', 'ops'], `${site.url}/hook/T0KEN\n`);
	expect(hook).toMatchObject({ code: 0, stdout: expect.stringContaining(`webhook at ${site.host}`) });
	const account = ['--port', String(mail.port), '--security', 'none', '--user', 'me', '--from', 'me@home.example'];
	expect((await cli(home, ['outgoing', 'mail', '127.0.0.1', ...account, '--json'], 'sk-pass')).stdout).not.toMatch(/sk-pass|T0KEN/);
	expect(await cliHere(home, ['outgoing', 'test', 'mail'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was sent') });
	expect(mail.mails).toEqual([]);
	expect(await cliHere(home, ['outgoing', 'test', 'ops', '--send'])).toMatchObject({ code: 0 });
	expect(site.asked).toEqual(['POST /hook/T0KEN']);
	expect(await cliHere(home, ['outgoing', 'mail', 'mail.example.org', '--security', 'none', '--from', 'a@b.example'])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('unprotected'),
	});
});
