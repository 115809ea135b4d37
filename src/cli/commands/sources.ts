import type { SourcePreview, SourceTraces } from '../../contract/methods/heartbeat.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import { WatchedBudget, type WatchedHealth, type WatchedPlace } from '../../domain/heartbeat.ts';
import { confirm } from '../ask.ts';
import { type CommandContext, dueText, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findSource } from '../find-source.ts';
import { oneLine } from '../memory-text.ts';
import { table } from '../output.ts';
import { askSecret, withSecretStore } from '../secret-input.ts';

export interface AddSourceOptions {
	readonly title?: string;
	readonly choice?: number;
	readonly fromNow?: boolean;
	readonly every?: number;
	readonly itemsPerDay?: number;
	readonly findingsPerDay?: number;
	readonly secret?: boolean;
	readonly secretAddress?: boolean;
}

export interface RemoveSourceOptions {
	readonly forget?: boolean;
	readonly chats?: boolean;
}

export async function listSources({ rpc, output }: CommandContext): Promise<number> {
	const { sources } = await rpc.sources.list();
	const rows = sources.map((source) => [
		source.id,
		oneLine(source.title, 40),
		oneLine(placeText(source.place), 60),
		source.paused ? 'paused' : healthText(source.health),
		`${source.unread} unread, ${source.findings.pending} waiting, ${source.findings.approved} approved`,
	]);
	const none = 'Nothing is watched. Add something: hearth sources add <link>';
	output.result(sources, rows.length > 0 ? table([['ID', 'NAME', 'WHERE', 'STATE', 'ITEMS'], ...rows]) : none);
	return EXIT.ok;
}

export async function previewSource({ rpc, output }: CommandContext, link: string, options: { secret?: boolean }): Promise<number> {
	const secret = options.secret ? await askSecret(`Password or token for ${link}: `) : undefined;
	const preview = await rpc.sources.preview({ link, secret });
	output.result(preview, previewText(preview));
	return EXIT.ok;
}

export async function addSource(context: CommandContext, link: string, options: AddSourceOptions): Promise<number> {
	const { rpc, output } = context;
	if (options.secret && options.secretAddress) throw terminal('invalid_input', 'Either the address is the secret, or it needs one.');
	const given = options.secret ? await askSecret(`Password or token for ${link}: `) : undefined;
	const preview = await rpc.sources.preview({ link, secret: given });
	const found = chosen(preview, options.choice);
	if (!found) {
		output.result(preview, `${previewText(preview)}\n\nSay which: --choice NUMBER`);
		return EXIT.needsOwner;
	}
	const { place, secret } = options.secretAddress ? withSecretAddress(found.place) : { place: found.place, secret: given };
	const budget = budgetOf(options);
	const title = options.title ?? found.title;
	const source = await withSecretStore(context, () => rpc.sources.add({ title, place, budget, secret, fromNow: options.fromNow ?? false }));
	// It is from now on that things are new, also where this command is all that runs.
	const now = options.fromNow ? (await rpc.sources.test({ sourceId: source.id })).source : source;
	output.result(now, `“${now.title}” is watched: ${placeText(now.place)}.${preview.note === undefined ? '' : ` ${preview.note}`}`);
	return EXIT.ok;
}

export async function testSource({ rpc, output }: CommandContext, given: string): Promise<number> {
	const { id } = await findSource(rpc, given);
	const tested = await rpc.sources.test({ sourceId: id });
	const { items, bytes, ms, source } = tested;
	const note = source.health.kind === 'ok' && source.health.note !== undefined ? ` ${source.health.note}` : '';
	output.result(
		tested,
		`${source.title}: ${items === 1 ? 'one new item' : `${items} new items`} (${bytes} bytes in ${Math.round(ms)} ms).${note}`,
	);
	return EXIT.ok;
}

export async function showSource({ rpc, output }: CommandContext, given: string, options: { limit?: number }): Promise<number> {
	const source = await findSource(rpc, given);
	const items = await rpc.sources.items({ sourceId: source.id, limit: Math.min(options.limit ?? 10, 200) });
	const { everyMinutes, itemsPerDay, findingsPerDay } = source.budget;
	const lines = [
		`${source.title} (${source.place.kind.replace('_', ' ')}): ${placeText(source.place)}`,
		`State: ${source.paused ? 'paused; ' : ''}${healthText(source.health)}`,
		`Read ${source.lastReadAt === undefined ? 'never' : `at ${when(source.lastReadAt)}`}, ${source.nextReadAt === undefined || source.paused ? 'not again by itself' : `again from ${dueText(source.nextReadAt)}`}`,
		`At most every ${everyMinutes} minutes, ${itemsPerDay} items and ${findingsPerDay} findings a day; trust ${source.trust.toFixed(2)}`,
		`${source.items} items kept, ${source.unread} unread; findings: ${source.findings.pending} waiting, ${source.findings.approved} approved, ${source.findings.rejected} rejected`,
	];
	const rows = items.map((item) => [
		when(item.publishedAt ?? item.fetchedAt),
		item.state,
		oneLine(item.title === '' ? item.text : item.title, 100),
	]);
	output.result({ source, items }, [lines.join('\n'), ...(rows.length > 0 ? [table(rows)] : [])].join('\n\n'));
	return EXIT.ok;
}

export async function pauseSource({ rpc, output }: CommandContext, given: string, paused: boolean): Promise<number> {
	const { id } = await findSource(rpc, given);
	const source = await rpc.sources.pause({ sourceId: id, paused });
	output.result(source, paused ? `“${source.title}” is paused.` : `“${source.title}” is read again.`);
	return EXIT.ok;
}

