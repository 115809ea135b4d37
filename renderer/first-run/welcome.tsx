import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { ProviderStatus } from '../../src/contract/shapes.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { BUILTIN_MODEL, type ModelRef } from '../../src/domain/model.ts';
import { call, shapeOf, useConnection } from '../connection/index.ts';
import { ProviderDialog } from '../settings/provider-dialog.tsx';
import { useInvalidation, useLookAgain, useProviders } from '../shell/queries.ts';
import { markStarted } from '../shell/started.ts';
import { BareTitleBar } from '../shell/title-bar.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { Text, useSay } from '../ui/strings.tsx';
import { BuiltinOption, ProviderOption, useLocalHint } from './options.tsx';
import { useFirstChoice } from './use-first-choice.ts';

type OptionId = 'ollama' | 'lmstudio' | 'other' | 'builtin';

/** One screen, no account, no key demanded (ux.md): how Hearth should think, and that it always works without a model. */
export default function Welcome() {
	const say = useSay();
	const [, navigate] = useLocation();
	const hello = useConnection((state) => state.hello);
	const providers = useProviders();
	const lookAgain = useLookAgain();
	const { trial, choose } = useFirstChoice();
	const [selected, setSelected] = useState<OptionId>('builtin');
	const [touched, setTouched] = useState(false);
	const [modelIds, setModelIds] = useState<Partial<Record<OptionId, string>>>({});
	const [otherId, setOtherId] = useState<string>();
	const [settingUp, setSettingUp] = useState(false);
	const [starting, setStarting] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	useInvalidation();
	useEffect(() => {
		document.title = `${say('first.title')} · ${say('app.name')}`;
	}, [say]);

	const find = (id: string | undefined): ProviderStatus | undefined => providers.data?.find((status) => status.provider.id === id);
	const statuses: Record<Exclude<OptionId, 'builtin'>, ProviderStatus | undefined> = {
		ollama: find('ollama'),
		lmstudio: find('lmstudio'),
		other: find(otherId),
	};
	const modelOf = (option: OptionId, ids = modelIds): ModelRef | undefined => {
		if (option === 'builtin') return BUILTIN_MODEL;
		const status = statuses[option];
		const modelId = ids[option] ?? (status?.state === 'ready' ? status.models[0]?.id : undefined);
		return status && modelId ? { providerId: status.provider.id, modelId } : undefined;
	};
	const select = (option: OptionId, modelId?: string): void => {
		setTouched(true);
		if (option === 'other' && !statuses.other) {
			setSettingUp(true);
			return;
		}
		const ids = modelId ? { ...modelIds, [option]: modelId } : modelIds;
		setModelIds(ids);
		setSelected(option);
		const model = modelOf(option, ids);
		if (model) void choose(model);
	};

	// A local model that is ready is chosen for a start, and asked its question: it costs nothing and leaves the machine to itself.
	const offer = useEffectEvent(() => {
		if (touched || selected !== 'builtin') return;
		const ready = (['ollama', 'lmstudio'] as const).find((option) => modelOf(option) !== undefined);
		if (!ready) return;
		const model = modelOf(ready);
		if (!model) return;
		setSelected(ready);
		setModelIds((ids) => ({ ...ids, [ready]: model.modelId }));
		void choose(model);
	});
	useEffect(() => {
		if (providers.data) offer();
	}, [providers.data]);

	const start = async (): Promise<void> => {
		const model = modelOf(selected);
		if (!model || starting) return;
		setTouched(true);
		setStarting(true);
		setFailure(undefined);
		try {
			if (!(await choose(model))) return;
			await call((client) => client.system.firstRunDone(), { repeatable: true });
			markStarted();
			useConnection.setState((state) => ({ hello: state.hello ? { ...state.hello, firstRunDone: true } : null }));
			navigate('/chat');
		} catch (error) {
			setFailure(shapeOf(error));
		} finally {
			setStarting(false);
		}
	};

	const looking = providers.isPending || lookAgain.isPending;
	const again = (
		<Button icon="redo" busy={looking} onClick={() => lookAgain.mutate()}>
			{say('first.lookAgain')}
		</Button>
	);
	const hints = { ollama: useLocalHint('Ollama', statuses.ollama), lmstudio: useLocalHint('Lmstudio', statuses.lmstudio) };
	const remote = selected !== 'builtin' && statuses[selected]?.local === false ? statuses[selected] : undefined;
	return (
		<div className="bare">
			<BareTitleBar />
			<main className="first" id="main">
				<div className="first-in">
					<Icon name="flame" className="mark" />
					<h1>{say('first.title')}</h1>
					<p className="lead">{say('first.lead')}</p>
					<div className="opts" role="radiogroup" aria-label={say('first.group')}>
						{(['ollama', 'lmstudio'] as const).map((option) => (
							<ProviderOption
								key={option}
								title={say(`first.${option}`)}
								status={statuses[option]}
								model={modelOf(option)}
								checked={selected === option}
								trial={trial}
								onModel={(modelId) => select(option, modelId)}
								onSelect={() => select(option)}
								hint={hints[option]}
								action={again}
								looking={looking}
							/>
						))}
						<ProviderOption
							title={statuses.other?.provider.name ?? say('first.other')}
							status={statuses.other}
							model={modelOf('other')}
							checked={selected === 'other'}
							trial={trial}
							onModel={(modelId) => select('other', modelId)}
							onSelect={() => select('other')}
							hint={say('first.otherHint')}
							action={<Button onClick={() => setSettingUp(true)}>{say('first.setUp')}</Button>}
							looking={false}
							opensSetUp
						/>
						<BuiltinOption checked={selected === 'builtin'} onSelect={() => select('builtin')} />
					</div>
					<h2>{say('first.more')}</h2>
					<div className="tbl">
						<div className="tr">
							<Icon name="scheduled" size="m" />
							<div className="grow">
								<p>{say('first.background')}</p>
								<p className="meta">{say('first.backgroundHint')}</p>
							</div>
							<span className="meta">{say('common.off')}</span>
						</div>
					</div>
					{providers.error ? <ErrorNote error={shapeOf(providers.error)} /> : null}
					{failure ? <ErrorNote error={failure} /> : null}
					<div className="first-end">
						<span className="grow meta">
							<Text
								id={remote ? 'first.keptRemote' : 'first.kept'}
								values={{ folder: hello?.profileFolder ?? '', name: remote?.provider.name ?? '', code: (words) => <code>{words}</code> }}
							/>
						</span>
						<Button kind="primary" size="lg" busy={starting} onClick={() => void start()}>
							{say('first.start')}
						</Button>
					</div>
				</div>
			</main>
			{settingUp ? (
				<ProviderDialog
					purpose="first"
					onClose={() => setSettingUp(false)}
					onReady={(status, typedModel) => {
						const modelId = typedModel ?? status.models[0]?.id;
						setSettingUp(false);
						setOtherId(status.provider.id);
						if (!modelId) return;
						setTouched(true);
						setModelIds((ids) => ({ ...ids, other: modelId }));
						setSelected('other');
						void choose({ providerId: status.provider.id, modelId });
					}}
				/>
			) : null}
		</div>
	);
}
