import type { ContentFiles } from '../base/content-files.ts';
import type { Logger } from '../base/logger.ts';
import type { ReadDb } from '../db/brands.ts';
import type { Message, MessagePart } from '../domain/message.ts';
import { cutCodePoints, repairSurrogates } from '../domain/text.ts';
import { LARGE_RESULT, LARGE_RESULT_HEAD, type ToolResult } from '../domain/tool.ts';
import { unnamedBlobs } from './blob-store.ts';

export interface BlobsDeps {
	readonly files: ContentFiles;
	readonly db: ReadDb;
	readonly logger: Logger;
}

/**
 * Texts beside the journal, by their hash: large results, prompts. A text is on the disk before the event that names it is written; until then
 * it counts as named, so that it is not collected in between.
 */
export class Blobs {
	readonly #deps: BlobsDeps;
	/** Kept, and not named by an event yet: how many times. */
	readonly #awaited = new Map<string, number>();

	constructor(deps: BlobsDeps) {
		this.#deps = deps;
	}

	/** A large text moves to `blobs/`, and its beginning stays. Never rejects: where the disk does not take it, it stays whole in its place. */
	async keepLarge(result: ToolResult): Promise<ToolResult> {
		const { text } = result;
		if (text.length < LARGE_RESULT || result.whole) return result;
		const hash = await this.#keep(text);
		if (hash === undefined) return result;
		return { ...result, text: cutCodePoints(text, LARGE_RESULT_HEAD), whole: { hash, chars: text.length } };
	}

	/** What a model is given besides the conversation. Undefined where the disk does not take it: a run does not fail for that. */
	keepPrompt(prompt: { system: string; tools: readonly unknown[] }): Promise<string | undefined> {
		return this.#keep(`${prompt.system}\n\n# Tools\n\n${JSON.stringify(prompt.tools, undefined, 2)}\n`);
	}

	/** An event that names these is committed. */
	named(hashes: readonly string[]): void {
		for (const hash of hashes) {
			const times = this.#awaited.get(hash) ?? 0;
			if (times > 1) this.#awaited.set(hash, times - 1);
			else this.#awaited.delete(hash);
		}
	}

	/** Undefined where it is gone, or is not what its name says. */
	async text(hash: string): Promise<string | undefined> {
		const bytes = await this.#deps.files.read(hash);
		return bytes && Buffer.from(bytes).toString('utf8');
	}

	/** As `text`, within a step that can't wait. */
	textNow(hash: string): string | undefined {
		const bytes = this.#deps.files.readNow(hash);
		return bytes && Buffer.from(bytes).toString('utf8');
	}

	/** The parts with whole results, for a model or a file to export. What is no longer there is said in its place. */
	async withWholes(parts: readonly MessagePart[]): Promise<MessagePart[]> {
		const whole: MessagePart[] = [];
		for (const part of parts)
			whole.push(part.type === 'tool' && part.result?.whole ? { ...part, result: await this.#whole(part.result) } : part);
		return whole;
	}

	async withWhole(message: Message): Promise<Message> {
		return { ...message, parts: await this.withWholes(message.parts) };
	}

	/** Removes those of the files that nothing names any more. */
	remove(hashes: readonly string[]): Promise<void> {
		return this.#deps.files.remove(hashes, (given) => this.#unnamed(given));
	}

	/** Removes what a crash, or a run that ended in between, left behind. */
	collect(): Promise<void> {
		return this.#deps.files.collect((given) => this.#unnamed(given));
	}

	#unnamed(hashes: readonly string[]): string[] {
		return unnamedBlobs(this.#deps.db, hashes).filter((hash) => !this.#awaited.has(hash));
	}

	async #keep(text: string): Promise<string | undefined> {
		try {
			return await this.#deps.files.put(Buffer.from(repairSurrogates(text), 'utf8'), (hash) => {
				this.#awaited.set(hash, (this.#awaited.get(hash) ?? 0) + 1);
				return hash;
			});
		} catch (error) {
			this.#deps.logger.warn('blob_not_kept', { error });
			return undefined;
		}
	}

	async #whole({ whole, ...result }: ToolResult): Promise<ToolResult> {
		if (!whole) return result;
		const text = await this.text(whole.hash);
		return { ...result, text: text ?? `${result.text}\n\n[The rest of this text, ${whole.chars} characters in all, is no longer there.]` };
	}
}
