import { appendFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type FixtureState, fixtureServer, probingTools, slowTools, usualTools } from './tools.ts';

/** The fixture server as a program: `--text FILE` holds what `hand_back` gives, `--calls FILE` is where calls are written down. */
const { values } = parseArgs({ options: { text: { type: 'string' }, calls: { type: 'string' } } });
const state: FixtureState = {
	text: () => (values.text === undefined ? 'nothing' : readFileSync(values.text, 'utf8')),
	called: (call) => {
		if (values.calls !== undefined) appendFileSync(values.calls, `${JSON.stringify(call)}\n`);
	},
};
const tools = [...usualTools(state), ...slowTools(state), ...probingTools(state)];
const server = fixtureServer(() => tools);
await server.connect(new StdioServerTransport());
