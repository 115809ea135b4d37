// One life of the whole runtime for the benchmark `crash`: `node crash-life.ts JSON`. Takes up what the last life left, asks for the work
// (always with the same request id, as a view does that lost its connection) and acts as the owner until it is done. Dies by SIGKILL at the
// crash point that it was told. Prints one JSON line for each thing worth knowing.
import { z } from 'zod';
import { CRASH_POINTS, type CrashPointName, onCrashPoint } from '../src/base/crash-point.ts';
import { PROTOCOL_VERSION } from '../src/contract/protocol.ts';
import { HearthError } from '../src/domain/errors.ts';
import { ProviderId } from '../src/domain/ids.ts';
import { asJson, canonicalJson } from '../src/domain/json.ts';
import type { PermissionOffer } from '../src/domain/permission.ts';
import type { Tool } from '../src/tools/port.ts';
import { startApp } from '../test/support/apps.ts';
import { testTools } from '../test/support/test-tools.ts';
import { doChores } from './crash-chores.ts';
import { approveProposals, lookAtOutside, OUTSIDE, setUpOutside } from './crash-outside.ts';
import { effectOf, effectsOf, ledgerOf, TWENTY_STEPS, verifiedTool } from './crash-work.ts';

const Options = z.object({
	home: z.string(),
	modelUrl: z.string(),
	requestId: z.string(),
	/** Once the work is done. */
	chores: z.boolean().default(false),
	/** The work is the one that reaches outside, and this is where it reaches. */
	outside: z.object({ mcpUrl: z.string(), mailPort: z.number() }).optional(),
	die: z.object({ at: z.enum(CRASH_POINTS).optional(), nth: z.number() }).optional(),
});
const options = Options.parse(JSON.parse(process.argv[2] ?? '{}'));
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const ledger = ledgerOf(options.home);
const work = options.outside ? OUTSIDE : TWENTY_STEPS;

/** How often each point was passed. */
const counts: Partial<Record<CrashPointName, number>> = {};
/** An owner presses again once there is room. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
	for (;;) {
		try {
			return await act();
		} catch (error) {
			if (!(error instanceof HearthError && error.code === 'disk_full')) throw error;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}
}

let passed = 0;
let saidNext = false;
onCrashPoint((name) => {
	// The first step that begins after a start, whichever it is.
	if (name === 'journal.appended' && !saidNext) {
		saidNext = true;
		say({ what: 'next', ms: performance.now() });
	}
	counts[name] = (counts[name] ?? 0) + 1;
	if (!options.die || (options.die.at !== undefined && options.die.at !== name)) return;
	passed += 1;
	if (passed < options.die.nth) return;
	say({ what: 'dies', at: name });
	process.kill(process.pid, 'SIGKILL');
});

const app = await startApp(options.home, { tools: [...testTools(ledger), verifiedTool(ledger)] as Tool[] });
const { rpc, close } = app;
say({ what: 'up', ms: performance.now() });
const { health } = await rpc.system.hello({ protocol: PROTOCOL_VERSION, client: 'test' });
if (health.warnings.length > 0) say({ what: 'warned', codes: health.warnings.map((warning) => warning.code) });
if ((await rpc.models.choices()).chat.providerId === 'builtin') {
	const id = ProviderId.parse('scripted');
	const provider = { id, kind: 'openai-compatible', name: 'Scripted', baseUrl: options.modelUrl } as const;
	await patiently(() => rpc.models.saveProvider({ provider }));
	await patiently(() => rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } }));
}
if (options.outside) {
	await setUpOutside(app, options.outside);
	// It ends with the runtime.
	void listen().catch(() => undefined);
}
const { runId } = await patiently(() => rpc.chat.send({ requestId: options.requestId, text: work.text, attachmentIds: [] }));
for (;;) {
	const { run } = await rpc.runs.get({ runId });
	if (run.status === 'done' || run.status === 'failed' || run.status === 'stopped') break;
	if (run.status === 'interrupted') {
		say({ what: 'interrupted' });
		await patiently(() => rpc.runs.resume({ runId, how: 'retry' }));
	}
	for (const { id: interruptId, shownHash, detail } of await rpc.chat.interrupts({})) {
		const effect = 'args' in detail ? effectOf(detail.args) : '';
		say({ what: 'asked', kind: detail.kind, isCovered: detail.kind === 'approval' && (await isCovered(detail.offers)), effect });
		if (detail.kind === 'approval') {
			const offer = detail.offers.findIndex(({ reach }) => reach === 'standing');
			const answer = { type: 'approve' as const, ...(offer >= 0 && { offer }) };
			await patiently(() => rpc.chat.answer({ interruptId, shownHash, answer }));
		}
		if (detail.kind === 'question')
			await patiently(() => rpc.chat.answer({ interruptId, shownHash, answer: { type: 'reply', text: 'blue' } }));
		if (detail.kind === 'did_it_happen') {
			// The owner looks.
			const happened = effectsOf(options.home).includes(effect);
			await patiently(() =>
				rpc.chat.answer({ interruptId, shownHash, answer: happened ? { type: 'happened', result: 'it did' } : { type: 'run_again' } }),
			);
		}
	}
	if (options.outside) await approveProposals(app);
	await new Promise((resolve) => setTimeout(resolve, 3));
}
// Not as the chat shows it: a restore chooses another version of the reply.
const { status } = (await rpc.runs.get({ runId })).run;
const reply = (await rpc.runs.state({ runId, step: work.steps })).messages.at(-1);
// Ids of their own, which are the same in each life.
if (options.chores)
	await doChores(app, runId, (chore) => `${options.requestId.slice(0, -12)}${String(chore).slice(-12).padStart(12, '0')}`);
const faults = options.outside && (await lookAtOutside(app));
say({ what: 'over', status, parts: reply?.parts, counts, faults });
await close();

/** What is offered to be permitted is permitted already. */
async function isCovered(offers: readonly PermissionOffer[]): Promise<boolean> {
	const { permissions } = await rpc.permissions.list();
	const inForce = permissions.filter(({ revokedAt }) => revokedAt === undefined).map(({ terms }) => canonicalJson(asJson(terms)));
	return offers.some(({ terms }) => inForce.includes(canonicalJson(asJson(terms))));
}

/** Each time that the owner is told of a reminder. */
async function listen(): Promise<void> {
	for await (const item of await rpc.system.live({ afterSeq: 0 }))
		if (item.type === 'event' && item.event.type === 'reminder_due') say({ what: 'told' });
}