/** What came of it is shown first: what is to be forgotten is what was shown (B3). */
export async function removeSource(
	{ rpc, output }: CommandContext,
	given: string,
	{ forget = false, chats = false }: RemoveSourceOptions,
): Promise<number> {
	const { id, title } = await findSource(rpc, given);
	const traces = await rpc.sources.traces({ sourceId: id });
	output.note(tracesText(traces));
	const approved = traces.entries.length + traces.reminders.length + traces.noted.length;
	const withChats = chats && traces.chats.length > 0;
	const what = `${forget && approved > 0 ? ', forget what was approved of it' : ''}${withChats ? ', delete the chats about it' : ''}`;
	if (!(await confirm(`Remove “${title}”${what}?`))) {
		output.result({ removed: false }, 'Nothing was changed.');
		return EXIT.needsOwner;
	}
	const gone = await rpc.sources.remove({
		sourceId: id,
		forget: forget ? traces.entries.map(({ entryId }) => entryId) : [],
		forgetOthers: forget,
		deleteChats: withChats ? traces.chats.map(({ sessionId }) => sessionId) : [],
	});
	const stays = approved === 0 ? '' : forget ? ' What was approved of it is forgotten.' : ' What was approved of it stays.';
	const deleted = withChats ? ' The chats about it are deleted.' : '';
	output.result({ removed: true, ...gone }, `Removed, with ${goingWith(gone)}.${stays}${deleted}`);
	return EXIT.ok;
}

function chosen({ place, title, found }: SourcePreview, choice: number | undefined): { title: string; place: WatchedPlace } | undefined {
	if (choice === undefined) return place && { title, place };
	const options = place ? [{ title, place }, ...found] : found;
	const one = options[choice - 1];
	if (!one) throw terminal('invalid_input', `There are ${options.length} to choose from.`);
	// What a page calls its feed says little without the page.
	return place && choice === 1 ? one : { ...one, title: `${title}: ${one.title}`.slice(0, 100) };
}

function withSecretAddress(place: WatchedPlace): { place: WatchedPlace; secret: string } {
	if (!('secretAddress' in place)) throw needsOwner('invalid_input', 'Only an address of the web can be a secret.');
	return { place: { ...place, url: new URL(place.url).origin, secretAddress: true }, secret: place.url };
}

function budgetOf({ every, itemsPerDay, findingsPerDay }: AddSourceOptions): WatchedBudget {
	const parsed = WatchedBudget.safeParse({
		...(every !== undefined && { everyMinutes: every }),
		...(itemsPerDay !== undefined && { itemsPerDay }),
		...(findingsPerDay !== undefined && { findingsPerDay }),
	});
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	throw terminal('invalid_input', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'It does not fit'}.`, {
		safe: 'Nothing was added.',
	});
}

function previewText({ place, title, found, items, total, note }: SourcePreview): string {
	const choices = place ? [{ title, place }, ...found] : found;
	const listed = choices.map((one, at) => [
		`${at + 1}.`,
		one.place.kind.replace('_', ' '),
		oneLine(one.title, 40),
		oneLine(placeText(one.place), 80),
	]);
	const shown = items.map((item) => [
		// An event is told by when it is.
		/^When: (.+)$/m.exec(item.text)?.[1] ?? (item.publishedAt === undefined ? '' : when(item.publishedAt)),
		oneLine(item.title === '' ? item.text : item.title, 100),
	]);
	const count = place ? `${total === 1 ? 'One item' : `${total} items`} there now.` : '';
	return [title, table(listed), [count, note].filter(Boolean).join(' '), ...(shown.length > 0 ? [table(shown)] : [])]
		.filter((part) => part !== '')
		.join('\n\n');
}

function goingWith({ items, pending }: Pick<SourceTraces, 'items' | 'pending'>): string {
	return `${items === 1 ? 'one item' : `${items} items`} and ${pending === 1 ? 'one finding' : `${pending} findings`} that waited`;
}

function tracesText({ items, pending, entries, reminders, noted, chats }: SourceTraces): string {
	const lines = [`With it go ${goingWith({ items, pending })}. Approved of it, and kept unless you say --forget:`];
	const approved = [
		...entries.map(({ file, text }) => `${file}: ${text}`),
		...reminders.map(({ text }) => `Reminder: ${text}`),
		...noted.map(({ text }) => `Noted: ${text}`),
	];
	lines.push(...(approved.length > 0 ? approved.map((line) => `  ${oneLine(line, 120)}`) : ['  nothing']));
	if (chats.length > 0)
		lines.push('Chats about findings of it, kept unless you say --chats:', ...chats.map(({ title }) => `  “${oneLine(title, 60)}”`));
	return lines.join('\n');
}

function placeText(place: WatchedPlace): string {
	switch (place.kind) {
		case 'feed':
		case 'page':
		case 'calendar':
			return place.secretAddress ? `${place.url} (secret address)` : place.url;
		case 'folder':
		case 'calendar_file':
			return place.path;
		case 'mailbox':
			return `${place.user} at ${place.host}, ${place.mailbox}`;
		case 'issues':
			return `${place.repository} at ${place.baseUrl ?? place.service}`;
		case 'resource':
			return `${place.server}: ${place.uri}`;
		default:
			return assertNever(place);
	}
}

function healthText(health: WatchedHealth): string {
	switch (health.kind) {
		case 'new':
			return 'not read yet';
		case 'ok':
			return health.note === undefined ? 'fine' : `fine, but: ${health.note}`;
		case 'waiting':
			return `waits until ${dueText(health.until)}: ${health.error.message}`;
		case 'failed':
			return `failed: ${[health.error.message, health.error.action].filter(Boolean).join(' ')}`;
		default:
			return assertNever(health);
	}
}
