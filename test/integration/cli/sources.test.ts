import { expect, onTestFinished, test } from 'vitest';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { cliHere, startCliAtTerminal } from '../../support/cli.ts';
import { heardEvents } from '../../support/heard-events.ts';
import { rss, startFeedServer } from '../../support/heartbeat/feeds.ts';
import { html } from '../../support/web-server.ts';

test('S3 sources on the command line: looked at, added, tested, shown, paused, removed at a terminal only; views are told', async () => {
	const home = temporaryHome();
	onTestFinished(home.remove);
	const web = await startFeedServer();
	onTestFinished(() => web.close());
	web.serve(
		rss([
			{ id: '2', title: 'The mill opens', text: 'On Sunday.' },
			{ id: '1', title: 'The bridge is shut \u202e', text: 'Until Friday.' },
		]),
	);
	web.on(
		'/',
		html(
			'<p>paper</p>',
			'<title>Paper</title><link rel="alternate" type="application/rss+xml" title="News" href="/feed"><link rel="alternate" type="application/rss+xml" title="Comments" href="/comments">',
		),
	);
	const app = await startApp(home.home);
	onTestFinished(() => app.close());
	await app.rpc.secrets.choose({ store: 'memory' });
	const events = heardEvents(app);
	const hearth = (...args: string[]) => cliHere(home.home, args);

	const unsure = await hearth('sources', 'add', web.url);
	expect(unsure).toMatchObject({ code: 3, stdout: expect.stringMatching(/1\. +feed +News[\s\S]+2\. +feed +Comments[\s\S]+3\. +page/) });
	expect((await hearth('sources', 'list')).stdout).toContain('Nothing is watched.');
	const added = await hearth('sources', 'add', web.url, '--choice', '1', '--every', '15');
	expect(added.stdout).toContain(`“Paper: News” is watched: ${web.url}/feed.`);
	expect((await hearth('sources', 'add', `${web.url}/feed`)).stderr).toContain('reads this place already');

	const tested = await hearth('sources', 'test', 'Paper: News');
	expect(tested.stdout).toContain('Paper: News: 2 new items');
	const shown = await hearth('sources', 'show', 'Paper: News');
	expect(shown.stdout).toContain('State: fine');
	expect(shown.stdout).toContain('2 items kept, 2 unread');
	expect(shown.stdout).toContain('The bridge is shut \ufffd');
	expect(JSON.parse((await hearth('--json', 'sources', 'pause', 'Paper: News')).stdout)).toMatchObject({ paused: true });
	expect((await hearth('sources', 'list')).stdout).toContain('paused');
	await hearth('sources', 'resume', 'Paper: News');

	web.on('/private', (_, response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(rss([])));
	const secret = await hearth('sources', 'add', `${web.url}/private?key=hunter2`, '--secret-address', '--title', 'Mine', '--from-now');
	expect(secret.stdout).toContain(`“Mine” is watched: ${web.url} (secret address).`);
	expect((await hearth('--json', 'sources', 'list')).stdout).not.toContain('hunter2');

	expect(await hearth('sources', 'remove', 'Mine')).toMatchObject({ code: 3 });
	const removing = startCliAtTerminal(home.home, ['sources', 'remove', 'Mine']);
	await removing.says('Remove “Mine”?');
	removing.child.stdin?.write('y\n');
	expect((await removing.ended).stdout).toContain('Removed');
	expect((await app.rpc.sources.list()).sources.map(({ title }) => title)).toEqual(['Paper: News']);
	expect((await app.rpc.secrets.status()).names).toEqual([]);
	expect(events.filter(({ type }) => type === 'sources_changed').length).toBeGreaterThanOrEqual(6);
});
