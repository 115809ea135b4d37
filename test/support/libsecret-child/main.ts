import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HearthError } from '../../../src/domain/errors.ts';
import { createLibsecretAdapter, libsecretAvailable } from '../../../src/secrets/libsecret-adapter.ts';
import { SecretsFile } from '../../../src/secrets/secrets-file.ts';

/** Runs inside a D-Bus session of its own with a real keyring; prints what it saw as one line of JSON. */
const folder = mkdtempSync(join(tmpdir(), 'hearth-libsecret-'));
const file = new SecretsFile(join(folder, 'secrets.json'));
const adapter = createLibsecretAdapter(file, folder);
const special = 'line one\nline "two" 漢字 🙂 $HOME ';

const available = await libsecretAvailable();
await adapter.set('provider:a', 'sk-libsecret-value');
await adapter.set('provider:b', special);
const roundTrip = (await adapter.get('provider:a')) === 'sk-libsecret-value';
const again = createLibsecretAdapter(new SecretsFile(file.path), folder);
const afterRestart = (await again.get('provider:a')) === 'sk-libsecret-value';
const names = await again.names();
const isSpecial = (await adapter.get('provider:b')) === special;
const secretInFile = readFileSync(file.path, 'utf8').includes('sk-libsecret-value');
await adapter.remove('provider:a');
const removed = (await adapter.get('provider:a')) === undefined;
const namesAfter = await adapter.names();
await adapter.replaceAll(new Map([['provider:c', 'x']]));
const replaced = await adapter.names();
await adapter.discard(['provider:c']);
const discarded = await adapter.get('provider:c').then(
	() => 'still there',
	(error: unknown) => (error instanceof HearthError ? error.code : 'unknown'),
);
console.log(
	JSON.stringify({ available, roundTrip, special: isSpecial, afterRestart, names, removed, namesAfter, replaced, discarded, secretInFile }),
);
