import { useIntl } from 'react-intl';
import type { Permission, PermissionTerms } from '../../src/domain/permission.ts';
import type { TaskWork } from '../../src/domain/task.ts';
import { toolTitle } from '../chat/transcript/tool-row.tsx';
import { usePermissionChange } from '../settings/permissions/queries.ts';
import { modelName, modelOfValue, modelValue } from '../settings/provider-values.ts';
import { useChoices, useProviders } from '../shell/queries.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuCheck, MenuItem, MenuLine } from '../ui/menu.tsx';
import { limitWords, scopeWords } from '../ui/permission-words.ts';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { FormRow, Seg } from './form-row.tsx';
import { useTaskTools } from './queries.ts';

type Prompt = Extract<TaskWork, { kind: 'prompt' }>;

interface UseFieldsProps {
	work: Prompt;
	/** That it has, and that it gets with the owner's yes. */
	permissions: readonly Permission[];
	granted: readonly PermissionTerms[];
	onChange: (work: Prompt) => void;
	onRevoke: (terms: PermissionTerms) => void;
}

/** Which tools it may have, what it may do without asking, and which model thinks. */
export function UseFields({ work, permissions, granted, onChange, onRevoke }: UseFieldsProps) {
	const say = useSay();
	return (
		<>
			<FormRow name={say('tasks.may')}>
				<Tools work={work} onChange={onChange} />
				<Standing permissions={permissions} granted={granted} onRevoke={onRevoke} />
			</FormRow>
			<ModelRow work={work} onChange={onChange} />
			<FormRow name={say('tasks.session')}>
				<Seg
					label={say('tasks.session')}
					value={work.session}
					options={['each', 'one']}
					words={(session) => say(`tasks.session.${session}`)}
					onChange={(session) => onChange({ ...work, session })}
				/>
				<span className="meta">{say(`tasks.sessionHint.${work.session}`)}</span>
			</FormRow>
		</>
	);
}

function Tools({ work, onChange }: Pick<UseFieldsProps, 'work' | 'onChange'>) {
	const say = useSay();
	const offered = useTaskTools().data?.tools ?? [];
	const { tools, ...rest } = work;
	const titleOf = (name: string): string => {
		const tool = offered.find((each) => each.name === name);
		return tool?.server ? `${tool.server}: ${tool.title ?? tool.name}` : (tool?.title ?? toolTitle(say, name));
	};
	const set = (next: readonly string[] | undefined): void => onChange(next === undefined ? rest : { ...rest, tools: [...next] });
	return (
		<div className="may">
			{tools === undefined ? <span>{say('tasks.allTools')}</span> : null}
			{tools?.length === 0 ? <span>{say('tasks.noTools')}</span> : null}
			{tools?.map((name) => (
				<span key={name} className="chip tool-chip">
					{titleOf(name)}
					<button
						type="button"
						className="chip-x"
						aria-label={say('tasks.withoutTool', { tool: titleOf(name) })}
						onClick={() => set(tools.filter((each) => each !== name))}
					>
						<Icon name="x" />
					</button>
				</span>
			))}
			<Menu
				align="start"
				trigger={
					<Button kind="ghost" size="sm" icon={tools === undefined ? 'filter' : 'plus'}>
						{say(tools === undefined ? 'tasks.chooseTools' : 'common.add')}
					</Button>
				}
			>
				<div className="tool-menu">
					{offered.map(({ name }) => (
						<MenuCheck
							key={name}
							checked={tools?.includes(name) ?? false}
							onChange={(on) => set(on ? [...(tools ?? []), name] : (tools ?? []).filter((each) => each !== name))}
						>
							{titleOf(name)}
						</MenuCheck>
					))}
				</div>
				{tools === undefined ? null : (
					<>
						<MenuLine />
						<MenuItem onClick={() => set(undefined)}>{say('tasks.allToolsAgain')}</MenuItem>
					</>
				)}
			</Menu>
		</div>
	);
}

/** What it may do without asking. */
function Standing({ permissions, granted, onRevoke }: Pick<UseFieldsProps, 'permissions' | 'granted' | 'onRevoke'>) {
	const say = useSay();
	const intl = useIntl();
	const change = usePermissionChange();
	const words = (terms: PermissionTerms): string => [scopeWords(say, terms.scope), ...limitWords(say, intl, terms)].join(', ');
	if (permissions.length === 0 && granted.length === 0) return null;
	return (
		<ul className="standing">
			{permissions.map((permission) => (
				<li key={permission.id}>
					<Icon name="check" size="s" />
					<span className="grow">{words(permission.terms)}</span>
					<Button kind="ghost" size="sm" onClick={() => change.mutate({ end: permission })}>
						{say('tasks.takeBack')}
					</Button>
				</li>
			))}
			{granted.map((terms) => (
				<li key={JSON.stringify(terms)}>
					<Icon name="plus" size="s" />
					<span className="grow">{words(terms)}</span>
					<Button kind="ghost" size="sm" onClick={() => onRevoke(terms)}>
						{say('tasks.takeBack')}
					</Button>
				</li>
			))}
		</ul>
	);
}

/** The one for background work. */
const CHOSEN = '';

function ModelRow({ work, onChange }: Pick<UseFieldsProps, 'work' | 'onChange'>) {
	const say = useSay();
	const providers = useProviders().data ?? [];
	const choices = useChoices().data;
	const { model, ...rest } = work;
	const options = providers.flatMap(({ provider, models }) =>
		models.map((info) => ({
			value: modelValue({ providerId: provider.id, modelId: info.id }),
			label: provider.kind === 'builtin' ? provider.name : say('models.option', { model: info.name, provider: provider.name }),
		})),
	);
	const value = model ? modelValue(model) : CHOSEN;
	const usual = choices?.background ? modelName(choices.background, providers) : undefined;
	const missing = model && !options.some((option) => option.value === value) ? [{ value, label: modelName(model, providers) }] : [];
	return (
		<FormRow name={say('tasks.model')}>
			<Select
				label={say('tasks.model')}
				value={value}
				options={[
					{ value: CHOSEN, label: usual === undefined ? say('tasks.modelUsual') : say('tasks.modelUsualNow', { model: usual }) },
					...options,
					...missing,
				]}
				onChange={(next) => onChange(next === CHOSEN ? rest : { ...rest, model: modelOfValue(next) })}
			/>
		</FormRow>
	);
}
