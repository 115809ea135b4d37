import { z } from 'zod';
import { Settings } from '../contract/methods/profile.ts';
import { type HearthError, needsOwner } from '../domain/errors.ts';
import { EmbeddingChoice } from '../domain/memory.ts';
import { ModelRef, ProviderConfig, WorkKind } from '../domain/model.ts';
import { Outgoing } from '../domain/outgoing.ts';
import { BUDGET_NAMES, BudgetName, type Budgets, Limit, NO_LIMIT } from '../domain/spending.ts';
import { ToolServerConfig } from '../domain/tool-server.ts';

export const CONFIG_VERSION = 1;

const { shape } = Settings;
const SavedSettings = z.looseObject({
	theme: shape.theme.default('system'),
	quickWindowHotkey: shape.quickWindowHotkey.default('CommandOrControl+Shift+Space'),
	notifications: shape.notifications.default(true),
	// A locked screen may show what stands in a notification: the owner says whether it may be more than the name of a chat.
	questionsInNotifications: shape.questionsInNotifications.default(false),
	// What sleeps meanwhile is a row and goes on with the next start: closing the window ends Hearth unless the owner wants otherwise.
	keepInTray: shape.keepInTray.default(false),
	startAtLogin: shape.startAtLogin.default(false),
	askBeforeQuit: shape.askBeforeQuit.default(true),
	modelSilenceSeconds: shape.modelSilenceSeconds.default(120),
	maxStepsPerTurn: shape.maxStepsPerTurn.default(24),
	logDays: shape.logDays.default(14),
	activeHours: shape.activeHours.default(null),
	heartbeat: shape.heartbeat.default(false),
	heartbeatMinutes: shape.heartbeatMinutes.default(30),
	findingsPerLook: shape.findingsPerLook.default(5),
	findingsPerDay: shape.findingsPerDay.default(30),
	taskRunsAtOnce: shape.taskRunsAtOnce.default(2),
	// A budget or a limit that is left out is none.
	budgets: z
		.partialRecord(BudgetName, Limit.partial())
		.default({})
		.transform((given): Budgets => Object.fromEntries(BUDGET_NAMES.map((name) => [name, { ...NO_LIMIT, ...given[name] }])) as Budgets),
});

/**
 * config.json. What is left out has its default; what is wrong is an error, never a default; keys this version does not know are
 * kept as they are, so that going back and forth between versions loses nothing.
 */
export const Config = z.looseObject({
	version: z.literal(CONFIG_VERSION),
	firstRunDone: z.boolean().default(false),
	settings: SavedSettings.prefault({}),
	/** Saved providers; the built-in responder is not among them. Ids are unique. */
	providers: z
		.array(ProviderConfig)
		.default([])
		.refine((list) => new Set(list.map((provider) => provider.id)).size === list.length, 'two providers have the same id'),
	/** Which model does which kind of work; a kind that is missing uses the one for chat, and chat the built-in responder. */
	models: z.partialRecord(WorkKind, ModelRef).default({}),
	/** Tool servers, without their secrets. Ids are unique. */
	toolServers: z
		.array(ToolServerConfig)
		.default([])
		.refine((list) => new Set(list.map((server) => server.id)).size === list.length, 'two tool servers have the same id'),
	/** What makes the vectors that memory is searched by. */
	embedding: EmbeddingChoice.default({ kind: 'embedded' }),
	/** What leaves this machine by tools. Keys, passwords and addresses of webhooks stand in the secret store. */
	outgoing: Outgoing.prefault({}),
});
export type Config = z.infer<typeof Config>;

export function defaultConfig(): Config {
	return Config.parse({ version: CONFIG_VERSION });
}

export function formatConfig(config: Config): string {
	return `${JSON.stringify(config, null, '\t')}\n`;
}

/** Throws `config_invalid` that says where and what. */
export function parseConfig(text: string): Config {
	if (text.trim() === '') throw invalid('it is empty');
	let value: unknown;
	try {
		// Some editors begin a file with a byte-order mark.
		value = JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch (error) {
		throw invalid(`it is not valid JSON${placeOf(error, text)}`);
	}
	const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
	if (typeof version === 'number' && version > CONFIG_VERSION) throw invalid(`it was written by a newer Hearth (version ${version})`);
	const parsed = Config.safeParse(value);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	throw invalid(issue ? `${issue.path.length > 0 ? `“${issue.path.join('.')}”: ` : ''}${issue.message}` : 'it has the wrong shape');
}

/** JSON.parse says the place, or quotes the text around it, depending on the mistake. */
function placeOf(error: unknown, text: string): string {
	const message = error instanceof Error ? error.message : '';
	const place = /line (\d+) column (\d+)/.exec(message);
	if (place) return ` (line ${place[1]}, column ${place[2]})`;
	const quoted = /^Unexpected token .+?, (?:\.\.\.)?"(.+)"(?:\.\.\.)? is not valid JSON$/s.exec(message)?.[1];
	const at = quoted === undefined ? -1 : text.indexOf(quoted);
	if (quoted === undefined || at < 0) return '';
	return ` (near line ${
		text
			.slice(0, at + quoted.length)
			.trimEnd()
			.split('\n').length
	})`;
}

function invalid(what: string): HearthError {
	return needsOwner('config_invalid', `config.json cannot be used: ${what}.`);
}
