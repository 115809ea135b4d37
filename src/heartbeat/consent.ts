import { sha256 } from '../base/sha256.ts';
import type { ReadDb } from '../db/brands.ts';
import { type HearthError, needsOwner } from '../domain/errors.ts';
import type { SendQuestion } from '../domain/heartbeat.ts';
import { canonicalJson } from '../domain/json.ts';
import { apiBase, isOnThisMachine } from '../model/addresses.ts';
import type { ChosenModel } from '../run/models.ts';
import { findConsent } from './consent-store.ts';
import type { SourcesForLook } from './look-ports.ts';

/** May text of others go to this model? Where it stays on this machine and costs nothing: yes. Else the owner is asked, once for a provider at a host. */
export type Leave = 'free' | 'allowed' | 'asks' | 'refused';

export function leaveFor(db: ReadDb, chosen: ChosenModel): Leave {
	if (!isRemote(chosen) && !costsMoney(chosen)) return 'free';
	const consent = findConsent(db, chosen.model.provider.id, hostOf(chosen));
	if (!consent) return 'asks';
	return consent.allowed ? 'allowed' : 'refused';
}

/** Right before a request leaves: the provider's address may have changed since the look began. */
export function checkLeave(db: ReadDb, chosen: ChosenModel): void {
	const leave = leaveFor(db, chosen);
	if (leave === 'asks' || leave === 'refused') throw notAllowed(chosen);
}

export function questionFor(chosen: ChosenModel, waiting: ReturnType<SourcesForLook['waiting']>): SendQuestion {
	const { provider, info } = chosen.model;
	const question = {
		providerId: provider.id,
		name: provider.name,
		host: hostOf(chosen),
		model: info.name,
		remote: isRemote(chosen),
		costsMoney: costsMoney(chosen),
		sources: [...waiting.titles],
		items: waiting.items,
		characters: waiting.characters,
	};
	return { ...question, shownHash: sha256(canonicalJson(question)) };
}

/** A local server may hand a model's calls on to its maker: Ollama's names of such models end like this. */
function isRemote({ ref, model: { provider } }: ChosenModel): boolean {
	return !isOnThisMachine(provider) || (provider.kind === 'ollama' && /[:-]cloud$/.test(ref.modelId));
}

function costsMoney({ model: { price } }: ChosenModel): boolean {
	return price !== undefined && (price.input > 0 || price.output > 0);
}

function hostOf({ model: { provider } }: ChosenModel): string {
	return new URL(apiBase(provider)).host;
}

function notAllowed({ model: { provider } }: ChosenModel): HearthError {
	return needsOwner('consent_missing', `You have not allowed that text of your sources goes to ${provider.name}.`, {
		safe: 'Nothing was sent. What was read waits.',
		action: 'Answer the question in Settings, Background, or choose another model for background work.',
	});
}
