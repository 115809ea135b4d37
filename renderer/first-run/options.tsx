import type { ReactNode } from 'react';
import type { ProviderStatus } from '../../src/contract/shapes.ts';
import { BUILTIN_MODEL, type ModelRef } from '../../src/domain/model.ts';
import { ProviderMark } from '../settings/provider-state.tsx';
import { modelName, shownAddress } from '../settings/provider-values.ts';
import { Button } from '../ui/button.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import type { Trial } from './use-first-choice.ts';

interface OptionRowProps {
	title: string;
	checked: boolean;
	disabled?: boolean;
	onSelect: () => void;
	mark: ReactNode;
	hint: string;
	/** The button or list at the right end. */
	end?: ReactNode;
	below?: ReactNode;
}

function OptionRow({ title, checked, disabled, onSelect, mark, hint, end, below }: OptionRowProps) {
	const id = `first-${title.replace(/\W+/g, '-')}`;
	return (
		<div className={checked ? 'opt on' : 'opt'}>
			<input
				type="radio"
				name="first"
				id={id}
				checked={checked}
				disabled={disabled}
				onChange={onSelect}
				onClick={checked ? onSelect : undefined}
				aria-describedby={`${id}-hint`}
			/>
			<div>
				<div className="line">
					<label htmlFor={id}>
						<b>{title}</b>
					</label>
					{mark}
				</div>
				<p id={`${id}-hint`}>{hint}</p>
			</div>
			{end ?? <span />}
			{below ? <div className="opt-below">{below}</div> : null}
		</div>
	);
}

interface ProviderOptionProps {
	title: string;
	/** Undefined while it is being looked for, or not set up yet. */
	status: ProviderStatus | undefined;
	model: ModelRef | undefined;
	checked: boolean;
	trial: Trial | undefined;
	onModel: (modelId: string) => void;
	onSelect: () => void;
	/** What to say while it is not ready. */
	hint: string;
	/** The way out of not being ready. */
	action: ReactNode;
	looking: boolean;
	/** Choosing it while it is not ready asks for what is missing; else it can't be chosen yet. */
	opensSetUp?: boolean;
}

/** A place where models run: its state, the model to use, and how that model did in its test. */
export function ProviderOption({
	title,
	status,
	model,
	checked,
	trial,
	onModel,
	onSelect,
	hint,
	action,
	looking,
	opensSetUp = false,
}: ProviderOptionProps) {
	const say = useSay();
	const ready = status !== undefined && model !== undefined;
	const name = ready ? modelName(model, [status]) : '';
	const own = ready && checked && trial?.model.providerId === model.providerId ? trial : undefined;
	const lineOf = (): string => {
		if (!ready) return hint;
		if (own?.state === 'testing') return say('first.testing', { model: name });
		if (own?.state === 'answered') {
			return say('first.answered', { model: name, seconds: own.totalMs / 1000, place: status.local ? 'local' : 'remote' });
		}
		return say(status.local ? 'first.readyLocal' : 'first.readyRemote', { model: name });
	};
	const mark = status ? (
		<ProviderMark state={status.state} />
	) : looking ? (
		<StateMark state="running">{say('first.looking')}</StateMark>
	) : null;
	const models = status?.models.map((info) => ({ value: info.id, label: info.name })) ?? [];
	if (ready && !models.some((option) => option.value === model.modelId)) models.push({ value: model.modelId, label: model.modelId });
	return (
		<OptionRow
			title={title}
			checked={checked}
			disabled={!ready && !opensSetUp}
			onSelect={onSelect}
			mark={own?.state === 'testing' ? <StateMark state="running">{say('provider.state.ready')}</StateMark> : mark}
			hint={lineOf()}
			end={
				ready ? (
					<Select
						className="opt-model"
						label={say('first.modelFor', { name: title })}
						value={model.modelId}
						options={models}
						onChange={onModel}
					/>
				) : (
					action
				)
			}
			below={
				own?.state === 'failed' ? (
					<ErrorNote error={own.error} actions={<Button onClick={onSelect}>{say('common.tryAgain')}</Button>} />
				) : undefined
			}
		/>
	);
}

export function BuiltinOption({ checked, onSelect }: { checked: boolean; onSelect: (model: ModelRef) => void }) {
	const say = useSay();
	return (
		<OptionRow
			title={say('first.builtin')}
			checked={checked}
			onSelect={() => onSelect(BUILTIN_MODEL)}
			mark={
				<StateMark state="scheduled" icon="check">
					{say('first.always')}
				</StateMark>
			}
			hint={say('first.builtinHint')}
		/>
	);
}

/** Why a local server can't be used yet, and what to do there. */
export function useLocalHint(which: 'Ollama' | 'Lmstudio', status: ProviderStatus | undefined): string {
	const say = useSay();
	if (!status) return say('first.looking');
	if (status.state === 'no_model') return say(`first.noModel${which}`);
	if (status.state === 'not_running') return say(`first.notRunning${which}`, { address: shownAddress(status.provider) });
	return status.problem?.message ?? '';
}
