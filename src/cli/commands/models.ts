import { terminal } from '../../domain/errors.ts';
import { ProviderId } from '../../domain/ids.ts';
import { ModelRef, type ProviderConfig, WorkKind } from '../../domain/model.ts';
import type { CommandContext } from '../context.ts';
import { withKeys } from '../door.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';
import { askSecret, withSecretStore } from '../secret-input.ts';

/** Whose kind says where they are. */
const HOSTED: readonly ProviderConfig[] = [
	{ id: ProviderId.parse('openai'), kind: 'openai', name: 'OpenAI' },
	{ id: ProviderId.parse('anthropic'), kind: 'anthropic', name: 'Anthropic' },
];

export async function listModels({ rpc, output }: CommandContext): Promise<number> {
	const [providers, choices] = [await rpc.models.providers({ refresh: true }), await rpc.models.choices()];
	const chosenFor = (providerId: string, modelId: string): string =>
		Object.entries(choices)
			.filter(([, model]) => model?.providerId === providerId && model.modelId === modelId)
			.map(([work]) => work)
			.join(', ');
	const rows = providers.flatMap((status) => {
		const where = `${status.provider.name} (${status.local ? 'on this computer' : 'remote'}): ${status.state.replaceAll('_', ' ')}`;
		const models = status.models.map((model) => {
			const used = chosenFor(status.provider.id, model.id);
			return [`  ${status.provider.id}/${model.id}`, model.contextTokens ? `${model.contextTokens} tokens` : '', used ? `← ${used}` : ''];
		});
		return [[where, '', status.problem?.message ?? ''], ...models];
	});
	output.result({ providers, choices }, table(rows));
	return EXIT.ok;
}

export async function testModel({ rpc, door, output }: CommandContext, given: string | undefined): Promise<number> {
	const model = given === undefined ? (await rpc.models.choices()).chat : parseModel(given);
	const result = await withKeys(door, () => rpc.models.test({ model }));
	output.result(
		{ model, ...result },
		`${model.providerId}/${model.modelId} works: “${result.sample}” (first word after ${Math.round(result.firstTokenMs)} ms, all after ${Math.round(result.totalMs)} ms)`,
	);
	return EXIT.ok;
}

export async function chooseModel({ rpc, door, output }: CommandContext, given: string, options: { for: string }): Promise<number> {
	const work = WorkKind.safeParse(options.for);
	if (!work.success)
		throw terminal('invalid_input', `“${options.for}” is no kind of work.`, { action: `Choose from: ${WorkKind.options.join(', ')}.` });
	if (given === 'none') {
		await rpc.models.unchoose({ work: work.data });
		output.result({ work: work.data, model: null }, `The choice for ${work.data} is taken back.`);
		return EXIT.ok;
	}
	const model = parseModel(given);
	const result = await withKeys(door, () => rpc.models.choose({ work: work.data, model }));
	output.result({ work: work.data, model, ...result }, `${model.providerId}/${model.modelId} now does: ${work.data}.`);
	return EXIT.ok;
}

/**
 * Stores a provider's key, which never stands on the command line, where other users and the shell's history would see it: it
 * is asked for, or read from standard input. A provider that is not saved yet is saved, where its kind says where it is.
 */
export async function setKey(context: CommandContext, id: string): Promise<number> {
	const { rpc, output } = context;
	const known = (await rpc.models.providers({})).find((status) => status.provider.id === id)?.provider;
	const provider = known ?? HOSTED.find((one) => one.id === id);
	if (!provider) {
		throw terminal('not_found', `There is no provider “${id}”.`, {
			action: `List them with: hearth models list. These need no set-up: ${HOSTED.map((one) => one.id).join(', ')}.`,
		});
	}
	const key = await askSecret(`Key for ${provider.name}: `);
	await withSecretStore(context, () => rpc.models.saveProvider({ provider, key }));
	const { store } = await rpc.secrets.status();
	output.result({ provider: provider.id, store }, `The key for ${provider.name} is stored (${store}).`);
	return EXIT.ok;
}

/** `provider/model`; the model's own name may hold slashes. */
export function parseModel(given: string): ModelRef {
	const slash = given.indexOf('/');
	const parsed = ModelRef.safeParse({ providerId: given.slice(0, slash), modelId: given.slice(slash + 1) });
	if (slash > 0 && parsed.success) return parsed.data;
	throw terminal('invalid_input', `“${given.slice(0, 80)}” is no model.`, {
		action: 'Write PROVIDER/MODEL, as “hearth models list” shows it.',
	});
}
