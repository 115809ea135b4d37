import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

/** A program for the sandbox that asks the proxy by hand: no need for curl. */
const ASK = (request: string): string => `printf '${request}' | socat -t 5 - TCP4:127.0.0.1:3128`;
const GET = (url: string, host: string): string => ASK(`GET ${url} HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n`);
const TUNNEL = (to: string, host: string): string =>
	`( printf 'CONNECT ${to} HTTP/1.1\\r\\nHost: ${to}\\r\\n\\r\\n'; sleep 0.5; printf 'GET /through HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n'; sleep 0.5 ) | socat -t 5 - TCP4:127.0.0.1:3128`;

describe.runIf(process.platform === 'linux')('the network of the sandbox', () => {
	let box: TestSandbox;
	let server: Server;
	let port: number;
	const asked: { url: string | undefined; host: string | undefined }[] = [];

	beforeAll(async () => {
		server = createServer((request, response) => {
			asked.push({ url: request.url, host: request.headers.host });
			response.end('the page');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const address = server.address();
		port = typeof address === 'object' && address ? address.port : 0;
		box = openTestSandbox({
			// A name that leads to this machine, one that leads to a metadata service, and one of the internet.
			lookup: (name, _options, done) => {
				const found: Record<string, string> = { 'inside.example.com': '127.0.0.1', 'metadata.example.com': '169.254.169.254' };
				done(null, [{ address: found[name] ?? '203.0.113.9', family: 4 }]);
			},
		});
	});
	afterAll(async () => {
		await box.close();
		server.close();
	});

	const reach = (hosts: string[], ownerNamed = true) => ({ network: { kind: 'hosts' as const, hosts, ownerNamed } });

	test('S2 a host that the owner named is reached, by request and by tunnel, and written down', async () => {
		const hosts = reach([`127.0.0.1:${port}`]);
		expect((await box.run(GET(`http://127.0.0.1:${port}/a?b`, 'elsewhere.example'), hosts)).text).toContain('the page');
		expect((await box.run(TUNNEL(`127.0.0.1:${port}`, 'x'), hosts)).text).toMatch(/200 Connection established[\s\S]*the page/);
		// Which site is asked follows from what was checked, not from what the program says.
		expect(asked).toEqual([
			{ url: '/a?b', host: `127.0.0.1:${port}` },
			{ url: '/through', host: 'x' },
		]);
		expect(box.calls).toMatchObject([
			{ purpose: 'command', host: `127.0.0.1:${port}` },
			{ purpose: 'command', host: `127.0.0.1:${port}` },
		]);
	});

	test('S2 no other host, port, scheme or address, and nothing past the proxy', async () => {
		asked.length = 0;
		const hosts = reach(['example.com']);
		for (const [url, host] of [
			[`http://127.0.0.1:${port}/`, '127.0.0.1'],
			['http://example.com:8080/', 'example.com'],
			['http://www.example.com/', 'www.example.com'],
			['http://169.254.169.254/latest/meta-data/', '169.254.169.254'],
			['http://2130706433/', 'example.com'],
		] as const)
			expect((await box.run(GET(url, host), hosts)).text).toMatch(/^HTTP\/1\.1 403/);
		expect((await box.run(GET('ftp://example.com/', 'example.com'), hosts)).text).toMatch(/^HTTP\/1\.1 400/);
		expect((await box.run(GET('http://user:pass@example.com/', 'example.com'), hosts)).text).toMatch(/^HTTP\/1\.1 400/);
		expect((await box.run(TUNNEL(`127.0.0.1:${port}`, 'x'), hosts)).text).toMatch(/^HTTP\/1\.1 403/);
		expect((await box.run(`socat -u /dev/null TCP4:127.0.0.1:${port} 2>/dev/null && echo REACHED`, hosts)).text).toBe('');
		expect(asked).toEqual([]);
	});

	test('S2 a name may not lead to this machine, and never to a metadata service, even where the owner named it', async () => {
		asked.length = 0;
		for (const name of ['inside.example.com', 'metadata.example.com'])
			for (const named of [true, false]) {
				const { text } = await box.run(GET(`http://${name}:${port}/`, name), reach([`*.example.com:${port}`], named));
				expect(text).toMatch(/^HTTP\/1\.1 403/);
			}
		const literal = await box.run(GET('http://169.254.169.254/', 'x'), reach(['169.254.169.254']));
		expect(literal.text).toMatch(/^HTTP\/1\.1 403/);
		const unnamed = await box.run(GET(`http://127.0.0.1:${port}/`, 'x'), reach([`127.0.0.1:${port}`], false));
		expect(unnamed.text).toMatch(/^HTTP\/1\.1 403/);
		expect(asked).toEqual([]);
	});

	test('programs are told of the proxy, at an address of their own', async () => {
		const { text } = await box.run('echo $HTTPS_PROXY $http_proxy $NO_PROXY; ls /run', reach(['example.com']));
		expect(text).toBe('http://127.0.0.1:3128 http://127.0.0.1:3128 localhost,127.0.0.1,::1\nhearth-proxy.sock\n');
	});

	test('a program that waits for all of its own does not wait for the way to the proxy', async () => {
		const { code } = await box.run('sleep 0.1 & wait; perl -e "1 while wait != -1"', reach(['example.com']));
		expect(code).toBe(0);
	});
});
