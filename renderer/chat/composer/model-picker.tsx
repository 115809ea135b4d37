import { memo, useState } from 'react';
import { useLocation } from 'wouter';
import { BUILTIN_MODEL, BUILTIN_PROVIDER_ID, type ModelRef } from '../../../src/domain/model.ts';
import { call, shapeOf } from '../../connection/index.ts';
import { useChoices, useProviders } from '../../shell/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuChoice, MenuHeading, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';

const keyOf = (model: ModelRef): string => `${model.providerId}\n${model.modelId}`;

/** Which model answers in chats. A choice is saved only after the model really answered. */
export const ModelPicker = memo(function ModelPicker() {
	const say = useSay();
	const [, navigate] = useLocation();
	const providers = useProviders().data ?? [];
	const choices = useChoices();
	const [testing, setTesting] = useState<string | null>(null);
	const chosen = choices.data?.chat ?? BUILTIN_MODEL;

	const models = providers
		.filter(({ provider }) => provider.id !== BUILTIN_PROVIDER_ID)
		.flatMap(({ provider, models: known, state }) =>
			state === 'ready' ? known.map((model) => ({ ref: { providerId: provider.id, modelId: model.id }, name: model.name, provider })) : [],
		);
	const nameOf = (ref: ModelRef): string =>
		ref.providerId === BUILTIN_PROVIDER_ID
			? say('model.builtin')
			: (models.find((model) => keyOf(model.ref) === keyOf(ref))?.name ?? ref.modelId);
	const options = [
		{ ref: BUILTIN_MODEL, label: say('model.builtin') },
		...models.map(({ ref, name, provider }) => ({
			ref,
			label: (
				<>
					{name} <span className="dim">{provider.name}</span>
				</>
			),
		})),
	];

	const choose = async (key: string): Promise<void> => {
		const option = options.find(({ ref }) => keyOf(ref) === key);
		if (!option || key === keyOf(chosen)) return;
		const model = nameOf(option.ref);
		setTesting(model);
		try {
			await call((client) => client.models.choose({ work: 'chat', model: option.ref }));
			await choices.refetch();
			showToast(say('model.chosen', { model }));
		} catch (error) {
			showToast(`${say('model.failed', { model })} ${shapeOf(error).message}`);
		} finally {
			setTesting(null);
		}
	};

	const current = nameOf(chosen);
	return (
		<Menu
			align="start"
			trigger={
				<Button kind="ghost" size="sm" className="model-pick" busy={testing !== null} aria-label={say('model.pick', { model: current })}>
					<span className="cut">{testing ? say('model.testing', { model: testing }) : current}</span>
					<Icon name="down" size="s" />
				</Button>
			}
		>
			<MenuHeading>{say('model.title')}</MenuHeading>
			<MenuChoice
				value={keyOf(chosen)}
				onChange={(key) => void choose(key)}
				options={options.map(({ ref, label }) => ({ value: keyOf(ref), label }))}
			/>
			<MenuLine />
			<MenuItem icon="settings" onClick={() => navigate('/settings/models')}>
				{say('model.setUp')}
			</MenuItem>
		</Menu>
	);
});
