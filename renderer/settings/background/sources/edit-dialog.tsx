import { useState } from 'react';
import type { WatchedBudget, WatchedPlace, WatchedSource } from '../../../../src/domain/heartbeat.ts';
import { shapeOf } from '../../../connection/index.ts';
import { Field } from '../../../ui/controls.tsx';
import { Dialog, FormButtons } from '../../../ui/dialog.tsx';
import { ErrorNote, Note } from '../../../ui/note.tsx';
import { useSay } from '../../../ui/strings.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useSecretPlace } from '../../outgoing/secret-place.tsx';
import { useBackgroundChange } from '../queries.ts';
import { BudgetFields, budgetDraft, typedBudget } from './budget-fields.tsx';
import { draftOf, isAddress, isElsewhere, typedPlace } from './place-draft.ts';
import { PlaceFields } from './place-fields.tsx';

interface Change {
	readonly title: string;
	readonly budget: WatchedBudget;
	readonly place?: WatchedPlace;
	readonly secret?: string;
}

/** Changes a source: its name, its limits, where it is, and the password or token for it. */
export function EditSource({ source, onClose }: { source: WatchedSource; onClose: () => void }) {
	const say = useSay();
	// As it was when the dialog was opened: a reading meanwhile changes nothing that is edited here.
	const [{ id: sourceId, place: before, title: name, budget: limits }] = useState(source);
	const [title, setTitle] = useState(name);
	const [budget, setBudget] = useState(() => budgetDraft(limits));
	const [draft, setDraft] = useState(() => draftOf(before));
	const [strict, setStrict] = useState(false);
	const typed = typedPlace(say, draft, before);
	const isMoved = typed.place !== undefined && (isElsewhere(before, typed.place) || (typed.secret !== undefined && isAddress(before)));
	const secretPlace = useSecretPlace(typed.secret !== undefined, strict);
	const save = useBackgroundChange(
		async (client, change: Change) => {
			await secretPlace.settle();
			return client.sources.update({ sourceId, ...change });
		},
		() => {
			showToast(say('sources.saved', { name: title.trim() }));
			onClose();
		},
	);
	const submit = (): void => {
		setStrict(true);
		const chosen = typedBudget(budget);
		if (title.trim() === '' || !chosen || !typed.place || !secretPlace.ready) return;
		save.mutate({
			title: title.trim(),
			budget: chosen,
			...(JSON.stringify(typed.place) !== JSON.stringify(before) && { place: typed.place }),
			...(typed.secret !== undefined && { secret: typed.secret }),
		});
	};
	return (
		<Dialog
			open
			wide
			onClose={onClose}
			title={say('sources.editTitle', { name })}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={save.isPending} />}
		>
			<Field
				label={say('sources.name')}
				value={title}
				onChange={setTitle}
				error={strict && title.trim() === '' ? say('sources.nameNeeded') : undefined}
				maxLength={100}
				dir="auto"
			/>
			<BudgetFields draft={budget} onChange={(change) => setBudget({ ...budget, ...change })} />
			<h3 className="form-label">{say('sources.place')}</h3>
			<PlaceFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} problems={strict ? typed.problems : {}} stored />
			{isMoved ? <Note icon="alert">{say('sources.placeChanged')}</Note> : null}
			{secretPlace.element}
			{save.error ? <ErrorNote error={shapeOf(save.error)} /> : null}
		</Dialog>
	);
}
