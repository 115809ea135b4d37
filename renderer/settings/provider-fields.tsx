import { Field } from '../ui/controls.tsx';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { ADDABLE_KINDS, type AddableKind, type DraftProblems, emptyDraft, needsAddress, type ProviderDraft } from './provider-values.ts';

interface ProviderFieldsProps {
	draft: ProviderDraft;
	onChange: (draft: ProviderDraft) => void;
	problems: DraftProblems;
	hasKey: boolean;
	/** A saved provider stays what it is. */
	kindFixed: boolean;
}

export function ProviderFields({ draft, onChange, problems, hasKey, kindFixed }: ProviderFieldsProps) {
	const say = useSay();
	const set = (change: Partial<ProviderDraft>): void => onChange({ ...draft, ...change });
	const keyHint = hasKey ? say('provider.keyKept') : needsAddress(draft.kind) ? say('provider.keyHint') : undefined;
	const error = (id: DraftProblems[keyof DraftProblems]) => (id ? say(id) : undefined);
	return (
		<>
			{kindFixed ? null : (
				<div className="form-field">
					<span className="form-label">{say('provider.kind')}</span>
					<Select
						label={say('provider.kind')}
						value={draft.kind}
						onChange={(kind) => onChange({ ...emptyDraft(kind as AddableKind), key: draft.key })}
						options={ADDABLE_KINDS.map((kind) => ({
							value: kind,
							label: say(`provider.kind.${kind}`),
							hint: say(`provider.kind.${kind}Hint`),
						}))}
					/>
				</div>
			)}
			{needsAddress(draft.kind) ? (
				<Field
					label={say('provider.address')}
					value={draft.address}
					onChange={(address) => set({ address })}
					hint={say(draft.kind === 'ollama' ? 'provider.addressHintOllama' : 'provider.addressHint')}
					error={error(problems.address)}
					inputMode="url"
					autoComplete="off"
					spellCheck={false}
				/>
			) : null}
			{draft.kind === 'ollama' ? null : (
				<Field
					label={say('provider.key')}
					type="password"
					value={draft.key}
					onChange={(key) => set({ key })}
					hint={keyHint}
					error={error(problems.key)}
					autoComplete="off"
				/>
			)}
			<details className="advanced">
				<summary>{say('provider.advanced')}</summary>
				<Field label={say('provider.name')} value={draft.name} onChange={(name) => set({ name })} maxLength={80} />
				<Field
					label={say('provider.context')}
					value={draft.context}
					onChange={(context) => set({ context })}
					hint={say('provider.contextHint')}
					error={error(problems.context)}
					inputMode="numeric"
				/>
				{draft.kind === 'ollama' ? null : (
					<>
						<Field label={say('provider.priceIn')} value={draft.priceIn} onChange={(priceIn) => set({ priceIn })} inputMode="decimal" />
						<Field
							label={say('provider.priceOut')}
							value={draft.priceOut}
							onChange={(priceOut) => set({ priceOut })}
							hint={say('provider.priceHint')}
							error={error(problems.price)}
							inputMode="decimal"
						/>
					</>
				)}
			</details>
		</>
	);
}
