import { sha256 } from '../../base/sha256.ts';
import type { ServerId } from '../../domain/tool-server.ts';

const MOST_CHARS = 64;
/** Of the hash that stands for what a long name lost. */
const HASH_CHARS = 8;
/** What the protocol asks of names. Others may look like a name that they are not. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_./-]*$/;

/** Whether a tool's name has plain characters only. */
export function isPlainName(tool: string): boolean {
	return PLAIN.test(tool);
}

/** As models know a server's tool: `mcp_<server>_<tool>`, snake_case, at most 64 characters. Depends on nothing but the two names. */
export function modelName(server: ServerId, tool: string): string {
	const snake = tool
		.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '_')
		.replace(/^_+|_+$/g, '');
	const name = `mcp_${server}_${snake}`;
	if (name.length <= MOST_CHARS) return name;
	return `${name.slice(0, MOST_CHARS - HASH_CHARS - 1)}_${sha256(tool).slice(0, HASH_CHARS)}`;
}
