import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/sha256.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import { HearthError, needsOwner, terminal } from '../../domain/errors.ts';
import { MAIL, MailAddress, type Outgoing } from '../../domain/outgoing.ts';
import type { TouchOf } from '../../domain/sink.ts';
import { touchName } from '../../domain/touch-name.ts';
import { newAuditEntry } from '../../firewall/audit-entries.ts';
import { AUDIT_RULES } from '../../firewall/audit-rules.ts';
import type { AuditLog, Redactor } from '../../firewall/ports.ts';
import { NOTHING_SENT } from '../../net/mailer.ts';
import { callIdOf, originOf } from '../call-origin.ts';
import type { Tool, ToolContext, ToolOutput } from '../port.ts';
import type { Delivery, Messenger } from './messenger.ts';

const MOST_RECIPIENTS = 20;
const ONE_LINE = /^[^\p{Cc}\u2028\u2029]*$/u;

const Arguments = z.object({
	via: z.string().trim().min(1).max(32).describe('“mail” or a webhook'),
	to: z.array(MailAddress).max(MOST_RECIPIENTS).default([]).describe('Mail addresses'),
	subject: z
		.string()
		.trim()
		.max(200)
		.refine((line) => ONE_LINE.test(line), 'One line.')
		.default('')
		.describe('Of a mail'),
	text: z.string().min(1).max(50_000).describe('All of it, plain'),
	reason: z.string().trim().max(300).optional(),
});
type Arguments = z.infer<typeof Arguments>;

/** What is kept of a delivery, on the disk as soon as the server has answered (R2). */
const Kept = z.object({ text: z.string(), summary: z.string() });

const NAME = 'send_message';

export interface SendMessageDeps {
	readonly messenger: Messenger;
	/** As the owner set it up, now. */
	readonly outgoing: () => Outgoing;
	readonly hasMask: Redactor['hasMask'];
	readonly audit: Pick<AuditLog, 'record'>;
	readonly clock: Clock;
}

/** The owner sees each message whole before it leaves, and says yes to that one: there is no leave in advance. */
export function sendMessageTool({ messenger, outgoing, hasMask, audit, clock }: SendMessageDeps): Tool<Arguments> {
	return {
		name: NAME,
		title: 'Send a message',
		get description() {
			return `Sends a mail, or a text to a webhook, once the owner has read it and said yes. Set up: ${ways(outgoing()) || 'none'}.`;
		},
		schema: Arguments,
		effect: 'effectful',
		sinks: ['message'],
		timeoutMs: 90_000,
		outputCap: 4_000,
		offered: () => ways(outgoing()) !== '',
		touches: (args) => [touchOf(args, outgoing())],
		run: async (args, context) => {
			const touch = touchOf(args, outgoing());
			if (!isSame(touch, context.touches)) return refused('what it would go through is not what was approved.');
			if ([args.subject, args.text, ...args.to].some(hasMask))
				return refused('it holds the mark that stands where a secret was taken out. Write it without that.');
			const known = keptOf(context);
			if (known) return known;
			const started = clock.monotonic();
			const delivery = await delivered(messenger, {
				via: args.via,
				to: args.to,
				subject: args.subject,
				text: args.text,
				// The same call is the same message, however often it is tried.
				key: sha256(`hearth message ${context.idempotencyKey}`).slice(0, 32),
				date: new Date(clock.now()),
				signal: context.signal,
				by: originOf(context, NAME),
			});
			const record = (decision: 'done' | 'failed', outcome: string) =>
				audit.record([
					sentEntry(context, touch, { decision, outcome, textHash: sha256(args.text), latencyMs: clock.monotonic() - started }),
				]);
			if (typeof delivery === 'string') {
				await record('failed', 'not sent');
				return refused(delivery);
			}
			const kept = inWords(args.via, delivery);
			// Beside the outcome of the call, which a crash may still take: the server has said yes, and that must not be asked again.
			context.state.set(context.idempotencyKey, kept);
			await context.state.save();
			await record('done', kept.summary);
			return outputOf(kept);
		},
		verify: async (args, context) => {
			const known = keptOf(context);
			if (known) return { happened: 'yes', output: known };
			const where =
				args.via === MAIL ? 'Look into the folder of sent mail, or ask those who should have got it' : 'Look where the webhook posts';
			return { happened: 'unknown', found: `No answer of the server was written down. ${where}.` };
		},
	};
}

