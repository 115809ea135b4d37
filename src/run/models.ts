import type { SessionId } from '../domain/ids.ts';
import type { ModelRef } from '../domain/model.ts';
import type { ResolvedModel } from '../model/registry.ts';

export interface ChosenModel {
	readonly ref: ModelRef;
	readonly model: ResolvedModel;
}

/**
 * Where the run engine gets its models; `app` wires it to the owner's choices. `chat`: whose words they read. Where that one is about what waits
 * in quarantine, all of these reject with `consent_missing` for a model that text of others may not go to (B2).
 */
export interface ModelSource {
	/** The owner's choice, or the one that is asked for. Rejects with `model_not_configured`. */
	chosen(ref?: ModelRef, chat?: SessionId): Promise<ChosenModel>;
	/** The owner's own choice for when the first does not answer; undefined where none was made or it is the same. */
	fallback(chat: SessionId): Promise<ChosenModel | undefined>;
	/** As `chosen`, for a prompt of nothing but text of others: rejects with `consent_missing` where it may not go there (B2). */
	forOthersText(ref?: ModelRef): Promise<ChosenModel>;
	/** For summaries. Rejects where it is not ready. */
	summarise(chat: SessionId): Promise<ChosenModel>;
}
