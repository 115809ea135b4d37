import { useMutation } from '@tanstack/react-query';
import type { Skill } from '../../../src/domain/skill.ts';
import { call, shapeOf } from '../../connection/index.ts';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';

export function RemoveSkill({ skill: { name, hash }, onClose }: { skill: Skill; onClose: () => void }) {
	const say = useSay();
	const undo = (changeId: Awaited<ReturnType<typeof take>>['changeId']): void => {
		call((client) => client.skills.undo({ changeId })).catch((error: unknown) => showToast(shapeOf(error).message));
	};
	const take = () => call((client) => client.skills.remove({ name, hash }));
	const remove = useMutation({
		mutationFn: take,
		onSuccess: ({ changeId }) => {
			onClose();
			showToast(say('skills.removed', { name }), { label: say('memory.undo'), run: () => undo(changeId) });
		},
	});
	return (
		<RemoveDialog
			title={say('skills.removeTitle', { name })}
			lead={say('skills.removeBody')}
			busy={remove.isPending}
			error={remove.error ? shapeOf(remove.error) : undefined}
			onRemove={() => remove.mutate()}
			onClose={onClose}
		/>
	);
}
