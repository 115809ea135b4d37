import type { ProviderStatus } from '../../src/contract/shapes.ts';
import { ProviderId } from '../../src/domain/ids.ts';
import { BUILTIN_MODEL, type ModelRef, type ProviderConfig, type ProviderKind } from '../../src/domain/model.ts';

export const ADDABLE_KINDS = ['openai-compatible', 'openai', 'anthropic', 'ollama'] as const satisfies readonly ProviderKind[];
export type AddableKind = (typeof ADDABLE_KINDS)[number];

/** What the form holds: text as typed. */
export interface ProviderDraft {
	kind: AddableKind;
	name: string;
	address: string;
	key: string;
	context: string;
	priceIn: string;
	priceOut: string;
}

export type DraftProblem =
	| 'provider.addressNeeded'
	| 'provider.addressBad'
	| 'provider.keyNeeded'
	| 'provider.contextBad'
	| 'provider.priceBad';
export type DraftProblems = Partial<Record<'address' | 'key' | 'context' | 'price', DraftProblem>>;

export function needsAddress(kind: AddableKind): boolean {
	return kind === 'openai-compatible' || kind === 'ollama';
}

export function emptyDraft(kind: AddableKind): ProviderDraft {
	return { kind, name: '', address: '', key: '', context: '', priceIn: '', priceOut: '' };
}

export function draftOf(provider: ProviderConfig): ProviderDraft {
	const kind = ADDABLE_KINDS.find((known) => known === provider.kind) ?? 'openai-compatible';
	return {
		kind,
		name: provider.name,
		address: provider.baseUrl ?? '',
		key: '',
		context: provider.contextTokens?.toString() ?? '',
		priceIn: provider.price?.input.toString() ?? '',
		priceOut: provider.price?.output.toString() ?? '',
	};
}

/** An http(s) address without a trailing slash, or undefined. A missing scheme is taken as http, as people type `127.0.0.1:8080`. */
export function parseAddress(typed: string): string | undefined {
	const text = typed.trim();
	// Chromium would take a space in a host name as %20.
	if (text === '' || /\s/.test(text)) return undefined;
	const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
	if (!URL.canParse(full)) return undefined;
	const url = new URL(full);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
	return url.href.replace(/\/+$/, '');
}

function parsePrice(draft: ProviderDraft): ProviderConfig['price'] | 'bad' {
	const typed = [draft.priceIn.trim(), draft.priceOut.trim()];
	if (typed[0] === '' && typed[1] === '') return undefined;
	const [input, output] = typed.map((text) => (text === '' ? Number.NaN : Number(text.replace(',', '.'))));
	if (input === undefined || output === undefined || !(input >= 0) || !(output >= 0)) return 'bad';
	return { input, output };
}

/** What keeps the draft from being saved; empty where nothing does. */
export function problemsOf(draft: ProviderDraft, hasKey: boolean): DraftProblems {
	const problems: DraftProblems = {};
	if (needsAddress(draft.kind)) {
		if (draft.address.trim() === '') problems.address = 'provider.addressNeeded';
		else if (parseAddress(draft.address) === undefined) problems.address = 'provider.addressBad';
	} else if (draft.key.trim() === '' && !hasKey) problems.key = 'provider.keyNeeded';
	if (draft.context.trim() !== '' && !/^[1-9]\d{0,8}$/.test(draft.context.trim())) problems.context = 'provider.contextBad';
	if (parsePrice(draft) === 'bad') problems.price = 'provider.priceBad';
	return problems;
}

/** A new id from the kind or the host, made unlike those in use. */
export function newProviderId(draft: ProviderDraft, taken: readonly string[]): ProviderId {
	const address = needsAddress(draft.kind) ? parseAddress(draft.address) : undefined;
	const host = address
		? new URL(address).host
				.toLowerCase()
				.replace(/[^a-z0-9.]+/g, '-')
				.replace(/^[^a-z0-9]+/, '')
		: '';
	const base = (host || draft.kind).slice(0, 56);
	let id = base;
	for (let number = 2; taken.includes(id); number++) id = `${base}-${number}`;
	return ProviderId.parse(id);
}

const DEFAULT_NAMES: Partial<Record<AddableKind, string>> = { openai: 'OpenAI', anthropic: 'Anthropic', ollama: 'Ollama' };

/** The draft as it is saved. Call only where `problemsOf` is empty. */
export function configOf(draft: ProviderDraft, id: ProviderId): ProviderConfig {
	const baseUrl = needsAddress(draft.kind) ? parseAddress(draft.address) : undefined;
	const price = parsePrice(draft);
	const name = draft.name.trim() || DEFAULT_NAMES[draft.kind] || (baseUrl ? new URL(baseUrl).host : draft.kind);
	return {
		id,
		kind: draft.kind,
		name: name.slice(0, 80),
		...(baseUrl ? { baseUrl } : {}),
		...(price && price !== 'bad' ? { price } : {}),
		...(draft.context.trim() ? { contextTokens: Number(draft.context.trim()) } : {}),
	};
}

/** Host and port of a provider, as shown; empty for one with a fixed address. */
export function shownAddress(provider: ProviderConfig): string {
	return provider.baseUrl && URL.canParse(provider.baseUrl) ? new URL(provider.baseUrl).host : '';
}

export function isBuiltin(model: ModelRef): boolean {
	return model.providerId === BUILTIN_MODEL.providerId;
}

/** A model as one value of a select, and back. Provider ids hold no slash. */
export function modelValue(model: ModelRef): string {
	return `${model.providerId}/${model.modelId}`;
}
export function modelOfValue(value: string): ModelRef {
	const slash = value.indexOf('/');
	return { providerId: ProviderId.parse(value.slice(0, slash)), modelId: value.slice(slash + 1) };
}

export function modelName(model: ModelRef, providers: readonly ProviderStatus[]): string {
	const provider = providers.find((status) => status.provider.id === model.providerId);
	return provider?.models.find((info) => info.id === model.modelId)?.name ?? model.modelId;
}
