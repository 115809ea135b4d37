import { spawn } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive, openTestSandbox, PROFILE_SECRET, type TestSandbox } from '../../support/sandbox/sandbox.ts';

/** On Linux these fail where there is no sandbox: a machine that runs Hearth's commands has one, or says that it has none. */
describe.runIf(process.platform === 'linux')('programs in the sandbox', () => {
	let box: TestSandbox;
	beforeAll(async () => {
		box = openTestSandbox();
		expect(await box.sandbox.status()).toEqual({ kind: 'bubblewrap', why: 'Commands run in bubblewrap.', network: true });
	});
	afterAll(() => box.close());

	test('S2 a command works: it reads and writes in the workspace, as nobody in particular, and its exit code is told', async () => {
		writeFileSync(join(box.workspace, 'in.txt'), 'given');
		const { text, code } = await box.run('cat in.txt; echo made > out.txt; pwd; id -un; echo $HOME; exit 7');
		expect(text).toBe('given/workspace\nowner\n/tmp/home\n');
		expect(code).toBe(7);
		expect(readFileSync(join(box.workspace, 'out.txt'), 'utf8')).toBe('made\n');
	});

	test('S2 S3 nothing of the profile, of Hearth’s home or of its environment is seen', async () => {
		process.env.HEARTH_TEST_KEY = 'sk-from-the-environment';
		const places = ['MEMORY.md', 'hearth.token', 'hearth.sock', 'config.json', 'state.db'].map((name) => `"${join(box.profile, name)}"`);
		const { text } = await box.run(
			`cat ${places.join(' ')}; ls "${box.home}" "${box.profile}"; env; cat /proc/1/environ /proc/self/environ`,
		);
		delete process.env.HEARTH_TEST_KEY;
		expect(text).not.toContain(PROFILE_SECRET);
		expect(text).not.toContain('sk-from-the-environment');
		expect(text.match(/No such file/g)?.length).toBeGreaterThanOrEqual(7);
	});

	test('S2 Hearth’s folder is never given, and stays hidden in a folder that holds it', async () => {
		const given = (path: string, access: 'read' | 'write' = 'write') => ({ folders: [{ path, access }], cwd: path });
		for (const path of [box.profile, box.home, join(box.profile, '..')])
			await expect(box.run('true', given(path))).rejects.toThrow('Hearth’s own');
		symlinkSync(box.profile, join(box.workspace, 'to-the-profile'));
		await expect(box.run('true', given(join(box.workspace, 'to-the-profile')))).rejects.toThrow('Hearth’s own');
		const around = dirname(box.home);
		for (const more of [given(around, 'read'), { ...given(around, 'read'), home: 'write' as const }]) {
			const { text } = await box.run(`ls -A "${box.home}"; cat "${box.profile}/MEMORY.md"; ls "${around}"`, more);
			expect(text).not.toContain(PROFILE_SECRET);
			expect(text).toContain(basename(box.home));
		}
		const { text } = await box.run(`cat here; ls -A "${box.profile}"`, {
			folders: [
				{ path: around, access: 'read' },
				{ path: box.workspace, access: 'write' },
			],
		});
		expect(text).toContain('workspace');
		expect(text).not.toContain('hearth.token');
	});

	test('S2 no home, no passwords, no sockets of the machine', async () => {
		const home = process.env.HOME ?? '/root';
		const { text } = await box.run(
			`cat /etc/shadow; ls -A "${home}"; ls -A /home /root /run/user /var/run /var/lib /mnt /media /srv /sys; ls /run/docker.sock /var/run/docker.sock /tmp/.X11-unix; cat /etc/passwd; hostname; find / -xdev -type s 2>/dev/null`,
		);
		expect(text).toMatch(/^root:x:0/m);
		expect(text.match(/No such file/g)?.length).toBeGreaterThanOrEqual(11);
		expect(text.trim().split('\n').at(-1)).toBe('hearth');
	});

	test('S2 no other process is seen, ended or traced', async () => {
		const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
		const { pid } = bystander;
		const { text } = await box.run(
			`kill -9 ${pid}; kill -9 ${process.pid}; cat /proc/${pid}/cmdline; ls /proc/${process.pid}/fd; kill -9 -1; echo still here; ls -d /proc/[0-9]* | wc -l`,
		);
		expect(isAlive(pid ?? 0)).toBe(true);
		bystander.kill();
		// `kill -1` ends the command itself at the latest; what is left of it stays within.
		expect(text).toContain('No such process');
		const traced = await box.run(`grep -E "^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs)" /proc/self/status; ls -d /proc/[0-9]* | wc -l`);
		expect(traced.text).toMatch(/CapEff:\t0000000000000000/);
		expect(traced.text).toMatch(/CapBnd:\t0000000000000000/);
		expect(traced.text).toMatch(/NoNewPrivs:\t1/);
		expect(Number(traced.text.trim().split('\n').at(-1))).toBeLessThan(8);
	});

	test('S2 nothing is written outside the workspace: by path, `..`, link, hard link or the root of a process', async () => {
		const outside = join(box.home, 'outside.txt');
		writeFileSync(outside, 'as it was');
		symlinkSync(outside, join(box.workspace, 'link.txt'));
		symlinkSync(box.home, join(box.workspace, 'way-out'));
		mkdirSync(join(box.workspace, 'sub'), { recursive: true });
		const tries = [
			`echo gone > "${outside}"`,
			'echo gone > ../outside.txt',
			'echo gone > ../../../outside.txt',
			'echo gone > link.txt',
			'echo gone > way-out/outside.txt',
			`echo gone > /proc/self/root${outside}`,
			`echo gone > /proc/1/root${outside}`,
			`echo gone > /proc/1/cwd/outside.txt`,
			`ln "${outside}" sub/hard.txt`,
			'ln /etc/passwd sub/passwd.txt && echo gone >> sub/passwd.txt',
			'echo gone > /usr/hearth-was-here',
			'echo gone > /etc/hearth-was-here',
			'echo gone > /hearth-was-here',
			'echo gone > /dev/hearth-was-here',
			'echo gone > /run/hearth-was-here',
			'echo gone > /proc/sys/kernel/core_pattern',
			'echo h > /proc/sysrq-trigger',
		];
		await box.run(tries.map((one) => `( ${one} ) 2>/dev/null`).join('; '));
		expect(readFileSync(outside, 'utf8')).toBe('as it was');
		for (const place of ['/usr', '/etc', '/', '/dev', '/run']) expect(existsSync(join(place, 'hearth-was-here'))).toBe(false);
		expect(existsSync(join(box.workspace, 'sub/hard.txt'))).toBe(false);
		expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).not.toContain('gone');
	});

	test('S2 what a command links to in the workspace is not followed out by Hearth’s own looks', async () => {
		const { text } = await box.run(`ln -s /etc/shadow shadow; ln -s "${box.profile}/MEMORY.md" memory; cat memory; ls -l`);
		expect(text).not.toContain(PROFILE_SECRET);
	});

	test('S2 no mounts, no rooms within the room, no other user', async () => {
		const { text } = await box.run(
			'mount -t tmpfs none /usr && echo MOUNTED; umount /proc/sys && echo UNMOUNTED; unshare -Ur true && echo UNSHARED; unshare -m true && echo UNSHARED; chroot / true && echo CHROOTED; su -c true 2>&1; find / -xdev -perm -4000 -newer /etc/passwd 2>/dev/null; cp /bin/sh ./sh; chmod u+s ./sh; ./sh -p -c "id -u"; mknod ./disk b 8 0 && echo NODE',
		);
		expect(text).not.toMatch(/MOUNTED|UNSHARED|CHROOTED|NODE/);
		expect(text).toMatch(/^1000$/m);
	});

	test('S2 no network: not a service on this machine, not a metadata service, not the local network, no names', async () => {
		const seen: string[] = [];
		const server = createServer((socket) => {
			seen.push('somebody came');
			socket.destroy();
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const address = server.address();
		const port = typeof address === 'object' && address ? address.port : 0;
		const { text } = await box.run(
			`for to in 127.0.0.1:${port} 169.254.169.254:80 192.168.0.1:80 10.0.0.1:80 1.1.1.1:53; do socat -u /dev/null TCP4:$to,connect-timeout=2 2>/dev/null && echo REACHED $to; done; getent hosts example.com && echo NAMED; cat /proc/net/dev | grep -v lo: ; cat /etc/resolv.conf`,
		);
		server.close();
		expect(seen).toEqual([]);
		expect(text).not.toMatch(/REACHED|NAMED/);
		expect(text).toContain('/etc/resolv.conf');
		expect(text).not.toMatch(/eth0|en[ops]/);
	});

	test('S2 sockets without a place on the disk are this machine’s, and not there', async () => {
		const listener = spawn('socat', ['-u', 'ABSTRACT-LISTEN:hearth-test-abstract,fork', 'OPEN:/dev/null'], { stdio: 'ignore' });
		await expect.poll(() => readFileSync('/proc/net/unix', 'utf8')).toContain('@hearth-test-abstract');
		const { text } = await box.run(
			'socat -u /dev/null ABSTRACT-CONNECT:hearth-test-abstract 2>/dev/null && echo REACHED; cat /proc/net/unix',
		);
		listener.kill();
		expect(text).not.toContain('REACHED');
		expect(text).not.toContain('hearth-test-abstract');
	});

	test('S2 nothing is typed into a terminal: there is none', async () => {
		const { text } = await box.run(
			'tty; (echo x > /dev/tty) 2>&1; perl -e \'open(T, "+<", "/dev/tty") or die "no tty: $!\\n"; ioctl(T, 0x5412, "x") or die "refused\\n"; print "TYPED\\n"\' 2>&1',
		);
		expect(text).toContain('not a tty');
		expect(text).not.toContain('TYPED');
	});

	test.runIf(process.arch === 'x64')(
		'S3 keys of the owner’s session, which a program has in whatever room it runs, are not to be had',
		async () => {
			// add_key, request_key, keyctl (read), io_uring_setup, bpf, mount.
			const { text } = await box.run(
				`cat /proc/keys; perl -e 'for (248, 249, 250, 425, 321, 165) { my $r = syscall($_, 0, 0, 0, 0, 0); print "$_ $r ", $!+0, "\\n" }'`,
			);
			expect(text).toBe('248 -1 1\n249 -1 1\n250 -1 1\n425 -1 38\n321 -1 1\n165 -1 1\n');
		},
	);

	test('what it leaves in the background ends with it', async () => {
		const marker = join(box.workspace, 'alive');
		const { text, code } = await box.run(
			'(setsid sh -c "while :; do date +%s%N > alive; sleep 0.05; done" >/dev/null 2>&1 &); nohup sleep 300 >/dev/null 2>&1 & sleep 0.3; echo done',
		);
		expect({ text, code }).toEqual({ text: 'done\n', code: 0 });
		const last = readFileSync(marker, 'utf8');
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(readFileSync(marker, 'utf8')).toBe(last);
	});

	test('ended by its owner, it and all that it started are gone', async () => {
		const marker = join(box.workspace, 'beating');
		const program = await box.start('(while :; do date +%s%N > beating; sleep 0.05; done) & sleep 300');
		await expect.poll(() => existsSync(marker)).toBe(true);
		await program.kill();
		expect((await program.ended).signal).toBe('SIGKILL');
		const last = readFileSync(marker, 'utf8');
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(readFileSync(marker, 'utf8')).toBe(last);
	});

	test('a hard link to a file outside, made before, is a file of the workspace like any other', async () => {
		const outside = join(box.home, 'linked.txt');
		writeFileSync(outside, 'linked');
		linkSync(outside, join(box.workspace, 'hard.txt'));
		expect((await box.run('cat hard.txt')).text).toBe('linked');
	});
});

describe.runIf(process.platform === 'linux')('limits of the sandbox', () => {
	let box: TestSandbox;
	beforeAll(() => {
		const MB = 1024 * 1024;
		box = openTestSandbox({
			limits: {
				processes: 40,
				dataBytes: 300 * MB,
				totalMemoryBytes: 400 * MB,
				fileBytes: 5 * MB,
				temporaryBytes: 8 * MB,
				openFiles: 64,
				cpuSeconds: 1,
			},
		});
	});
	afterAll(() => box.close());

	test('a fork bomb is ended', async () => {
		// For root the kernel has no limit of processes, and a bomb without an end would take the machine from the other tests: this one stops at 1,023.
		const ended = await box.run(
			'bomb() { [ "$1" -gt 0 ] && { bomb $(($1 - 1)) & bomb $(($1 - 1)) & }; sleep 60; }; bomb 9; sleep 60; echo through',
		);
		expect(ended.text).not.toContain('through');
		expect(ended.over).toBe('processes');
	});

	test('one process takes no more memory than it may, and all together no more than they may', async () => {
		const one = await box.run(`perl -e 'my $x = "x" x (600 * 1024 * 1024); print "HAD IT\\n"'`);
		expect(one.text).not.toContain('HAD IT');
		const many = await box.run(
			`perl -e 'for (1..6) { if (!fork()) { my $x = "x" x (120 * 1024 * 1024); sleep 60; exit } } sleep 60; print "HAD IT\\n"'`,
		);
		expect(many.text).not.toContain('HAD IT');
		expect(many.over).toBe('memory');
	});

	test('a file grows no larger than it may, and memory is no disk', async () => {
		const { text } = await box.run(
			'exec 2>/dev/null; (head -c 20000000 /dev/zero > big); stat -c %s big; (head -c 20000000 /dev/zero > /tmp/big1; head -c 20000000 /dev/zero > /tmp/big2) 2>/dev/null; du -sb /tmp | cut -f1; (head -c 200000000 /dev/zero > /dev/shm/big) 2>/dev/null; ulimit -n',
		);
		const [file, temporary, files] = text.trim().split('\n').map(Number);
		expect(file).toBe(5 * 1024 * 1024);
		expect(temporary).toBeLessThan(9 * 1024 * 1024);
		expect(files).toBe(64);
	});

	test('a program that only burns time is ended by its processor time', async () => {
		const ended = await box.run('while :; do :; done; echo through');
		// 128 and SIGXCPU, or SIGKILL where it took no notice.
		expect([152, 137]).toContain(ended.code);
	});
});

describe.runIf(process.platform === 'linux')('where no sandbox works', () => {
	test('a bubblewrap that is refused by the system counts as none, with what it said and what it means', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'hearth-refused-'));
		writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
		chmodSync(join(folder, 'bwrap'), 0o755);
		const box = openTestSandbox({ path: `${folder}:/usr/bin:/bin` });
		const status = await box.sandbox.status();
		expect(status).toMatchObject({ kind: 'none', network: false, action: expect.stringContaining('docs/firewall.md') });
		expect(status.why).toContain('bwrap: setting up uid map: Permission denied');
		expect(status.why).toContain('A command would run with all your rights, so each one asks you.');
		await box.close();
		rmSync(folder, { recursive: true, force: true });
	});

	test('one that does not hide Hearth’s folder counts as none', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'hearth-leaky-'));
		// Runs the command as it is, as a wrapper that somebody put in its place might.
		writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n');
		chmodSync(join(folder, 'bwrap'), 0o755);
		const box = openTestSandbox({ path: `${folder}:/usr/bin:/bin` });
		expect(await box.sandbox.status()).toMatchObject({ kind: 'none', why: expect.stringContaining('sees') });
		await box.close();
		rmSync(folder, { recursive: true, force: true });
	});
});
