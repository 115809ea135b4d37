import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HearthError } from '../../../src/domain/errors.ts';
import { checkDestination, mayConnect } from '../../../src/net/destination.ts';
import { networkTouch, pageAddress, reachOf } from '../../../src/net/page-address.ts';

function outcome(written: string): string {
	try {
		const url = pageAddress(written);
		return checkDestination(url.href, reachOf(url, undefined), 'page').href;
	} catch (error) {
		return error instanceof HearthError ? error.code : String(error);
	}
}

describe('S2 the address of a page', () => {
	test.each([
		['https://example.com/a?b=c#frag', 'https://example.com/a?b=c'],
		['  HTTPS://EXAMPLE.com:443/ ', 'https://example.com/'],
		['https://example.com./x', 'https://example.com/x'],
		['https://ex\u0430mple.com/', 'https://xn--exmple-4nf.com/'],
		['https://bücher.example/', 'https://xn--bcher-kva.example/'],
		['https://example.com:8443/', 'https://example.com:8443/'],
		['http://93.184.216.34/', 'http://93.184.216.34/'],
		['http://[2606:2800:220:1::1]/', 'http://[2606:2800:220:1::1]/'],
	])('%s is called as %s', (written, called) => expect(outcome(written)).toBe(called));

	test.each([
		'file:///etc/passwd',
		'gopher://example.com/1',
		'ftp://example.com/',
		'data:text/html,x',
		'javascript:alert(1)',
		'view-source:https://example.com',
		'//example.com/',
		'example.com',
		'',
		'http://',
		'http://user@example.com/',
		'http://user:pw@example.com/',
		'http://good.example@127.0.0.1/',
		'http://example.com:22/',
		'http://example.com:25/',
		'http://example.com:6379/',
		'http://example.com:0/',
		'http://example.com:99999/',
		'http://.example.com/',
		'http://example..com/',
		// This machine, in every way to write it.
		'http://127.0.0.1/',
		'http://127.1/',
		'http://127.0.0.1./',
		'http://2130706433/',
		'http://0x7f000001/',
		'http://0x7f.0x0.0x0.0x1/',
		'http://0177.0.0.1/',
		'http://017700000001/',
		'http://0/',
		'http://0.0.0.0/',
		'http://[::1]/',
		'http://[::]/',
		'http://[::ffff:127.0.0.1]/',
		'http://[::ffff:7f00:1]/',
		'http://[::7f00:1]/',
		'http://[0:0:0:0:0:ffff:127.0.0.1]/',
		'http://[64:ff9b::7f00:1]/',
		'http://[64:ff9b:1::7f00:1]/',
		'http://[2002:7f00:1::]/',
		'http://[2001:0:7f00:1::]/',
		'http://[fe80::1%25eth0]/',
		'http://[fe80::1]/',
		'http://[fec0::1]/',
		'http://[fc00::1]/',
		'http://[ff02::1]/',
		'http://127。0。0。1/',
		'http://127．0．0．1/',
		'http://１２７.0.0.1/',
		'http://①②⑦.0.0.1/',
		'http://127%2e0%2e0%2e1/',
		// The network around it.
		'http://10.0.0.1/',
		'http://172.16.0.1/',
		'http://172.31.255.255/',
		'http://192.168.1.1/',
		'http://3232235777/',
		'http://100.64.0.1/',
		'http://169.254.1.1/',
		'http://198.18.0.1/',
		'http://192.0.2.1/',
		'http://224.0.0.1/',
		'http://240.0.0.1/',
		'http://255.255.255.255/',
		// Metadata of clouds.
		'http://169.254.169.254/latest/meta-data/',
		'http://0xa9fea9fe/',
		'http://2852039166/',
		'http://[::ffff:169.254.169.254]/',
		'http://100.100.100.200/',
		'http://[fd00:ec2::254]/',
	])('%s is refused', (written) => expect(outcome(written)).toBe('network_denied'));

	test.each([
		// One parser for the check and for the call: what it takes for the host is what is called.
		['http://example.com\\@127.0.0.1/', 'example.com'],
		['http://example.com#@127.0.0.1/', 'example.com'],
		['http://example.com?@127.0.0.1/', 'example.com'],
		['http://example.com/@127.0.0.1/', 'example.com'],
		['http:\\\\example.com\\x', 'example.com'],
		['http:example.com', 'example.com'],
		['http:///example.com/', 'example.com'],
		['http://exa\tmple.com/', 'example.com'],
		['http://example.com\n.evil.example/', 'example.com.evil.example'],
	])('%s leads to %s and nowhere else', (written, host) => expect(new URL(outcome(written)).host).toBe(host));

	test('an address that is longer than any page needs is refused: it would carry something out', () => {
		expect(outcome(`https://example.com/?q=${'x'.repeat(2_000)}`)).toBe('invalid_input');
	});

	test('a touch names the host as the network sees it', () => {
		expect(networkTouch(pageAddress('https://EXAMPLE.com.:8080/a'))).toEqual({
			sink: 'network',
			url: 'https://example.com:8080/a',
			host: 'example.com:8080',
			method: 'GET',
		});
	});
});

