import { z } from 'zod';
import { Timestamp } from '../../domain/ids.ts';

/** What an archive of a profile holds, and how it says so. */

export const MANIFEST_NAME = 'manifest.json';
export const STATE_DB_NAME = 'state.db';

/** Single files, then whole folders. Not among them: `index.db` and the reserve (made anew), keys, lock, socket and its token, logs, back-ups. */
export const SINGLE_FILES = ['MEMORY.md', 'AGENT.md', 'USER.md', 'HEARTBEAT.md', 'config.json', 'policy.yaml'] as const;
export const FOLDERS = ['memory', 'skills', 'workflows', 'attachments', 'blobs', 'workspace'] as const;

export const Manifest = z.object({
	format: z.literal('hearth-profile'),
	/** Of this file's own shape. */
	version: z.literal(1),
	hearth: z.string(),
	schemaVersion: z.number().int().positive(),
	profile: z.string(),
	madeAt: Timestamp,
	files: z.array(
		z.object({
			path: z.string(),
			bytes: z.number().int().nonnegative(),
			sha256: z.string().regex(/^[0-9a-f]{64}$/),
			executable: z.boolean().default(false),
		}),
	),
	leftOut: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;
export type LeftOut = Manifest['leftOut'][number];

/** Whether a name in an archive is one that a profile may hold, inside its own folder: nothing absolute, no way up, no keys. */
export function belongsInProfile(path: string): boolean {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
	if (path.length > 1_000 || /[\u0000-\u001f\u007f\\:]/.test(path)) return false;
	const parts = path.split('/');
	if (parts.some((part) => part === '' || part === '.' || part === '..')) return false;
	const [first = ''] = parts;
	if (parts.length === 1) return path === STATE_DB_NAME || (SINGLE_FILES as readonly string[]).includes(path);
	return (FOLDERS as readonly string[]).includes(first);
}
