import path from 'node:path';
import { expect, test } from 'vitest';
import { assetFile, isOwnAddress, isViewPage, openableAddress } from '../../../electron/main/addresses.ts';
import { safeFilename } from '../../../electron/main/safe-filename.ts';

const root = '/srv/view';

test('S4 the app protocol serves files of the view', () => {
	expect(assetFile(root, 'app://bundle/')).toBe('/srv/view/index.html');
	expect(assetFile(root, 'app://bundle/index.html?x=1#/chat')).toBe('/srv/view/index.html');
	expect(assetFile(root, 'app://bundle/assets/main%20part.js')).toBe('/srv/view/assets/main part.js');
});

test.each([
	'app://bundle/../main/main.cjs',
	'app://bundle/%2e%2e/secret.json',
	'app://bundle/..%2f..%2fetc%2fpasswd.json',
	'app://bundle/assets/..%5c..%5csecret.json',
	'app://bundle/a%00.html',
	'app://bundle/%E0%A4%A.html',
	'app://elsewhere/index.html',
	'file:///srv/view/index.html',
	'app://bundle/notes.txt',
	'not an address',
])('S4 the app protocol stays inside its folder: %s', (address) => {
	const file = assetFile(root, address);
	// The address parser itself turns some of these into a name inside the folder; the others name nothing.
	expect(file === undefined || file === path.resolve(file)).toBe(true);
	expect(file === undefined || file.startsWith(`${root}/`)).toBe(true);
});

test('S4 only the view’s own page may be loaded again', () => {
	expect(isViewPage('app://bundle/index.html#/settings')).toBe(true);
	expect(isViewPage('app://bundle/')).toBe(true);
	expect(isViewPage('app://bundle/assets/index.js')).toBe(false);
	expect(isViewPage('app://bundle.example/')).toBe(false);
	expect(isOwnAddress('app://bundle.example/')).toBe(false);
	expect(isOwnAddress('app://bundle')).toBe(true);
});

test('S4 only web addresses and plain mail addresses are offered to the system', () => {
	expect(openableAddress('https://example.com/a?b#c')).toBe('https://example.com/a?b#c');
	expect(openableAddress('http://localhost:11434')).toBe('http://localhost:11434/');
	expect(openableAddress('https://p\u0430ypal.com')).toBe('https://xn--pypal-4ve.com/');
	expect(openableAddress('mailto:a.b+c@example.com')).toBe('mailto:a.b+c@example.com');
	// What a link adds is neither shown nor opened: no attachment, no hidden copy, no text in the owner's name.
	expect(openableAddress('mailto:a@example.com?bcc=b@example.com&attach=/etc/passwd#x')).toBe('mailto:a@example.com');
	for (const address of [
		'file:///etc/passwd',
		'javascript:alert(1)',
		'smb://host/share',
		'mailto:',
		'mailto:nobody',
		'mailto:?to=a@example.com',
		'mailto:a@example.com,b@example.com',
		'mailto:a@example.com%0Abcc:b@example.com',
		'mailto:"x" -attach /etc/passwd@example.com',
		'vscode://x',
		'nonsense',
		`https://example.com/${'a'.repeat(9_000)}`,
	])
		expect(openableAddress(address), address).toBeUndefined();
});

test('a file name to save under holds no folder and nothing that file systems refuse', () => {
	expect(safeFilename('../../etc/passwd')).toBe('etc passwd');
	expect(safeFilename('What is 3/4?: a "chat".md')).toBe('What is 3 4 a chat .md');
	expect(safeFilename('日本語の会話.md')).toBe('日本語の会話.md');
	expect(safeFilename('\u0000..')).toBe('hearth.txt');
	expect(safeFilename('a'.repeat(500)).length).toBe(120);
});
