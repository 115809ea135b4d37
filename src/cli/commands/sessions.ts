import { writeFile } from 'node:fs/promises';
import { MATCH_END, MATCH_START } from '../../contract/methods/sessions.ts';
import { needsOwner } from '../../domain/errors.ts';
import { type Message, messageText } from '../../domain/message.ts';
import { atTerminal, confirm } from '../ask.ts';
import { type CommandContext, findSession, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';

export async function listSessions({ rpc, output }: CommandContext): Promise<number> {
	const { sessions } = await rpc.sessions.list();
	const rows = sessions.map((session) => [
		session.id,
		when(session.updatedAt),
		`${session.messageCount}`,
		`${session.pinned ? '★ ' : ''}${session.title || '(untitled)'}${session.activity === 'idle' ? '' : `  [${session.activity.replace('_', ' ')}]`}`,
	]);
	output.result(sessions, rows.length > 0 ? table([['ID', 'LAST USED', 'MESSAGES', 'TITLE'], ...rows]) : 'There is no chat yet.');
	return EXIT.ok;
}

export async function showSession({ rpc, output }: CommandContext, id: string): Promise<number> {
	const session = await findSession(rpc, id);
	const messages: Message[] = [];
	for (;;) {
		const before = messages[0]?.id;
		const page = await rpc.sessions.messages({ sessionId: session.id, limit: 500, ...(before && { before }) });
		messages.unshift(...page.messages);
		if (!page.hasOlder || page.messages.length === 0) break;
	}
	const text = messages.map((message) => {
		const who = message.role === 'user' ? 'You' : (message.modelName ?? 'Hearth');
		const state = message.status === 'complete' ? '' : `  [${message.status}]`;
		return `${who}, ${when(message.createdAt)}${state}\n${messageText(message)}\n`;
	});
	output.result({ session, messages }, [`# ${session.title || '(untitled)'}`, '', ...text].join('\n'));
	return EXIT.ok;
}

export async function exportSession(
	{ rpc, output }: CommandContext,
	id: string,
	options: { format: 'markdown' | 'json'; output?: string },
): Promise<number> {
	const session = await findSession(rpc, id);
	const file = await rpc.sessions.export({ sessionId: session.id, format: options.format });
	if (options.output === undefined) {
		output.result(file, file.text);
		return EXIT.ok;
	}
	try {
		// Not over an existing file: it may be anything.
		await writeFile(options.output, file.text, { flag: 'wx', mode: 0o600 });
	} catch (error) {
		const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
		throw needsOwner('conflict', exists ? `${options.output} exists already.` : `${options.output} can’t be written.`, {
			safe: 'Nothing was written.',
			action: 'Choose another name with --output.',
			cause: error,
		});
	}
	output.result({ file: options.output }, `Saved ${options.output}`);
	return EXIT.ok;
}

export async function deleteSession({ rpc, output }: CommandContext, id: string, options: { yes?: boolean }): Promise<number> {
	const session = await findSession(rpc, id);
	if (!options.yes) {
		if (!atTerminal()) {
			throw needsOwner('conflict', 'Deleting a chat can’t be undone, so it asks first, and nobody is there to answer.', {
				safe: 'Nothing was deleted.',
				action: 'Run it in a terminal, or add --yes.',
			});
		}
		if (!(await confirm(`Delete “${session.title}” (${session.messageCount} messages)? This can’t be undone.`))) {
			output.result({ deleted: false }, 'Kept.');
			return EXIT.ok;
		}
	}
	await rpc.sessions.delete({ sessionId: session.id });
	output.result({ deleted: true, id: session.id }, `Deleted “${session.title}”.`);
	return EXIT.ok;
}

export async function searchSessions({ rpc, output }: CommandContext, query: string, options: { limit?: number }): Promise<number> {
	const hits = await rpc.sessions.search({ query, ...(options.limit !== undefined && { limit: options.limit }) });
	const plain = hits.map((hit) => ({ ...hit, snippet: hit.snippet.replaceAll(MATCH_START, '[').replaceAll(MATCH_END, ']') }));
	const text = plain.map(
		(hit) => `${hit.sessionId}  ${when(hit.createdAt)}  ${hit.sessionTitle}\n    ${hit.snippet.replaceAll('\n', ' ')}`,
	);
	output.result(plain, text.length > 0 ? text.join('\n') : 'Nothing found.');
	return EXIT.ok;
}
