import type { StateDb } from '../db/open.ts';
import type { SessionId } from '../domain/ids.ts';
import type { ModelRef } from '../domain/model.ts';
import type { Redactor } from '../firewall/ports.ts';
import { checkLeave, type Recipient } from '../heartbeat/consent.ts';
import { isOnThisMachine } from '../model/addresses.ts';
import { findProvider, type LocalAddresses } from '../model/detect.ts';
import { BUILTIN_PROVIDER, type ModelRegistry } from '../model/registry.ts';
import type { ChosenModel, ModelSource } from '../run/models.ts';
import { withoutSecrets } from '../run/redact-request.ts';
import { isFindingChat } from '../sessions/outside-chat-store.ts';
import type { ConfigStore } from './config.ts';
import { choicesOf } from './handlers/models.ts';

export interface ModelSourceDeps {
	readonly db: StateDb;
	readonly config: Pick<ConfigStore, 'get'>;
	readonly redactor: Redactor;
	readonly registry: ModelRegistry;
	readonly localAddresses?: LocalAddresses | undefined;
}

/** The owner's choices as models that are ready to be called; no key goes along with what they are sent (S3). */
export function createModelSource({ db, config, redactor, registry, localAddresses }: ModelSourceDeps): ModelSource & {
	/** What background work is done by. Rejects where it is not set up any more. */
	readonly background: () => Promise<ChosenModel>;
	/** What does it, as it stands in the settings: nobody is asked. Undefined where it is not set up any more. */
	readonly recipient: (use: 'chat' | 'background') => Recipient | undefined;
	/** As it stands in the settings: nobody is asked. */
	readonly isSetUp: (ref: ModelRef) => boolean;
} {
	const recipientOf = (ref: ModelRef): Recipient | undefined => {
		if (ref.providerId === BUILTIN_PROVIDER.id) return { ref, provider: BUILTIN_PROVIDER };
		const provider = findProvider(config.get().providers, ref.providerId, localAddresses);
		return provider && { ref, provider };
	};
	/** In a chat about a finding the words of others are read. */
	const forChat = (chosen: ChosenModel, chat: SessionId | undefined): ChosenModel => {
		if (chat !== undefined && isFindingChat(db.read, chat))
			checkLeave(db.read, { ref: chosen.ref, provider: chosen.model.provider }, 'chat');
		return chosen;
	};
	const resolve = async (ref: ModelRef): Promise<ChosenModel> => {
		const model = await registry.resolveModel(ref);
		return { ref, model: { ...model, port: withoutSecrets(model.port, redactor, { isLocal: isOnThisMachine(model.provider) }) } };
	};
	return {
		chosen: async (ref, chat) => forChat(await resolve(ref ?? choicesOf(config.get()).chat), chat),
		background: () => resolve(choicesOf(config.get()).background),
		recipient: (use) => recipientOf(choicesOf(config.get())[use]),
		isSetUp: (ref) => recipientOf(ref) !== undefined,
		forOthersText: async (ref) => {
			const chosen = await resolve(ref ?? choicesOf(config.get()).background);
			checkLeave(db.read, { ref: chosen.ref, provider: chosen.model.provider }, 'background');
			return chosen;
		},
		summarise: async (chat) => forChat(await resolve(choicesOf(config.get()).summarise), chat),
		fallback: async (session) => {
			const { chat, fallback } = choicesOf(config.get());
			const same = chat.providerId === fallback?.providerId && chat.modelId === fallback.modelId;
			return fallback === null || same ? undefined : forChat(await resolve(fallback), session);
		},
	};
}
