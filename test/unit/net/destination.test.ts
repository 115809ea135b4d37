import { describe, expect, test } from 'vitest';
import type { HearthError } from '../../../src/domain/errors.ts';
import { checkDestination, checkRedirect, isLoopback, isPrivate, mayConnect } from '../../../src/net/destination.ts';

const named = (baseUrl: string) => ({ baseUrl, ownerNamed: true });
const shipped = (baseUrl: string) => ({ baseUrl, ownerNamed: false });

function codeOf(work: () => unknown): string {
	try {
		work();
		return 'allowed';
	} catch (error) {
		return (error as HearthError).code;
	}
}

describe('where a call may go', () => {
	test.each([
		['http://127.0.0.1:11434/api/chat', named('http://127.0.0.1:11434'), 'allowed'],
		['http://192.168.1.5:8000/v1/models', named('http://192.168.1.5:8000/v1'), 'allowed'],
		['https://api.openai.com/v1/models', shipped('https://api.openai.com/v1'), 'allowed'],
		['http://127.0.0.1:11434/x', named('http://127.0.0.1:1234'), 'network_denied'],
		['https://evil.example/v1', shipped('https://api.openai.com/v1'), 'network_denied'],
		['http://api.openai.com/v1', shipped('https://api.openai.com/v1'), 'network_denied'],
		['https://api.openai.com.evil.example/v1', shipped('https://api.openai.com/v1'), 'network_denied'],
		['http://127.0.0.1/v1', shipped('http://127.0.0.1/v1'), 'network_denied'],
		['http://2130706433/v1', shipped('http://2130706433/v1'), 'network_denied'],
		['http://[::ffff:127.0.0.1]/v1', shipped('http://[::ffff:127.0.0.1]/v1'), 'network_denied'],
		['http://169.254.169.254/latest', shipped('http://169.254.169.254'), 'network_denied'],
		['http://169.254.169.254/latest', named('http://169.254.169.254'), 'network_denied'],
		['http://2852039166/latest', named('http://2852039166'), 'network_denied'],
		['http://[::ffff:169.254.169.254]/v1', named('http://[::ffff:169.254.169.254]/v1'), 'network_denied'],
		['http://[fd00:ec2::254]/v1', named('http://[fd00:ec2::254]/v1'), 'network_denied'],
		['http://[fd00:0ec2:0:0:0:0:0:254]/v1', named('http://[fd00:ec2::254]/v1'), 'network_denied'],
		['http://100.100.100.200/v1', named('http://100.100.100.200/v1'), 'network_denied'],
		['http://169.254.7.7:11434/api/chat', named('http://169.254.7.7:11434'), 'allowed'],
		['http://[fd00::5]:11434/api/chat', named('http://[fd00::5]:11434'), 'allowed'],
		['file:///etc/passwd', named('file:///etc/passwd'), 'network_denied'],
		['http://user:pw@127.0.0.1:1/x', named('http://127.0.0.1:1'), 'network_denied'],
		['nonsense', named('http://127.0.0.1:1'), 'network_denied'],
	])('%s', (url, allow, expected) => {
		expect(codeOf(() => checkDestination(url, allow))).toBe(expected);
	});

	test.each([
		['93.184.216.34', true, true],
		['127.0.0.1', true, false],
		['::1', true, false],
		['192.168.0.7', true, false],
		['10.0.0.1', true, false],
		['::ffff:10.0.0.1', true, false],
		['169.254.169.254', false, false],
		['fe80::1', false, false],
		['fd00:ec2::254', false, false],
		['fd00::5', true, false],
		['100.100.100.200', false, false],
		['0.0.0.0', false, false],
		['nonsense', false, false],
	])('a name that resolves to %s: when the owner named it %s, else %s', (address, ifNamed, ifShipped) => {
		expect(mayConnect(address, { ownerNamed: true })).toBe(ifNamed);
		expect(mayConnect(address, { ownerNamed: false })).toBe(ifShipped);
	});

	test.each([
		['http://a.example/v1', '/v2', 'allowed'],
		['http://a.example/v1', 'https://a.example/v1', 'allowed'],
		['https://a.example/v1', 'http://a.example/v1', 'network_denied'],
		['https://a.example/v1', 'https://b.example/v1', 'network_denied'],
		['http://127.0.0.1:1/v1', 'http://127.0.0.1:2/v1', 'network_denied'],
		['https://a.example/v1', 'file:///etc/passwd', 'network_denied'],
	])('a redirect from %s to %s', (from, to, expected) => {
		expect(codeOf(() => checkRedirect(new URL(from), to))).toBe(expected);
	});

	test('S5 the refusal of a metadata service says what the address is', () => {
		const ask = () => checkDestination('http://169.254.169.254/v1', named('http://169.254.169.254/v1'));
		expect(ask).toThrow('It is the metadata service of a cloud');
	});

	test('what counts as this machine and as the local network', () => {
		expect(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'http://0.0.0.0:1'].map(isLoopback)).toEqual([
			true,
			true,
			true,
			true,
		]);
		expect(['http://192.168.1.2', 'https://api.openai.com', 'nonsense'].map(isLoopback)).toEqual([false, false, false]);
		expect(
			['http://192.168.1.2', 'http://nas', 'http://nas.local', 'http://gpu.lan:8000', 'http://box.tail1.ts.net:11434'].map(isPrivate),
		).toEqual([true, true, true, true, true]);
		expect(['http://api.example.com', 'http://8.8.8.8'].map(isPrivate)).toEqual([false, false]);
	});
});
