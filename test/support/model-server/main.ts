// The scripted provider as a process of its own: `node test/support/model-server/main.ts --script FILE --port N`.
// Prints one JSON line with its address; other processes drive it by POST /__script, POST /__reply and GET /__log.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Script } from './script.ts';
import { startModelServer } from './server.ts';

const { values } = parseArgs({ options: { script: { type: 'string' }, port: { type: 'string', default: '0' } } });
const script = values.script === undefined ? undefined : Script.parse(JSON.parse(readFileSync(values.script, 'utf8')));
const server = await startModelServer({ script, port: Number(values.port) });
console.log(JSON.stringify({ url: server.url, openaiUrl: server.openaiUrl, anthropicUrl: server.anthropicUrl, pid: process.pid }));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => {
		server.close().then(
			() => process.exit(0),
			() => process.exit(1),
		);
	});
}
