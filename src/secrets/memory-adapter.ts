import type { SecretAdapter } from './adapter.ts';
import type { SecretsFile } from './secrets-file.ts';

/** Keeps secrets until the process ends; `secrets.json` says only that this was chosen. */
export function createMemoryAdapter(file: SecretsFile): SecretAdapter {
	const values = new Map<string, string>();
	return {
		kind: 'memory',
		get: async (name) => values.get(name),
		set: async (name, value) => {
			values.set(name, value);
		},
		remove: async (name) => {
			values.delete(name);
		},
		names: async () => [...values.keys()].sort(),
		async replaceAll(all) {
			await file.save({ version: 1, store: 'memory' });
			values.clear();
			for (const [name, value] of all) values.set(name, value);
		},
		async discard() {
			values.clear();
		},
	};
}
