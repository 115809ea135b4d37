import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ProviderStatus } from '../../src/contract/shapes.ts';
import type { ModelRef, WorkKind } from '../../src/domain/model.ts';
import { call, shapeOf } from '../connection/index.ts';
import { ErrorNote } from '../ui/note.tsx';
import { type Option, Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { isBuiltin, modelName, modelOfValue, modelValue } from './provider-values.ts';
import { Row } from './row.tsx';

/** The model for one kind of work. The runtime saves a choice only after the model answered a test. */
export function ModelChoice({ work, chosen, providers }: { work: WorkKind; chosen: ModelRef; providers: readonly ProviderStatus[] }) {
	const say = useSay();
	const queries = useQueryClient();
	const choose = useMutation({
		mutationFn: (model: ModelRef) => call((client) => client.models.choose({ work, model })),
		onSettled: () => queries.invalidateQueries({ queryKey: ['models', 'choices'] }),
	});
	const options: Option[] = providers.flatMap((status) => {
		const builtin = status.provider.kind === 'builtin';
		return status.models.map((info) => ({
			value: modelValue({ providerId: status.provider.id, modelId: info.id }),
			label: builtin ? status.provider.name : say('models.option', { model: info.name, provider: status.provider.name }),
		}));
	});
	const shown = choose.isPending ? choose.variables : chosen;
	const value = modelValue(shown);
	if (!options.some((option) => option.value === value)) {
		options.push({ value, label: say('models.missing', { model: modelName(shown, providers) }) });
	}
	const hint = choose.isPending
		? say('models.testing', { model: modelName(choose.variables, providers) })
		: choose.data && choose.variables && !isBuiltin(choose.variables)
			? say('models.tested', { seconds: choose.data.firstTokenMs / 1000 })
			: say(isBuiltin(chosen) && (work === 'chat' || work === 'fallback') ? 'models.builtinHint' : `models.${work}Hint`);
	return (
		<Row
			title={say(`models.${work}`)}
			hint={<span role="status">{hint}</span>}
			below={choose.error ? <ErrorNote error={{ ...shapeOf(choose.error), safe: say('models.choiceFailed') }} /> : undefined}
		>
			<Select
				label={say('models.choose', { work: say(`models.${work}`) })}
				value={value}
				options={options}
				disabled={choose.isPending}
				onChange={(next) => (next === modelValue(chosen) ? undefined : choose.mutate(modelOfValue(next)))}
			/>
		</Row>
	);
}
