import type { z } from 'zod';
import { Settings } from '../../contract/methods/profile.ts';
import { terminal } from '../../domain/errors.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';

/** Budgets have a command of their own: `hearth work budget`. */
const Plain = Settings.omit({ budgets: true });
type Plain = z.infer<typeof Plain>;
const KEYS = Plain.keyof();
const NONE = 'none';

export async function getConfig({ rpc, door, output }: CommandContext, key: string | undefined): Promise<number> {
	const settings = await rpc.settings.get();
	for (const { code, message, safe } of door.hello.health.warnings)
		if (code === 'config_invalid') output.note([`Warning: ${message}`, safe].filter(Boolean).join(' '));
	if (key === undefined) {
		output.result(settings, table(KEYS.options.map((name) => [name, inWords(settings[name])])));
		return EXIT.ok;
	}
	const value = settings[keyOf(key)];
	output.result(value, inWords(value));
	return EXIT.ok;
}

export async function setConfig({ rpc, output }: CommandContext, key: string, given: string): Promise<number> {
	const name = keyOf(key);
	const saved = await rpc.settings.set(Plain.partial().parse({ [name]: typedValue(name, given) }));
	output.result(saved[name], `${name} is now ${inWords(saved[name])}`);
	return EXIT.ok;
}

function keyOf(given: string): keyof Plain {
	if (given === 'budgets') throw terminal('invalid_input', 'Budgets are seen and set with: hearth work budget');
	const parsed = KEYS.safeParse(given);
	if (parsed.success) return parsed.data;
	throw terminal('invalid_input', `There is no setting “${given.slice(0, 80)}”.`, { action: `Choose from: ${KEYS.options.join(', ')}.` });
}

function inWords(value: Plain[keyof Plain]): string {
	if (value === null) return NONE;
	return typeof value === 'object' ? `${value.from}-${value.to}` : String(value);
}

/** The words of the command line as the setting's own type: `true`, `30`, `2.5`, `08:00-22:00`, `none`, or text. */
function typedValue(name: keyof Plain, given: string): unknown {
	const candidates: unknown[] = [given];
	if (/^(true|false)$/.test(given)) candidates.unshift(given === 'true');
	if (/^-?\d+(\.\d+)?$/.test(given)) candidates.unshift(Number(given));
	if (given === NONE) candidates.unshift(null);
	const hours = /^(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)$/.exec(given);
	if (hours) candidates.unshift({ from: hours[1], to: hours[2] });
	const schema = Plain.shape[name];
	const fitting = candidates.find((candidate) => schema.safeParse(candidate).success);
	if (fitting !== undefined) return fitting;
	const issue = schema.safeParse(candidates[0]).error?.issues[0];
	throw terminal('invalid_input', `${name}: ${(issue?.message ?? 'That does not fit').replace(/\.?$/, '.')}`, {
		safe: 'Nothing was changed.',
		action: 'Correct it and try again.',
	});
}
