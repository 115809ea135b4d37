import type { Settings } from '../../contract/methods/profile.ts';
import type { ConfigStore } from '../config.ts';

export interface SettingsDeps {
	config: ConfigStore;
}

/** `settings.*` of the contract. Views learn of changes by `config_changed`, whoever made them. */
export function createSettingsHandlers({ config }: SettingsDeps) {
	return {
		get: async (): Promise<Settings> => config.get().settings,
		set: async (changes: Partial<Settings>): Promise<Settings> => {
			const saved = await config.update((current) => ({ ...current, settings: { ...current.settings, ...withoutUndefined(changes) } }));
			return saved.settings;
		},
	};
}

function withoutUndefined(changes: Partial<Settings>): Partial<Settings> {
	return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
