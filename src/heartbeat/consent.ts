import { sha256 } from '../base/sha256.ts';
import type { ReadDb } from '../db/brands.ts';
import { type HearthError, needsOwner } from '../domain/errors.ts';
import type { SendQuestion } from '../domain/heartbeat.ts';
import { canonicalJson } from '../domain/json.ts';
import type { ModelRef, ProviderConfig } from '../domain/model.ts';
import { apiBase, staysHere } from '../model/addresses.ts';
import { findConsent } from './consent-store.ts';
import type { SourcesForLook } from './look-ports.ts';

/** Who would get the text: known without asking anybody. */
export interface Recipient {
	readonly ref: ModelRef;
	readonly provider: ProviderConfig;
}

/** May text of others go to this model? Where it stays on this machine and costs nothing: yes. Else the owner is asked, once for a provider at a host. */
export type Leave = 'free' | 'allowed' | 'asks' | 'refused';

export function leaveFor(db: ReadDb, to: Recipient): Leave {
	if (!isRemote(to) && !costsMoney(to)) return 'free';
	const consent = findConsent(db, to.provider.id, hostOf(to));
	if (!consent) return 'asks';
	return consent.allowed ? 'allowed' : 'refused';
}

/** Right before a request leaves: the provider's address may have changed since the look began. */
export function checkLeave(db: ReadDb, to: Recipient, use: 'chat' | 'background'): void {
	if (!mayLeave(db, to)) throw notAllowed(to, use);
}

export function mayLeave(db: ReadDb, to: Recipient): boolean {
	const leave = leaveFor(db, to);
	return leave === 'free' || leave === 'allowed';
}

export function questionFor(to: Recipient, waiting: ReturnType<SourcesForLook['waiting']>): SendQuestion {
	const { provider, ref } = to;
	const question = {
		providerId: provider.id,
		name: provider.name,
		host: hostOf(to),
		model: ref.modelId,
		remote: isRemote(to),
		costsMoney: costsMoney(to),
		sources: [...waiting.titles],
		items: waiting.items,
		characters: waiting.characters,
	};
	return { ...question, shownHash: sha256(canonicalJson(question)) };
}

function isRemote({ ref, provider }: Recipient): boolean {
	return !staysHere(provider, ref.modelId);
}

function costsMoney({ provider: { price } }: Recipient): boolean {
	return price !== undefined && (price.input > 0 || price.output > 0);
}

function hostOf({ provider }: Recipient): string {
	return new URL(apiBase(provider)).host;
}

function notAllowed({ provider }: Recipient, use: 'chat' | 'background'): HearthError {
	return needsOwner('consent_missing', `You have not allowed that text of your sources goes to ${provider.name}.`, {
		safe: use === 'chat' ? 'Nothing was sent.' : 'Nothing was sent. What was read waits.',
		action:
			use === 'chat'
				? 'Choose Discuss at the finding in the inbox, where you are asked, or choose another model for chats.'
				: 'Answer the question in Settings, Background work, or choose another model for background work.',
	});
}
