import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { copyFile, link, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeFileAtomic } from '../base/atomic-file.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import { systemCode } from '../base/system-code.ts';
import { asStorageError } from '../db/errors.ts';
import { type ErrorShape, HearthError, needsOwner } from '../domain/errors.ts';
import { Config, defaultConfig, formatConfig, parseConfig } from './config-file.ts';

const WATCH_EVERY_MS = 1_000;

export interface ConfigStore {
	/** The settings in force. Reads the file again when it changed, so an owner's edit counts at once. */
	get(): Config;
	/**
	 * Changes the newest settings and saves them whole. Throws `config_invalid` where the result is not valid and `disk_full` or
	 * `read_only` where it cannot be saved; then nothing changes.
	 */
	update(change: (config: Config) => Config): Promise<Config>;
	/** Why the file on the disk is not in force; undefined when it is. */
	problem(): ErrorShape | undefined;
	/** Called after the settings in force or the problem changed, by whomever. Returns a function that stops it. */
	onChange(listener: () => void): () => void;
	/** Called when the disk refused a write, for health. Returns a function that stops it. */
	onWriteFailed(listener: (error: unknown) => void): () => void;
	/** Waits for saves under way. */
	close(): Promise<void>;
}

export interface ConfigOptions {
	file: string;
	clock: Clock;
	logger: Logger;
}

interface Loaded {
	config: Config;
	problem: ErrorShape | undefined;
	/** Identity of the file that was read; empty where there was none. */
	stamp: string;
}

/**
 * config.json of a profile (dur-2). Beside it lies `config.json.bak`, the last good one. A file that is empty, broken or gone is
 * never taken for "no settings": the last good ones stay in force, the problem is said, and before Hearth writes the next time
 * it keeps the broken file as `config.json.broken-<time>`. Once the owner has mended the file, it counts again by itself.
 */
export function openConfig(options: ConfigOptions): ConfigStore {
	const { file, clock, logger } = options;
	const lastGoodFile = `${file}.bak`;
	const listeners = new Set<() => void>();
	const failureListeners = new Set<(error: unknown) => void>();
	const sequencer = new Sequencer();
	let loaded = load(undefined);

	function load(before: Loaded | undefined): Loaded {
		const stamp = stampOf(file);
		try {
			const text = readText(file);
			if (text !== undefined) return { config: parseConfig(text), problem: undefined, stamp };
			const lastGood = readLastGood();
			if (!before && !lastGood) return { config: defaultConfig(), problem: undefined, stamp };
			return { ...fallBack(before, lastGood, 'config.json is missing.'), stamp };
		} catch (error) {
			const why = error instanceof HearthError ? error.shape.message : `config.json cannot be read (${systemCode(error)}).`;
			return { ...fallBack(before, readLastGood(), why), stamp };
		}
	}

	function readLastGood(): Config | undefined {
		try {
			const text = readText(lastGoodFile);
			return text === undefined ? undefined : parseConfig(text);
		} catch (error) {
			logger.warn('config_last_good_unreadable', { error });
			return undefined;
		}
	}

	function fallBack(before: Loaded | undefined, lastGood: Config | undefined, why: string): Omit<Loaded, 'stamp'> {
		const kept = before?.config ?? lastGood;
		logger.warn('config_invalid', { why, kept: kept !== undefined });
		const problem = needsOwner('config_invalid', why, {
			safe: kept
				? 'The last good settings are in force, and nothing was overwritten.'
				: 'There is no earlier copy, so the defaults are in force. Nothing was overwritten.',
			action: `Mend ${file}; it counts as soon as it is right. If you change a setting in Hearth instead, the file is first kept beside it as ${basename(file)}.broken-<time>.`,
		}).shape;
		// Without any copy: an owner who has a file has been through the first run.
		return { config: kept ?? { ...defaultConfig(), firstRunDone: true }, problem };
	}

	function refresh(): void {
		if (stampOf(file) === loaded.stamp) return;
		const before = loaded;
		loaded = load(before);
		void sequencer.run('config', keepLastGood);
		if (JSON.stringify([before.config, before.problem]) !== JSON.stringify([loaded.config, loaded.problem])) tell();
	}

	function tell(): void {
		for (const listener of listeners) listener();
	}

	function tellFailure(error: unknown): void {
		for (const listener of failureListeners) listener(error);
	}

	async function save(change: (config: Config) => Config): Promise<Config> {
		refresh();
		const config = validated(change(structuredClone(loaded.config)));
		const text = formatConfig(config);
		try {
			if (loaded.problem && loaded.stamp !== '') {
				await keepBeside(file, `${file}.broken-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`);
			}
			await writeFileAtomic(file, text);
		} catch (error) {
			tellFailure(error);
			throw asStorageError(error);
		}
		loaded = { config, problem: undefined, stamp: stampOf(file) };
		await keepLastGood();
		tell();
		return config;
	}

	/** After each good read or write. That it fails stops nothing: the file itself is good. */
	async function keepLastGood(): Promise<void> {
		if (loaded.problem || loaded.stamp === '') return;
		const text = formatConfig(loaded.config);
		try {
			if (readText(lastGoodFile) !== text) await writeFileAtomic(lastGoodFile, text);
		} catch (error) {
			logger.warn('config_last_good_not_kept', { error });
			tellFailure(error);
		}
	}

	void sequencer.run('config', keepLastGood);
	watchFile(file, { interval: WATCH_EVERY_MS, persistent: false }, refresh);
	return {
		get: () => {
			refresh();
			return loaded.config;
		},
		update: (change) => sequencer.run('config', () => save(change)),
		problem: () => {
			refresh();
			return loaded.problem;
		},
		onChange: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		onWriteFailed: (listener) => {
			failureListeners.add(listener);
			return () => failureListeners.delete(listener);
		},
		close: async () => {
			unwatchFile(file, refresh);
			await sequencer.idle();
		},
	};
}

function validated(config: Config): Config {
	const parsed = Config.safeParse(config);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	throw needsOwner('config_invalid', `This setting cannot be saved: ${issue?.path.join('.')}: ${issue?.message}`, {
		safe: 'The settings are as they were.',
	});
}

/** A second name for the same bytes needs no space on a full disk; where the file system knows no such thing, a copy. */
async function keepBeside(file: string, beside: string): Promise<void> {
	try {
		// Of the file itself: where config.json is a link, the next write replaces what it leads to.
		await link(await realpath(file), beside);
	} catch (error) {
		if (['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].includes(systemCode(error))) throw error;
		await copyFile(file, beside);
	}
}

function readText(file: string): string | undefined {
	try {
		// A pipe would make the reader wait for ever.
		if (!statSync(file).isFile()) throw needsOwner('config_invalid', `${basename(file)} is not a file.`);
		return readFileSync(file, 'utf8');
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}

/** Differs whenever the file was replaced or written to. */
function stampOf(file: string): string {
	const found = statSync(file, { bigint: true, throwIfNoEntry: false });
	return found ? `${found.ino}-${found.size}-${found.mtimeNs}-${found.ctimeNs}` : '';
}
