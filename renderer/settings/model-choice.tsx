import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ProviderStatus } from '../../src/contract/shapes.ts';
import type { ModelRef, WorkKind } from '../../src/domain/model.ts';
import { call, shapeOf } from '../connection/index.ts';
import { ErrorNote } from '../ui/note.tsx';
import { type Option, Select } from '../ui/select.tsx';
import { type StringId, useSay } from '../ui/strings.tsx';
import { isBuiltin, modelName, modelOfValue, modelValue } from './provider-values.ts';
import { Row } from './row.tsx';

/** No model at all. Only for `fallback` and `inspect`. */
const NONE = '';

interface ModelChoiceProps {
	work: WorkKind;
	/** Null where no model does it. */
	chosen: ModelRef | null;
	providers: readonly ProviderStatus[];
	/** Not offered: it would step in for itself. */
	except?: ModelRef;
}

/** The model for one kind of work. The runtime saves a choice only after the model answered a test. */
export function ModelChoice({ work, chosen, providers, except }: ModelChoiceProps) {
	const say = useSay();
	const queries = useQueryClient();
	const choose = useMutation({
		mutationFn: (model: ModelRef | null) =>
			model
				? call((client) => client.models.choose({ work, model }))
				: call((client) => client.models.unchoose({ work }), { repeatable: true }).then(() => undefined),
		onSettled: () => queries.invalidateQueries({ queryKey: ['models', 'choices'] }),
	});
	const shown = choose.isPending ? choose.variables : chosen;
	const value = shown ? modelValue(shown) : NONE;
	const options: Option[] = providers.flatMap((status) => {
		const builtin = status.provider.kind === 'builtin';
		// Texts for it stay on this machine.
		if (work === 'inspect' && (builtin || !status.local)) return [];
		return status.models.map((info) => ({
			value: modelValue({ providerId: status.provider.id, modelId: info.id }),
			label: builtin ? status.provider.name : say('models.option', { model: info.name, provider: status.provider.name }),
		}));
	});
	const offered = except ? options.filter((option) => option.value === value || option.value !== modelValue(except)) : options;
	if (work === 'fallback' || work === 'inspect') offered.unshift({ value: NONE, label: say(`models.${work}None`) });
	if (shown && !offered.some((option) => option.value === value)) {
		offered.push({ value, label: say('models.missing', { model: modelName(shown, providers) }) });
	}
	const tested = choose.variables;
	const hint =
		choose.isPending && tested
			? say('models.testing', { model: modelName(tested, providers) })
			: choose.data && tested && !isBuiltin(tested)
				? say('models.tested', { seconds: choose.data.firstTokenMs / 1000 })
				: say(hintOf(work, chosen));
	return (
		<Row
			title={say(`models.${work}`)}
			hint={<span role="status">{hint}</span>}
			below={choose.error ? <ErrorNote error={{ ...shapeOf(choose.error), safe: say('models.choiceFailed') }} /> : undefined}
		>
			<Select
				label={say('models.choose', { work: say(`models.${work}`) })}
				value={value}
				options={offered}
				disabled={choose.isPending}
				onChange={(next) => (next === value ? undefined : choose.mutate(next === NONE ? null : modelOfValue(next)))}
			/>
		</Row>
	);
}

function hintOf(work: WorkKind, chosen: ModelRef | null): StringId {
	if (!chosen) return work === 'inspect' ? 'models.inspectNoneHint' : 'models.fallbackNoneHint';
	if (!isBuiltin(chosen)) return `models.${work}Hint`;
	if (work === 'fallback') return 'models.fallbackBuiltinHint';
	return work === 'chat' ? 'models.builtinHint' : `models.${work}Hint`;
}