describe('S2 how far a name may lead', () => {
	const leads = (address: string, by: Parameters<typeof reachOf>[1], to: string) => mayConnect(to, reachOf(new URL(address), by));

	test('nobody named it: only a public address', () => {
		expect(
			['93.184.216.34', '127.0.0.1', '10.0.0.1', '169.254.169.254', '::1'].map((to) => leads('https://a.example/', undefined, to)),
		).toEqual([true, false, false, false, false]);
	});

	test('a name of the internet that a permission names may lead into the local network, never to this machine', () => {
		expect(
			['93.184.216.34', '10.0.0.1', '127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254'].map((to) =>
				leads('https://wiki.example/', 'permission', to),
			),
		).toEqual([true, true, false, false, false, false]);
		expect(leads('https://wiki.example/', 'message', '10.0.0.1')).toBe(false);
		expect(leads('https://wiki.example/', 'approval', '10.0.0.1')).toBe(false);
	});

	test('what is plainly written as private may be that, however the owner named it', () => {
		for (const by of ['permission', 'message', 'approval'] as const) {
			expect(leads('http://localhost:3000/', by, '127.0.0.1')).toBe(true);
			expect(leads('http://nas.local/', by, '192.168.1.5')).toBe(true);
			expect(leads('http://127.0.0.1:3000/', by, '127.0.0.1')).toBe(true);
			expect(leads('http://localhost:3000/', by, '169.254.169.254')).toBe(false);
		}
	});
});

describe('S2 properties of addresses', () => {
	/** What is not the internet, told by another library than the one that decides. */
	const inside = new BlockList();
	for (const [net, bits] of [
		['0.0.0.0', 8],
		['10.0.0.0', 8],
		['100.64.0.0', 10],
		['127.0.0.0', 8],
		['169.254.0.0', 16],
		['172.16.0.0', 12],
		['192.168.0.0', 16],
		['198.18.0.0', 15],
		['224.0.0.0', 3],
	] as const)
		inside.addSubnet(net, bits, 'ipv4');

	const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
	const near = fc.tuple(
		fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 224, 255),
		fc.constantFrom(0, 16, 18, 31, 64, 127, 168, 254),
		fc.nat(255),
		fc.nat(255),
	);

	test('an IPv4 address in any writing is called only where it is of the internet', () => {
		fc.assert(
			fc.property(fc.oneof(octets, near), fc.constantFrom('dotted', 'number', 'hex', 'octal', 'mapped', 'short'), ([a, b, c, d], form) => {
				const number = ((a * 256 + b) * 256 + c) * 256 + d;
				const written = {
					dotted: `${a}.${b}.${c}.${d}`,
					number: String(number),
					hex: `0x${number.toString(16)}`,
					octal: [a, b, c, d].map((each) => `0${each.toString(8)}`).join('.'),
					mapped: `[::ffff:${a}.${b}.${c}.${d}]`,
					short: `${a}.${b}.${c * 256 + d}`,
				}[form];
				const called = outcome(`http://${written}/`);
				if (inside.check(`${a}.${b}.${c}.${d}`)) expect(called).toBe('network_denied');
				else if (called !== 'network_denied') expect(mayConnect(`${a}.${b}.${c}.${d}`, { ownerNamed: false })).toBe(true);
			}),
			{ numRuns: 2_000 },
		);
	});

	test('whatever text is given, what comes out is http or https, without credentials or fragment, at a port of pages, and stays so', () => {
		const piece = fc.constantFrom(
			'http://',
			'https:',
			'//',
			'/',
			'\\',
			'@',
			':',
			'#',
			'?',
			'.',
			'..',
			'[',
			']',
			'::1',
			'127.0.0.1',
			'localhost',
			'a.example',
			'80',
			'22',
			'%00',
			'%2e',
			'。',
			'\t',
			'\n',
			' ',
			'\u202e',
			'ａ',
			'0x7f',
			'{',
			'|',
		);
		let called = 0;
		fc.assert(
			fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string({ maxLength: 5 })), { maxLength: 12 }), (pieces) => {
				const result = outcome(`http://${pieces.join('')}`);
				if (!/^https?:/.test(result)) return;
				called++;
				const url = new URL(result);
				expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
				expect(url.hostname).not.toMatch(/^\[::|\.$/);
				if (isIPv4(url.hostname)) expect(inside.check(url.hostname)).toBe(false);
				expect(['22', '25', '6379']).not.toContain(url.port);
				expect(outcome(result)).toBe(result);
			}),
			{ numRuns: 3_000 },
		);
		expect(called).toBeGreaterThan(50);
	});
});
