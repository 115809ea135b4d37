import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accessOf, configOf, draftOf, EMPTY_DRAFT } from '../../renderer/settings/servers/server-values.ts';
import type { Json } from '../../src/domain/json.ts';
import { ServerId, ToolServerConfig } from '../../src/domain/tool-server.ts';
import { modelName } from '../../src/tools/mcp/names.ts';
import { offerHash, offerOf } from '../../src/tools/mcp/pins.ts';
import { readSchema } from '../../src/tools/mcp/schema.ts';

const serverId = fc.stringMatching(/^[a-z][a-z0-9]{1,23}$/).map((id) => ServerId.parse(id));
const toolName = fc.oneof(fc.string({ minLength: 1, maxLength: 200 }), fc.stringMatching(/^[A-Za-z0-9_./-]{1,120}$/));

test('S2 names of tools of servers: what models may be told, always the same, never shared by two servers', () => {
	fc.assert(
		fc.property(serverId, serverId, toolName, toolName, (server, other, tool, another) => {
			const name = modelName(server, tool);
			expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
			expect(modelName(server, tool)).toBe(name);
			if (other !== server) expect(modelName(other, another)).not.toBe(name);
		}),
	);
});

test('S2 any JSON as a schema gives a check or a problem, and never an error', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.jsonValue(), (given, value) => {
			const read = readSchema(given as Json);
			if ('schema' in read) read.schema.safeParse(value);
		}),
	);
	const typed = fc.record({
		type: fc.constant('object'),
		properties: fc.dictionary(fc.string(), fc.jsonValue()),
		required: fc.array(fc.string()),
	});
	fc.assert(
		fc.property(typed, fc.jsonValue(), (given, value) => {
			const read = readSchema(given as Json);
			if ('schema' in read) expect(typeof read.schema.safeParse(value).success).toBe('boolean');
		}),
	);
});

test('S2 a schema that leads back to itself twice is checked only as deep as can be looked at', () => {
	const twice = { allOf: [{ $ref: '#' }, { $ref: '#' }] };
	const read = readSchema({ type: 'object', properties: { a: twice } });
	if ('problem' in read) throw new Error(read.problem);
	const nested = (depth: number): Json => (depth === 0 ? {} : { a: nested(depth - 1) });
	expect(read.schema.safeParse(nested(8)).success).toBe(true);
	// Each level doubles what has to be looked at.
	expect(read.schema.safeParse(nested(60)).success).toBe(false);
	const tree = readSchema({ type: 'object', properties: { below: { type: 'array', items: { $ref: '#' } } } });
	const branch = (depth: number): Json => (depth === 0 ? {} : { below: [branch(depth - 1)] });
	expect('schema' in tree && tree.schema.safeParse(branch(25)).success).toBe(true);
});

test('S2 a tool that nests without end is not taken in, and never runs anything out of its stack', () => {
	let deep: Json = {};
	for (let level = 0; level < 5_000; level++) deep = { properties: { a: deep } };
	const tool = (properties: Json) => ({ name: 'x', inputSchema: { type: 'object' as const, properties } }) as Parameters<typeof offerOf>[0];
	expect(offerOf(tool({ a: deep }))).toBeUndefined();
	expect(offerOf(tool({ a: { type: 'string' } }))).toMatchObject({ name: 'x' });
});

test('S2 the hash of what is shown is the same for the same content, whatever its order, and another for any other', () => {
	const offer = fc.record({ name: fc.constant('a'), description: fc.string(), inputSchema: fc.jsonValue() as fc.Arbitrary<Json> });
	fc.assert(
		fc.property(offer, offer, fc.string(), (one, other, url) => {
			const reversed = Object.fromEntries(Object.entries(one).toReversed()) as typeof one;
			expect(offerHash({ url }, reversed)).toBe(offerHash({ url }, one));
			const isSame = JSON.stringify(one) === JSON.stringify(other);
			if (!isSame && one.description !== other.description) expect(offerHash({ url }, other)).not.toBe(offerHash({ url }, one));
			expect(offerHash({ url: `${url}x` }, one)).not.toBe(offerHash({ url }, one));
		}),
	);
});

test('a server’s settings come back from the form as they went in', () => {
	const word = fc
		.string({ minLength: 1, maxLength: 20 })
		.filter((text) => !(text.includes('"') && text.includes("'")) && text.trim() !== '');
	fc.assert(
		fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.constantFrom('read', 'write'), ([command = 'x', ...args], access) => {
			const config = ToolServerConfig.parse({
				id: 'notes',
				title: 'Notes',
				transport: { kind: 'stdio', command, args, env: ['KEY'] },
				access: { folders: [{ path: '/srv', access }], network: { kind: 'hosts', hosts: ['a.example', '*.b.example'] } },
			});
			expect(configOf(draftOf(config, []), config)).toEqual(config);
		}),
	);
	expect(accessOf(EMPTY_DRAFT)).toEqual({ folders: [], home: 'hidden', network: { kind: 'none' }, unsandboxed: false });
});
