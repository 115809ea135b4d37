import { readFile } from 'node:fs/promises';
import { DEFAULT_LIMITS } from './limits.ts';
import { Missing } from './linux-host.ts';
import type { Launch, LaunchSpec } from './port.ts';
import { startProgram } from './running.ts';

const WORD = 'inside';
const TRY_MS = 10_000;
const MOST_WORDS = 2_000;

class Refused extends Error {}

/** Runs a real command the way commands are run, and sees that what is to be hidden is. Rejects where it can't, or where it sees it. */
export async function tryOut(confine: (spec: LaunchSpec) => Promise<Launch>, folder: string, hidden: readonly string[]): Promise<void> {
	const looks = hidden.map((_, index) => `[ -n "$(ls -A "$${index + 1}" 2>/dev/null)" ] && echo "sees $${index + 1}"`);
	const launch = await confine({
		file: '/bin/sh',
		args: ['-c', [...looks, `echo ${WORD}`].join('\n'), 'sh', ...hidden],
		cwd: folder,
		folders: [{ path: folder, access: 'read' }],
		network: { kind: 'none' },
		mergeOutput: true,
	});
	try {
		const program = await startProgram(launch, { limits: DEFAULT_LIMITS, folder });
		const timer = setTimeout(() => void program.kill(), TRY_MS);
		let said = '';
		const take = (chunk: Buffer): void => {
			if (said.length < MOST_WORDS) said += chunk.toString('utf8');
		};
		program.stdout.on('data', take);
		// Of what hinders it, the sandbox speaks there.
		program.stderr.on('data', take);
		const { code } = await program.ended;
		clearTimeout(timer);
		if (code !== 0 || said.trim() !== WORD) throw new Refused(said.trim() || `It ended with ${code}.`);
	} finally {
		await launch.dispose();
	}
}

/** Why it does not work here, for the owner. Known refusals get words of their own. */
export async function explainRefusal(error: unknown): Promise<unknown> {
	if (!(error instanceof Refused)) return error;
	const restricted = await readFile('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').catch(() => '0');
	if (restricted.trim() === '1')
		return new Missing(
			'AppArmor does not let bubblewrap make a room of its own, as Ubuntu ships it.',
			'Let it with a profile for /usr/bin/bwrap: docs/firewall.md, section Sandbox, has the five lines. Then restart Hearth.',
		);
	const off = await readFile('/proc/sys/user/max_user_namespaces', 'utf8').catch(() => '1');
	if (off.trim() === '0')
		return new Missing('This system lets no program make a room of its own.', 'Set user.max_user_namespaces above 0, then restart Hearth.');
	return new Missing(
		`The sandbox was tried and does not work here: ${error.message.slice(0, 300)}`,
		'docs/firewall.md, section Sandbox, says what it needs.',
	);
}
