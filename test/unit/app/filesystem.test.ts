import { expect, test } from 'vitest';
import { type FilesystemSource, sharedPlaceOf, sharedPlaceWarning } from '../../../src/app/filesystem.ts';

const LINUX = [
	'/dev/vda1 / ext4 rw,relatime 0 0',
	'tmpfs /run tmpfs rw 0 0',
	'server:/homes /home/ada nfs4 rw,vers=4.2 0 0',
	'//nas/share /mnt/with\\040space cifs rw 0 0',
	'ada@host:/ /home/ada/remote fuse.sshfs rw 0 0',
	'/dev/vdb1 /home/ada/local ext4 rw 0 0',
	'server:/old /srv nfs rw 0 0',
	'/dev/vdc1 /srv xfs rw 0 0',
].join('\n');

const MAC = [
	'/dev/disk3s1s1 on / (apfs, sealed, local)',
	'//ada@nas._smb._tcp.local/home on /Volumes/home (smbfs, nodev, nosuid, mounted by ada)',
].join('\n');

function source(platform: NodeJS.Platform, mounts: string): FilesystemSource {
	return { platform, mounts: async () => mounts, realpath: async (path) => path };
}

test.each([
	['/home/ada/.hearth/profiles/default', 'nfs4'],
	['/home/ada', 'nfs4'],
	['/mnt/with space/hearth', 'cifs'],
	['/home/ada/remote/hearth', 'fuse.sshfs'],
])('on Linux %s lies on %s', async (path, type) => {
	expect(await sharedPlaceOf(path, source('linux', LINUX))).toEqual({ kind: 'network', type });
});

test.each(['/root/.hearth', '/home/adam/.hearth', '/home/ada/local/hearth', '/srv/hearth'])('on Linux %s is local', async (path) => {
	expect(await sharedPlaceOf(path, source('linux', LINUX))).toBeUndefined();
});

test('a macOS volume from a server is recognised', async () => {
	expect(await sharedPlaceOf('/Volumes/home/.hearth', source('darwin', MAC))).toEqual({ kind: 'network', type: 'smbfs' });
	expect(await sharedPlaceOf('/Users/ada/.hearth', source('darwin', MAC))).toBeUndefined();
});

test('a Windows path to a server is recognised', async () => {
	expect(await sharedPlaceOf('\\\\nas\\home\\.hearth', source('win32', ''))).toEqual({ kind: 'network', type: 'smb' });
	expect(await sharedPlaceOf('C:\\Users\\ada\\.hearth', source('win32', ''))).toBeUndefined();
	expect(await sharedPlaceOf('\\\\?\\C:\\Users\\ada\\.hearth', source('win32', ''))).toBeUndefined();
});

test.each([
	['/home/ada/Dropbox/hearth', 'Dropbox'],
	['/Users/ada/Library/Mobile Documents/hearth', 'iCloud Drive'],
	['C:\\Users\\ada\\OneDrive - Work\\hearth', 'OneDrive'],
])('%s is kept in step by %s', async (path, type) => {
	expect(await sharedPlaceOf(path, source('linux', LINUX))).toEqual({ kind: 'synced', type });
});

test('S5 the warning says what is at risk and what to do', () => {
	for (const place of [{ kind: 'network', type: 'nfs4' } as const, { kind: 'synced', type: 'Dropbox' } as const]) {
		const warning = sharedPlaceWarning(place);
		expect(warning.message).toContain(place.type);
		expect(warning.safe).toBeTruthy();
		expect(warning.action).toContain('Move the profile');
	}
});

test('the real source answers on this machine', async () => {
	const place = await sharedPlaceOf('/');
	expect(place === undefined || place.kind === 'network').toBe(true);
});
