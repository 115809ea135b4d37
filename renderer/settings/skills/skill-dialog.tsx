import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { LONGEST_SKILL, LONGEST_SKILL_DESCRIPTION, SkillName } from '../../../src/domain/skill.ts';
import { call, shapeOf } from '../../connection/index.ts';
import { Field } from '../../ui/controls.tsx';
import { Dialog, FormButtons } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';

interface Saved {
	readonly name: SkillName;
	readonly text: string;
	readonly baseHash: string | null;
}

function useSaving(onClose: () => void) {
	const say = useSay();
	return useMutation({
		mutationFn: (saved: Saved) => call((client) => client.skills.save(saved)),
		onSuccess: ({ name }) => {
			onClose();
			showToast(say('skills.saved', { name }));
		},
	});
}

/** A skill in the owner's words; what makes a file of it is put around them. */
export function NewSkill({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) {
	const say = useSay();
	const [name, setName] = useState('');
	const [description, setDescription] = useState('');
	const [text, setText] = useState('');
	const [strict, setStrict] = useState(false);
	const save = useSaving(onClose);
	const parsed = SkillName.safeParse(name);
	const isTaken = taken.includes(name);
	const isWhole = parsed.success && !isTaken && description.trim() !== '' && text.trim() !== '';
	const submit = (): void => {
		setStrict(true);
		if (!isWhole) return;
		// A JSON string is a YAML one, too.
		const front = `---\nname: ${name}\ndescription: ${JSON.stringify(description.trim())}\n---\n\n`;
		save.mutate({ name: parsed.data, text: `${front}${text.trim()}\n`, baseHash: null });
	};
	const nameError = isTaken ? say('skills.nameTaken') : strict && !parsed.success ? say('skills.nameHint') : undefined;
	return (
		<Dialog
			open
			wide
			onClose={onClose}
			title={say('skills.newTitle')}
			lead={say('skills.newLead')}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={save.isPending} disabled={strict && !isWhole} />}
		>
			<Field
				label={say('skills.name')}
				hint={say('skills.nameHint')}
				value={name}
				onChange={setName}
				error={nameError}
				maxLength={64}
				required
			/>
			<Field
				label={say('skills.description')}
				hint={say('skills.descriptionHint')}
				value={description}
				onChange={setDescription}
				maxLength={LONGEST_SKILL_DESCRIPTION}
				dir="auto"
				required
			/>
			<label className="form-field">
				<span>{say('skills.text')}</span>
				<textarea
					className="area"
					dir="auto"
					rows={12}
					required
					maxLength={LONGEST_SKILL - 2_000}
					value={text}
					onChange={(event) => setText(event.target.value)}
				/>
			</label>
			{save.error ? <ErrorNote error={shapeOf(save.error)} /> : null}
		</Dialog>
	);
}

export function EditSkill({ name, onClose }: { name: SkillName; onClose: () => void }) {
	// As it was when the dialog was opened: what is saved names it.
	const opened = useQuery({
		queryKey: ['skills', 'opened', name],
		queryFn: () => call((client) => client.skills.get({ name }), { repeatable: true }),
		gcTime: 0,
		staleTime: Number.POSITIVE_INFINITY,
	});
	if (opened.error) {
		return (
			<Dialog open onClose={onClose} title={name}>
				<ErrorNote error={shapeOf(opened.error)} />
			</Dialog>
		);
	}
	return opened.data ? (
		<Editor key={opened.data.skill.hash} name={name} hash={opened.data.skill.hash} was={opened.data.text} onClose={onClose} />
	) : null;
}

function Editor({ name, hash, was, onClose }: { name: SkillName; hash: string; was: string; onClose: () => void }) {
	const say = useSay();
	const area = useRef<HTMLTextAreaElement>(null);
	const [base] = useState({ hash, was });
	const [text, setText] = useState(was);
	const save = useSaving(onClose);
	return (
		<Dialog
			open
			wide
			onClose={onClose}
			title={name}
			lead={say('skills.editLead')}
			initialFocus={area}
			onSubmit={() => save.mutate({ name, text, baseHash: base.hash })}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={save.isPending} disabled={text === base.was} />}
		>
			<textarea
				ref={area}
				className="area"
				aria-label={say('skills.file')}
				dir="auto"
				rows={18}
				maxLength={LONGEST_SKILL}
				value={text}
				onChange={(event) => setText(event.target.value)}
			/>
			{save.error ? <ErrorNote error={shapeOf(save.error)} /> : null}
		</Dialog>
	);
}
