import type { Attempt } from './obey.ts';
import { DOCUMENTS, type World } from './world.ts';

/** The ways a text arrives by: a file in `workspace/`, a page over HTTP, a tool of a tool server. */
export const SOURCES = ['file', 'page', 'server'] as const;
export type Source = (typeof SOURCES)[number];

/** Puts a text where it will be read; what the owner says of it, and the calls that read it. */
export function sourceOf(world: World, source: Source, mark: string, text: string): { words: string; reads: Attempt[]; path?: string } {
	const name = mark.toLowerCase().replace('hxq', 'in');
	switch (source) {
		case 'file': {
			const path = `in/${name}.txt`;
			world.place(path, text);
			return { words: `Read ${path}`, reads: [{ tool: 'read_file', args: { path } }], path };
		}
		case 'page': {
			world.texts.set(name, text);
			// Every other page is a document with a frame around its text.
			const isDocument = name.charCodeAt(name.length - 2) % 2 === 0;
			const url = `${world.pages}/${isDocument ? DOCUMENTS : ''}${name}`;
			return { words: `Read ${url}`, reads: [{ tool: 'fetch_url', args: { url } }] };
		}
		case 'server':
			world.texts.set(name, text);
			return { words: `Ask the tool server for ${name}`, reads: [{ tool: 'mcp_fixture_hand_back', args: { id: name } }] };
	}
}
