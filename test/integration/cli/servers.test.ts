import { expect, test } from 'vitest';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { cli, cliHere, startCliAtTerminal } from '../../support/cli.ts';
import { startHttpFixture } from '../../support/mcp-fixture.ts';

test('tool servers on the command line: set up, looked at, approved at a terminal only, removed', async () => {
	const home = temporaryHome();
	const fixture = await startHttpFixture();
	const app = await startApp(home.home);
	try {
		const { secrets } = app.rpc;
		await secrets.choose({ store: 'memory' });
		const add = ['servers', 'add', 'notes', '--title', 'Notes', '--url', fixture.url, '--header', 'X-Key'];
		const added = await cli(home.home, add, JSON.stringify({ 'X-Key': 'sesame-4711' }));
		expect(added).toMatchObject({ code: 0 });
		expect(added.stderr).toContain('What the agent sends to its tools leaves this computer.');
		const tested = await cliHere(home.home, ['servers', 'test', 'notes']);
		expect(tested.stdout).toContain('0 approved, 2 waiting for you');
		expect(tested.code).toBe(3);
		expect(fixture.headers['x-key']).toBe('sesame-4711');
		const tools = await cliHere(home.home, ['servers', 'tools', 'notes']);
		expect(tools.stdout).toContain('record (mcp_notes_record): new, waits for you');
		expect(tools.stdout).toContain('description: Records a note.');

		// B3: a script is not the owner.
		const scripted = await cli(home.home, ['servers', 'approve', 'notes'], 'y\ny\n');
		expect(scripted.code).toBe(3);
		expect(scripted.stderr).toContain('Tools are approved only by you');
		const typed = startCliAtTerminal(home.home, ['servers', 'approve', 'notes', 'record']);
		await typed.says('May the agent be offered this tool?');
		typed.child.stdin?.write('y\n');
		expect((await typed.ended).stdout).toContain('Approved: record.');
		const listed = await cliHere(home.home, ['--json', 'servers', 'list']);
		expect(JSON.parse(listed.stdout)).toMatchObject([{ tools: { approved: 1, waiting: 1 }, missing: [], state: { kind: 'connected' } }]);
		expect(listed.stdout).not.toContain('sesame');

		const removing = startCliAtTerminal(home.home, ['servers', 'remove', 'notes']);
		await removing.says('with its approvals');
		removing.child.stdin?.write('y\n');
		await removing.ended;
		expect((await app.rpc.servers.list()).servers).toEqual([]);
		expect((await secrets.status()).names).toEqual([]);
	} finally {
		await app.close();
		await fixture.close();
		home.remove();
	}
});
