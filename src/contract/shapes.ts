import { z } from 'zod';
import { ErrorShape } from '../domain/errors.ts';
import { ProviderId, SessionId, Timestamp } from '../domain/ids.ts';
import { ModelInfo, ProviderConfig } from '../domain/model.ts';

/** Values that several methods and events share. */

export const SessionSummary = z.object({
	id: SessionId,
	title: z.string(),
	pinned: z.boolean(),
	createdAt: Timestamp,
	updatedAt: Timestamp,
	messageCount: z.number().int().nonnegative(),
	/** `needs_owner`: an interrupt is open. */
	activity: z.enum(['idle', 'running', 'needs_owner', 'interrupted']),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** Whether the runtime can do its work. `read_only`: nothing can be written now (full disk); it recovers by itself. */
export const Health = z.object({
	state: z.enum(['ok', 'read_only']),
	problem: ErrorShape.optional(),
	/** Things worth knowing that stop nothing, such as a profile on a network file system. */
	warnings: z.array(ErrorShape),
});
export type Health = z.infer<typeof Health>;

/** The three states of product.md's detection, and what a keyed provider can be besides. */
export const ProviderState = z.enum(['not_running', 'no_model', 'ready', 'no_key', 'key_refused', 'error']);
export type ProviderState = z.infer<typeof ProviderState>;

export const ProviderStatus = z.object({
	provider: ProviderConfig,
	state: ProviderState,
	models: z.array(ModelInfo),
	problem: ErrorShape.optional(),
	/** Text sent to it stays on this machine. */
	local: z.boolean(),
	hasKey: z.boolean(),
	/** In the profile's settings; false for one that was only detected. */
	saved: z.boolean(),
});
export type ProviderStatus = z.infer<typeof ProviderStatus>;

export const SecretStoreStatus = z.object({
	/** Where keys go: the OS keychain through the shell, libsecret, a passphrase-encrypted file, memory only, or nowhere yet. */
	store: z.enum(['keychain', 'libsecret', 'passphrase', 'memory', 'none']),
	/** The operating system or a passphrase protects them. */
	protected: z.boolean(),
	locked: z.boolean(),
	/** What can be chosen on this machine. */
	available: z.array(z.enum(['keychain', 'libsecret', 'passphrase', 'memory'])),
	/** Plain words on what this means here. */
	explanation: z.string(),
	names: z.array(z.string()),
});
export type SecretStoreStatus = z.infer<typeof SecretStoreStatus>;

/** Where the agent's commands run. */
export const SandboxStatus = z.object({
	/** `none`: with all the owner's rights, so each one asks. */
	kind: z.enum(['bubblewrap', 'seatbelt', 'none']),
	why: z.string(),
	action: z.string().optional(),
	/** Whether commands can reach hosts that are named. */
	network: z.boolean(),
});
export type SandboxStatus = z.infer<typeof SandboxStatus>;

export const ProviderIdInput = z.object({ providerId: ProviderId });
export const SessionIdInput = z.object({ sessionId: SessionId });
/** A file for the owner to save. */
export const ExportedFile = z.object({ filename: z.string(), mime: z.string(), text: z.string() });
export type ExportedFile = z.infer<typeof ExportedFile>;
