import { z } from 'zod';
import { parseMended } from '../base/mend-json.ts';
import { isDeeperThan, Json } from '../domain/json.ts';
import type { Tool } from '../tools/port.ts';

type Read = { ok: true; args: Json; repaired: boolean } | { ok: false; problem: string };

/** No tool takes more; a journal has to be read again whatever is in it. */
const MOST_DEPTH = 64;

/** Arguments as a model wrote them: JSON as it stands, else repaired, then the tool's own schema. What is kept is what the schema made of it. */
export function readArguments(tool: Tool, text: string): Read {
	const parsed = parseMended(text.trim() === '' ? '{}' : text);
	if (!parsed) return { ok: false, problem: 'they are not JSON.' };
	if (isDeeperThan(parsed.value, MOST_DEPTH)) return { ok: false, problem: 'they are nested too deeply.' };
	const checked = tool.schema.safeParse(parsed.value);
	if (!checked.success) return { ok: false, problem: z.prettifyError(checked.error) };
	const args = Json.safeParse(checked.data);
	return args.success ? { ok: true, args: args.data, repaired: parsed.repaired } : { ok: false, problem: 'they are not JSON.' };
}
