import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SourcePreview } from '../../../../src/contract/methods/heartbeat.ts';
import type { WatchedBudget, WatchedPlace } from '../../../../src/domain/heartbeat.ts';
import { call, shapeOf } from '../../../connection/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/note.tsx';
import { useSay } from '../../../ui/strings.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useSecretPlace } from '../../outgoing/secret-place.tsx';
import { useBackgroundChange } from '../queries.ts';
import { type AddOptions, ConfirmStep, FoundStep, LinkStep } from './add-steps.tsx';
import { budgetDraft, typedBudget } from './budget-fields.tsx';
import { draftOf, emptyDraft, hiddenAddress, isAddress, type PlaceDraft, typedPlace } from './place-draft.ts';
import { PlaceFields } from './place-fields.tsx';

type Step =
	| { readonly at: 'link' }
	| { readonly at: 'fields' }
	| { readonly at: 'found'; readonly preview: SourcePreview }
	/** `secret`: what goes with it into the secret store; empty where there is none. */
	| { readonly at: 'confirm'; readonly preview: SourcePreview; readonly place: WatchedPlace; readonly secret: string };

/** What is looked at: what the owner pasted, or a whole place with its secret. */
type Asked = { readonly link: string } | { readonly place: WatchedPlace; readonly secret?: string };
interface Added {
	readonly title: string;
	readonly place: WatchedPlace;
	readonly budget: WatchedBudget;
	readonly fromNow: boolean;
	readonly secret?: string;
}

const OPTIONS: AddOptions = { title: '', budget: budgetDraft(), fromNow: false, secretAddress: false };

/** From a link, or a kind and its fields, over a look at what is there, to a source. */
export function AddSource({ onClose }: { onClose: () => void }) {
	const say = useSay();
	const [step, setStep] = useState<Step>({ at: 'link' });
	const [link, setLink] = useState('');
	const [draft, setDraft] = useState<PlaceDraft>(() => emptyDraft('feed'));
	const [chosen, setChosen] = useState<number>();
	const [options, setOptions] = useState(OPTIONS);
	const [strict, setStrict] = useState(false);
	const linkField = useRef<HTMLInputElement>(null);
	const body = useRef<HTMLDivElement>(null);
	const { at } = step;
	useEffect(() => {
		// Each step begins at its first field; the one with the texts at their beginning.
		if (at === 'link') linkField.current?.focus();
		else body.current?.querySelector<HTMLElement>(at === 'confirm' ? '[tabindex], input' : 'input, [role="combobox"]')?.focus();
	}, [at]);

	const ask = useMutation({
		mutationFn: (asked: Asked) => call((client) => client.sources.preview(asked), { repeatable: true }),
		onSuccess: (preview, asked) => {
			setStrict(false);
			setChosen(undefined);
			const place = preview.place ?? ('place' in asked ? asked.place : undefined);
			// A mail address was pasted: the rest of it is asked for.
			if (place?.kind === 'mailbox' && 'link' in asked) {
				setDraft(draftOf(place));
				setStep({ at: 'fields' });
				return;
			}
			setOptions({ ...OPTIONS, title: preview.title.slice(0, 100) });
			setStep(place ? { at: 'confirm', preview, place, secret: 'place' in asked ? (asked.secret ?? '') : '' } : { at: 'found', preview });
		},
	});
	const go = (next: Step): void => {
		ask.reset();
		add.reset();
		setStrict(false);
		setStep(next);
	};

	const typed = typedPlace(say, draft);
	const made = step.at === 'confirm' ? madeOf(step, options) : undefined;
	const secretPlace = useSecretPlace(made?.secret !== undefined, strict);
	const add = useBackgroundChange(
		async (client, source: Added) => {
			await secretPlace.settle();
			return client.sources.add(source);
		},
		({ title }) => {
			showToast(say('sources.added', { name: title }));
			onClose();
		},
	);
	const submit = (): void => {
		setStrict(true);
		if (step.at === 'link' && link.trim() !== '') ask.mutate({ link: link.trim() });
		if (step.at === 'fields' && typed.place)
			ask.mutate({ place: typed.place, ...(typed.secret !== undefined && { secret: typed.secret }) });
		const found = step.at === 'found' && chosen !== undefined ? step.preview.found[chosen] : undefined;
		if (found) ask.mutate({ place: found.place });
		if (made?.budget && made.title !== '' && secretPlace.ready) add.mutate({ ...made, budget: made.budget });
	};

	const shown: Record<Step['at'], () => { lead: string; action: string; content: ReactNode }> = {
		link: () => ({
			lead: say('sources.addLead'),
			action: say('sources.find'),
			content: (
				<LinkStep
					link={link}
					onLink={setLink}
					error={strict && link.trim() === '' ? say('sources.linkNeeded') : undefined}
					onKind={(kind) => {
						setDraft({ ...draft, kind });
						go({ at: 'fields' });
					}}
					field={linkField}
				/>
			),
		}),
		fields: () => ({
			lead: say(`sources.kindHint.${draft.kind}`),
			action: say('sources.next'),
			content: (
				<PlaceFields
					draft={draft}
					onChange={(change) => setDraft({ ...draft, ...change })}
					problems={strict ? typed.problems : {}}
					stored={false}
				/>
			),
		}),
		found: () => ({
			lead: say('sources.foundLead'),
			action: say('sources.next'),
			content: (
				<FoundStep
					found={step.at === 'found' ? step.preview.found : []}
					chosen={chosen}
					onChoose={setChosen}
					error={strict && chosen === undefined ? say('sources.foundChoose') : undefined}
				/>
			),
		}),
		confirm: () => ({
			lead: say('sources.previewTitle'),
			action: say('sources.addAction'),
			content:
				step.at === 'confirm' ? (
					<ConfirmStep
						preview={step.preview}
						place={step.place}
						options={options}
						onChange={(change) => setOptions({ ...options, ...change })}
						error={strict && options.title.trim() === '' ? say('sources.nameNeeded') : undefined}
						onElse={(place) => ask.mutate({ place })}
					/>
				) : null,
		}),
	};
	const { lead, action, content } = shown[at]();
	const failure = ask.error ?? add.error;
	return (
		<Dialog
			open
			wide
			onClose={onClose}
			title={say('sources.addTitle')}
			lead={lead}
			onSubmit={submit}
			initialFocus={linkField}
			footer={
				<>
					{at === 'link' ? null : <Button onClick={() => go({ at: 'link' })}>{say('sources.back')}</Button>}
					<Button onClick={onClose}>{say('common.cancel')}</Button>
					<Button kind="primary" type="submit" busy={ask.isPending || add.isPending}>
						{action}
					</Button>
				</>
			}
		>
			<div ref={body} className="add-step">
				{content}
			</div>
			{at === 'confirm' ? secretPlace.element : null}
			{failure ? <ErrorNote error={shapeOf(failure)} /> : null}
		</Dialog>
	);
}

/** The source as it would be added; its budget is undefined while a number of it does not fit. */
function madeOf(
	{ place, secret }: Extract<Step, { at: 'confirm' }>,
	{ title, budget, fromNow, secretAddress }: AddOptions,
): Omit<Added, 'budget'> & { budget: WatchedBudget | undefined } {
	const hidden = isAddress(place) && secretAddress && !place.secretAddress ? hiddenAddress(place) : { place, secret };
	return {
		title: title.trim(),
		place: hidden.place,
		budget: typedBudget(budget),
		fromNow,
		...(hidden.secret !== '' && { secret: hidden.secret }),
	};
}
