import type { HearthClient } from '../contract/contract.ts';
import { HearthError, terminal } from '../domain/errors.ts';
import { ask, atTerminal } from './ask.ts';
import type { CommandContext } from './context.ts';
import { withKeys } from './door.ts';
import type { Output } from './output.ts';

/**
 * A secret never stands on the command line, where other users and the shell's history would see it: it is asked for, or read from standard
 * input. Throws `invalid_input` for none.
 */
export async function askSecret(question: string): Promise<string> {
	const given = (atTerminal() ? await ask(question, { hidden: true }) : await readAll()).trim();
	if (given !== '') return given;
	throw terminal('invalid_input', 'Nothing was given.', { safe: 'Nothing was changed.', action: 'Enter it when asked, or pipe it in.' });
}

/** Does what stores a secret; where there is no place for one yet, the owner chooses it first. */
export async function withSecretStore<T>({ rpc, door, output }: CommandContext, save: () => Promise<T>): Promise<T> {
	try {
		return await withKeys(door, save);
	} catch (error) {
		if (!(error instanceof HearthError) || error.code !== 'secret_store_unavailable' || !(await chooseStore(rpc, output))) throw error;
		return withKeys(door, save);
	}
}

/** Where nothing protects keys yet: a file behind a passphrase, if one is given. */
async function chooseStore(rpc: HearthClient, output: Output): Promise<boolean> {
	const status = await rpc.secrets.status();
	if (status.store !== 'none') return false;
	output.note(status.explanation);
	const given = process.env.HEARTH_PASSPHRASE ?? (atTerminal() ? await newPassphrase() : undefined);
	if (given === undefined) return false;
	await rpc.secrets.choose({ store: 'passphrase', passphrase: given });
	return true;
}

async function newPassphrase(): Promise<string | undefined> {
	const first = await ask('A passphrase for the file of keys, 8 or more characters (Enter to leave it): ', { hidden: true });
	if (first === '') return undefined;
	if (first !== (await ask('The same again: ', { hidden: true }))) {
		throw terminal('invalid_input', 'The two are not the same.', { safe: 'Nothing was stored.', action: 'Try again.' });
	}
	return first;
}

async function readAll(): Promise<string> {
	let text = '';
	for await (const chunk of process.stdin.setEncoding('utf8')) {
		text += chunk;
		// No key is that long; whatever comes may have no end.
		if (text.length > 100_000) break;
	}
	return text;
}