function touchOf({ via, to, subject }: Arguments, { mail, webhooks }: Outgoing): TouchOf<'message'> {
	if (via === MAIL) {
		if (!mail) throw needsOwner('not_found', `No mail account is set up. ${setUp({ mail, webhooks })}`);
		if (to.length === 0) throw terminal('invalid_input', 'A mail needs at least one address in `to`.');
		if (subject === '') throw terminal('invalid_input', 'A mail needs a subject.');
		return { sink: 'message', via: `${MAIL} (${mail.from})`, to: [...to] };
	}
	const webhook = webhooks.find(({ name }) => name === via);
	if (!webhook) throw needsOwner('not_found', `There is no webhook named “${via}”. ${setUp({ mail, webhooks })}`);
	if (to.length > 0 || subject !== '') throw terminal('invalid_input', 'A webhook takes only `text`: no `to` and no `subject`.');
	return { sink: 'message', via, to: [webhook.host] };
}

function ways({ mail, webhooks }: Pick<Outgoing, 'mail' | 'webhooks'>): string {
	return [...(mail ? [MAIL] : []), ...webhooks.map(({ name }) => name)].join(', ');
}

function setUp(outgoing: Pick<Outgoing, 'mail' | 'webhooks'>): string {
	const there = ways(outgoing);
	return there === '' ? 'The owner can set one up in Settings, Web and messages.' : `There is: ${there}.`;
}

function isSame(touch: TouchOf<'message'>, allowed: ToolContext['touches']): boolean {
	return allowed.some((each) => each.sink === 'message' && each.via === touch.via && each.to.join('\n') === touch.to.join('\n'));
}

/** What became of it. Of a connection that broke the record of the call over the network tells. */
function sentEntry(
	context: ToolContext,
	touch: TouchOf<'message'>,
	{ outcome, ...more }: Pick<AuditEntry, 'decision' | 'textHash' | 'latencyMs'> & { outcome: string },
): AuditEntry {
	const { sources, label, runId, sessionId, step } = context;
	return newAuditEntry({
		sink: 'message',
		rule: AUDIT_RULES.messageSent,
		label,
		runId,
		sessionId,
		step,
		callId: callIdOf(context),
		...more,
		detail: { from: NAME, to: touchName(touch), reason: 'You said yes to it.', outcome, tool: NAME, ...(sources && { sources }) },
	});
}

function keptOf({ state, idempotencyKey }: ToolContext): ToolOutput | undefined {
	const kept = Kept.safeParse(state.get(idempotencyKey)).data;
	return kept && outputOf(kept);
}

function outputOf({ text, summary }: z.infer<typeof Kept>): ToolOutput {
	return { text, summary, isError: false, label: 'agent' };
}

function inWords(via: string, { accepted, rejected, answer }: Delivery): z.infer<typeof Kept> {
	const to = accepted.length > 0 ? ` to ${accepted.join(', ')}` : '';
	const not = rejected.length > 0 ? ` The server did not take it for ${rejected.join(', ')}.` : '';
	return { text: `Sent by ${via}${to}. ${answer}${not}`, summary: rejected.length > 0 ? 'sent to some' : 'sent' };
}

/** Why nothing was sent, where that is certain. Rejects where it may have been. */
async function delivered(messenger: Messenger, message: Parameters<Messenger['deliver']>[0]): Promise<Delivery | string> {
	try {
		return await messenger.deliver(message);
	} catch (error) {
		if (!(error instanceof HearthError) || error.shape.safe !== NOTHING_SENT) throw error;
		return [error.message, error.shape.action].filter(Boolean).join(' ');
	}
}

function refused(why: string): ToolOutput {
	return { text: `Not sent: ${why}`, isError: true, summary: 'not sent', label: 'agent' };
}
