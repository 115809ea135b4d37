import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MailAccount } from '../src/domain/outgoing.ts';
import { ServerId, ToolServerConfig } from '../src/domain/tool-server.ts';
import type { RunningApp } from '../test/support/apps.ts';
import { usualTools } from '../test/support/mcp/tools.ts';
import { startHttpFixture } from '../test/support/mcp-fixture.ts';
import { calls, type Reply, says } from '../test/support/model-server/index.ts';
import { startMailServer } from '../test/support/smtp-server.ts';
import { COMMANDS_FILE, type Work } from './crash-work.ts';

/**
 * A second work of the benchmark `crash`, of what reaches outside: a skill, a reminder, a command in the sandbox, calls of a tool server under
 * permissions that the owner gives with an answer, and a mail.
 */

const SERVER = ServerId.parse('fixture');
const RECORD = `mcp_${SERVER}_record`;
const SKILL = { name: 'weekly-report', description: 'How to write it.', text: '1. List what was done.', reason: 'It is done each week.' };
const FINAL = 'All of it is outside.';

/** What the model says after so many results of tools. */
export const OUTSIDE_REPLIES: ReadonlyMap<number, Reply> = new Map([
	[0, calls('skill_write', SKILL)],
	[1, calls('remind', { text: 'Call Ada.', in_minutes: 0.01 })],
	[2, calls('run_command', { command: `echo command-1 >> ${COMMANDS_FILE}`, reason: 'It is counted.' })],
	// Each may be asked about; by the third the owner has permitted it for the chat.
	[3, calls(RECORD, { note: 'note-1' })],
	[4, calls(RECORD, { note: 'note-2' })],
	[5, calls(RECORD, { note: 'note-3' })],
	[6, calls('send_message', { via: 'mail', to: ['ada@example.org'], subject: 'Monday', text: 'letter-1' })],
	[7, says(FINAL, { delayMs: 60 })],
]);

export const OUTSIDE: Work = {
	text: 'Do the work that reaches outside.',
	steps: 15,
	lastCall: OUTSIDE_REPLIES.size - 1,
	tools: ['skill_write', 'remind', 'run_command', RECORD, RECORD, RECORD, 'send_message'],
	effects: ['command-1', 'note-1', 'note-2', 'note-3', 'letter-1'],
	final: FINAL,
};

export interface Outside {
	/** Where what comes is written down. */
	ledger: string;
	readonly addresses: { mcpUrl: string; mailPort: number };
	close(): Promise<void>;
}

/** A tool server and a mail server; they outlive every runtime. */
export async function startOutside(): Promise<Outside> {
	const mail = await startMailServer({ security: 'none' });
	const fixture = await startHttpFixture();
	const outside: Outside = {
		ledger: '',
		addresses: { mcpUrl: fixture.url, mailPort: mail.port },
		close: async () => {
			await fixture.close();
			await mail.close();
		},
	};
	const note = (tool: string, value: string): void =>
		appendFileSync(outside.ledger, `${JSON.stringify({ tool, key: '', value, pid: process.pid })}\n`);
	fixture.tools = usualTools({ text: () => '', called: ({ tool, args }) => note(tool, String(args.note)) });
	mail.beforeAnswer = () => note('send_message', /letter-\d/.exec(mail.mails.at(-1)?.raw ?? '')?.[0] ?? 'another letter');
	return outside;
}

/** Sets up what is not set up yet, as the owner did once. */
export async function setUpOutside({ rpc }: RunningApp, { mcpUrl, mailPort }: Outside['addresses']): Promise<void> {
	const { servers } = await rpc.servers.list();
	if (!servers.some(({ server }) => server.id === SERVER)) {
		const transport = { kind: 'http', url: mcpUrl };
		await rpc.servers.add({ server: ToolServerConfig.parse({ id: SERVER, title: 'Fixture', transport, access: { folders: [] } }) });
	}
	await rpc.servers.connect({ server: SERVER });
	const { tools } = await rpc.servers.tools({ server: SERVER });
	const waiting = tools.flatMap(({ tool, state, shownHash }) => (state !== 'approved' && shownHash ? [{ tool, shownHash }] : []));
	if (waiting.length > 0) await rpc.servers.approveTools({ server: SERVER, tools: waiting });
	const account = { host: '127.0.0.1', port: mailPort, security: 'none', user: '', from: 'me@home.example' };
	if (!(await rpc.outgoing.get()).mail) await rpc.outgoing.setMail({ mail: MailAccount.parse(account) });
}

export async function approveProposals({ rpc }: RunningApp): Promise<void> {
	for (const { id: proposalId, shownHash } of (await rpc.inbox.list({})).proposals) await rpc.inbox.approve({ proposalId, shownHash });
}

/** What is missing in the end, and what is there more than once, in words. */
export interface Faults {
	readonly missing: string[];
	readonly twice: string[];
}

/** Once the run is over, when the reminder is told and the skill counts. */
export async function lookAtOutside(app: RunningApp): Promise<Faults> {
	const { rpc } = app;
	const reminders = async () => (await rpc.reminders.list({})).reminders;
	const skills = async () => (await rpc.skills.list()).skills;
	const isSettled = async () =>
		(await reminders()).some(({ toldAt }) => toldAt !== undefined) && (await skills()).some(({ state }) => state === 'usable');
	for (let tries = 0; !(await isSettled()) && tries < 1_000; tries += 1) {
		await approveProposals(app);
		await sleep(10);
	}
	const given = (await rpc.permissions.list()).permissions.filter(({ origin }) => origin === 'approval').map(({ terms }) => terms);
	const granted = (await rpc.audit.list({ sinks: ['permission'] })).records.filter(({ decision }) => decision === 'granted');
	const counts: [what: string, times: number][] = [
		['reminder', (await reminders()).length],
		['skill', (await skills()).filter(({ state }) => state === 'usable').length],
		['proposal', 1 + (await rpc.inbox.list({})).proposals.length],
		['permission', given.length - new Set(given.map((terms) => JSON.stringify(terms))).size + Math.min(1, given.length)],
		['record of each permission', 1 + granted.length - given.length],
	];
	return {
		missing: [...counts.filter(([, times]) => times < 1).map(([what]) => what), ...((await isSettled()) ? [] : ['what it waits for'])],
		twice: counts.filter(([, times]) => times > 1).map(([what]) => what),
	};
}
