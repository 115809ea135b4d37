import type { Ref } from 'react';
import type { SourcePreview } from '../../../../src/contract/methods/heartbeat.ts';
import type { WatchedKind, WatchedPlace } from '../../../../src/domain/heartbeat.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useSay } from '../../../ui/strings.tsx';
import { type BudgetDraft, BudgetFields } from './budget-fields.tsx';
import { isAddress } from './place-draft.ts';
import { SecretAddress } from './place-fields.tsx';
import { Preview } from './preview.tsx';
import { KIND_ICONS, KINDS, whereWords } from './source-words.ts';

interface LinkStepProps {
	link: string;
	onLink: (link: string) => void;
	error: string | undefined;
	onKind: (kind: WatchedKind) => void;
	field: Ref<HTMLInputElement>;
}

/** A pasted link; or what it is, for what has none. */
export function LinkStep({ link, onLink, error, onKind, field }: LinkStepProps) {
	const say = useSay();
	return (
		<>
			<Field
				ref={field}
				label={say('sources.link')}
				hint={say('sources.linkHint')}
				value={link}
				onChange={onLink}
				error={error}
				spellCheck={false}
				autoComplete="off"
				dir="ltr"
			/>
			<section className="source-kinds" aria-labelledby="kinds-title">
				<h3 id="kinds-title" className="form-label">
					{say('sources.or')}
				</h3>
				<ul>
					{KINDS.map((kind) => (
						<li key={kind}>
							<button type="button" className="source-kind" onClick={() => onKind(kind)}>
								<Icon name={KIND_ICONS[kind]} size="s" />
								<span>
									<b>{say(`sources.kind.${kind}`)}</b>
									<span className="meta block">{say(`sources.kindHint.${kind}`)}</span>
								</span>
							</button>
						</li>
					))}
				</ul>
			</section>
		</>
	);
}

interface FoundStepProps {
	found: SourcePreview['found'];
	chosen: number | undefined;
	onChoose: (index: number) => void;
	error: string | undefined;
}

/** A page that names several feeds: the owner chooses one. */
export function FoundStep({ found, chosen, onChoose, error }: FoundStepProps) {
	const say = useSay();
	return (
		<fieldset className="pairs">
			<legend className="form-label">{say('sources.foundTitle')}</legend>
			<div className="choices">
				{found.map(({ title, place }, index) => (
					<label key={JSON.stringify(place)} className="choice">
						<input
							type="radio"
							name="found"
							checked={chosen === index}
							onChange={() => onChoose(index)}
							aria-invalid={error !== undefined}
						/>
						<span>
							<b dir="auto">{title || say(`sources.kind.${place.kind}`)}</b>
							<span className="meta block break">
								{say(`sources.kind.${place.kind}`)} · {whereWords(say, place)}
							</span>
						</span>
					</label>
				))}
			</div>
			{error ? <p className="field-error">{error}</p> : null}
		</fieldset>
	);
}

/** What the owner still chooses once they saw what is there. */
export interface AddOptions {
	readonly title: string;
	readonly budget: BudgetDraft;
	readonly fromNow: boolean;
	readonly secretAddress: boolean;
}

interface ConfirmStepProps {
	preview: SourcePreview;
	place: WatchedPlace;
	options: AddOptions;
	onChange: (change: Partial<AddOptions>) => void;
	error: string | undefined;
	/** Looks at another one that the page names. */
	onElse: (place: WatchedPlace) => void;
}

export function ConfirmStep({ preview, place, options, onChange, error, onElse }: ConfirmStepProps) {
	const say = useSay();
	return (
		<>
			<Preview preview={preview} place={place} />
			{preview.found.length > 0 ? (
				<p className="preview-else meta">
					{say('sources.foundElse')}{' '}
					{preview.found.map((other) => (
						<Button key={JSON.stringify(other.place)} kind="ghost" size="sm" onClick={() => onElse(other.place)}>
							{other.title}
						</Button>
					))}
				</p>
			) : null}
			<Field
				label={say('sources.name')}
				hint={say('sources.nameHint')}
				value={options.title}
				onChange={(title) => onChange({ title })}
				error={error}
				maxLength={100}
				dir="auto"
			/>
			<BudgetFields draft={options.budget} onChange={(change) => onChange({ budget: { ...options.budget, ...change } })} />
			<div className="choices">
				<label className="choice">
					<input type="checkbox" checked={options.fromNow} onChange={(event) => onChange({ fromNow: event.target.checked })} />
					<span>
						<b>{say('sources.fromNow')}</b>
						<span className="meta block">{say('sources.fromNowHint')}</span>
					</span>
				</label>
			</div>
			{isAddress(place) && !place.secretAddress ? (
				<SecretAddress checked={options.secretAddress} onChange={(secretAddress) => onChange({ secretAddress })} />
			) : null}
		</>
	);
}
