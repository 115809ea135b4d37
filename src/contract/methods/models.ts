import { z } from 'zod';
import { ModelRef, ProviderConfig, WorkKind } from '../../domain/model.ts';
import { ProviderIdInput, ProviderStatus, SecretStoreStatus } from '../shapes.ts';
import { method } from './base.ts';

/** `fallback`: null where no other model steps in, and the error is shown. */
export const ModelChoices = z.object({
	chat: ModelRef,
	background: ModelRef,
	summarise: ModelRef,
	fallback: ModelRef.nullable(),
	inspect: ModelRef.nullable(),
});
export type ModelChoices = z.infer<typeof ModelChoices>;

export const TestResult = z.object({
	ok: z.boolean(),
	/** First words of the answer. */
	sample: z.string(),
	firstTokenMs: z.number().nonnegative(),
	totalMs: z.number().nonnegative(),
});
export type TestResult = z.infer<typeof TestResult>;

export const models = {
	/** Saved providers, the built-in responder, and what answers at the usual local addresses (Ollama 11434, LM Studio 1234). */
	providers: method.input(z.object({ refresh: z.boolean().default(false) })).output(z.array(ProviderStatus)),
	/** Saves a provider's address; `key` goes to the secret store and is never returned. An empty key removes it. */
	saveProvider: method.input(z.object({ provider: ProviderConfig, key: z.string().max(10_000).optional() })).output(ProviderStatus),
	removeProvider: method.input(ProviderIdInput).output(z.void()),
	/** One small real completion. Fails with the provider's error. */
	test: method.input(z.object({ model: ModelRef })).output(TestResult),
	choices: method.output(ModelChoices),
	/** Tests the model first; nothing is saved when the test fails. The built-in responder needs no test. */
	choose: method.input(z.object({ work: WorkKind, model: ModelRef })).output(TestResult),
	/** Takes a choice back: chat goes to the built-in responder, other work to the model for chat, and no model steps in for another. */
	unchoose: method.input(z.object({ work: WorkKind })).output(z.void()),
};

export const secrets = {
	status: method.output(SecretStoreStatus),
	/** Chooses where keys are kept. For `passphrase`, the passphrase to set (8 or more characters). */
	choose: method
		.input(
			z.object({ store: z.enum(['keychain', 'libsecret', 'passphrase', 'memory']), passphrase: z.string().min(8).max(1000).optional() }),
		)
		.output(SecretStoreStatus),
	unlock: method.input(z.object({ passphrase: z.string().max(1000) })).output(SecretStoreStatus),
	remove: method.input(z.object({ name: z.string().max(200) })).output(SecretStoreStatus),
};
