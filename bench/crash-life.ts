// One life of the whole runtime for the benchmark `crash`: `node crash-life.ts JSON`. Takes up what the last life left, asks for the work
// (always with the same request id, as a view does that lost its connection) and acts as the owner until it is done. Dies by SIGKILL at the
// crash point that it was told. Prints one JSON line for each thing worth knowing.
import { join } from 'node:path';
import { z } from 'zod';
import { CRASH_POINTS, onCrashPoint } from '../src/base/crash-point.ts';
import { PROTOCOL_VERSION } from '../src/contract/protocol.ts';
import { ProviderId } from '../src/domain/ids.ts';
import { startApp } from '../test/support/apps.ts';
import { readLedger, testTools } from '../test/support/test-tools.ts';
import { REQUEST_TEXT } from './crash-work.ts';

const Options = z.object({
	home: z.string(),
	modelUrl: z.string(),
	requestId: z.string(),
	die: z.object({ at: z.enum(CRASH_POINTS).optional(), nth: z.number() }).optional(),
});
const options = Options.parse(JSON.parse(process.argv[2] ?? '{}'));
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const ledger = join(options.home, 'ledger.jsonl');

let passed = 0;
let saidNext = false;
onCrashPoint((name) => {
	// The first step that begins after a start, whichever it is.
	if (name === 'journal.appended' && !saidNext) {
		saidNext = true;
		say({ what: 'next', ms: performance.now() });
	}
	if (!options.die || (options.die.at !== undefined && options.die.at !== name)) return;
	passed += 1;
	if (passed < options.die.nth) return;
	say({ what: 'dies', at: name });
	process.kill(process.pid, 'SIGKILL');
});

const { rpc, close } = await startApp(options.home, { tools: testTools(ledger) });
say({ what: 'up', ms: performance.now() });
const { health } = await rpc.system.hello({ protocol: PROTOCOL_VERSION, client: 'test' });
if (health.warnings.length > 0) say({ what: 'warned', codes: health.warnings.map((warning) => warning.code) });
if ((await rpc.models.choices()).chat.providerId === 'builtin') {
	const id = ProviderId.parse('scripted');
	await rpc.models.saveProvider({ provider: { id, kind: 'openai-compatible', name: 'Scripted', baseUrl: options.modelUrl } });
	await rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } });
}
const { sessionId, messageId, runId } = await rpc.chat.send({ requestId: options.requestId, text: REQUEST_TEXT, attachmentIds: [] });
for (;;) {
	const { run } = await rpc.runs.get({ runId });
	if (run.status === 'done' || run.status === 'failed' || run.status === 'stopped') break;
	if (run.status === 'interrupted') {
		say({ what: 'interrupted' });
		await rpc.runs.resume({ runId, how: 'retry' });
	}
	for (const { id: interruptId, shownHash, detail } of await rpc.chat.interrupts({})) {
		say({ what: 'asked', kind: detail.kind });
		if (detail.kind === 'approval') await rpc.chat.answer({ interruptId, shownHash, answer: { type: 'approve' } });
		if (detail.kind === 'question') await rpc.chat.answer({ interruptId, shownHash, answer: { type: 'reply', text: 'blue' } });
		if (detail.kind === 'did_it_happen') {
			// The owner looks.
			const value = z.object({ value: z.string() }).parse(detail.args).value;
			const happened = readLedger(ledger).some((line) => line.value === value);
			await rpc.chat.answer({ interruptId, shownHash, answer: happened ? { type: 'happened', result: 'it did' } : { type: 'run_again' } });
		}
	}
	await new Promise((resolve) => setTimeout(resolve, 3));
}
const { messages } = await rpc.sessions.messages({ sessionId, limit: 10 });
const reply = messages.find((message) => message.id === messageId);
say({ what: 'over', status: reply?.status, parts: reply?.parts });
await close();
