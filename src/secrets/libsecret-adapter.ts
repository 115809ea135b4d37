import { spawn } from 'node:child_process';
import { needsOwner } from '../domain/errors.ts';
import type { SecretAdapter } from './adapter.ts';
import type { SecretsFile } from './secrets-file.ts';

const TIMEOUT_MS = 60_000;
const FAILED = -1;

/**
 * The desktop's secret service (GNOME Keyring, KWallet, KeePassXC), through libsecret's `secret-tool`. The secret goes
 * through standard input, never into an argument, which other users could read. `secrets.json` holds the names only.
 */
export function createLibsecretAdapter(file: SecretsFile, profileFolder: string): SecretAdapter {
	const attributes = (name: string): string[] => ['application', 'hearth', 'profile', profileFolder, 'name', name];
	const names = async (): Promise<string[]> => {
		const data = await file.load();
		return data?.store === 'libsecret' ? [...data.names].sort() : [];
	};
	const store = async (name: string, value: string): Promise<void> => {
		const result = await secretTool(['store', `--label=Hearth ${name}`, ...attributes(name)], value);
		if (result.code !== 0) throw unavailable('The system’s keyring did not take the key.');
	};
	// Exit code 1: it is gone there already, which is what was asked for.
	const clear = async (name: string): Promise<void> => {
		const result = await secretTool(['clear', ...attributes(name)]);
		if (result.code === FAILED) throw unavailable('The system’s keyring could not be reached.');
	};
	return {
		kind: 'libsecret',
		async get(name) {
			if (!(await names()).includes(name)) return undefined;
			const result = await secretTool(['lookup', ...attributes(name)]);
			if (result.code === 0) return result.stdout;
			throw unavailable('The system’s keyring did not give out a stored key.');
		},
		async set(name, value) {
			await store(name, value);
			const known = await names();
			if (!known.includes(name)) await file.save({ version: 1, store: 'libsecret', names: [...known, name] });
		},
		async remove(name) {
			const known = await names();
			if (!known.includes(name)) return;
			await clear(name);
			await file.save({ version: 1, store: 'libsecret', names: known.filter((other) => other !== name) });
		},
		names,
		async replaceAll(values) {
			for (const [name, value] of values) await store(name, value);
			await file.save({ version: 1, store: 'libsecret', names: [...values.keys()] });
		},
		async discard(gone) {
			for (const name of gone) await clear(name);
		},
	};
}

/** Whether a secret service answers: `secret-tool` is there, and a search for nothing finds nothing without complaint. */
export async function libsecretAvailable(): Promise<boolean> {
	if (process.platform !== 'linux') return false;
	const result = await secretTool(['search', 'application', 'hearth', 'name', 'none']);
	return result.code !== FAILED && result.quiet;
}

function unavailable(message: string): Error {
	return needsOwner('secret_store_unavailable', message, {
		safe: 'Nothing was changed.',
		action: 'Unlock the keyring and try again, or choose another place for keys in Settings.',
	});
}

/** `quiet`: it wrote nothing to standard error. What it says is kept nowhere: it may name a secret. */
function secretTool(args: string[], input?: string): Promise<{ code: number; stdout: string; quiet: boolean }> {
	return new Promise((resolve) => {
		const child = spawn('secret-tool', args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
		const output: Buffer[] = [];
		let quiet = true;
		child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
		child.stderr.on('data', () => {
			quiet = false;
		});
		// It may end before it read all of its input; its exit code tells.
		child.stdin.on('error', () => {});
		child.on('error', () => resolve({ code: FAILED, stdout: '', quiet }));
		child.on('close', (code) => resolve({ code: code ?? FAILED, stdout: Buffer.concat(output).toString('utf8'), quiet }));
		child.stdin.end(input ?? '');
	});
}
