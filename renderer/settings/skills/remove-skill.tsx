import { useMutation } from '@tanstack/react-query';
import type { Skill } from '../../../src/domain/skill.ts';
import { call, shapeOf } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/note.tsx';
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
		<Dialog
			open
			onClose={onClose}
			title={say('skills.removeTitle', { name })}
			lead={say('skills.removeBody')}
			footer={
				<>
					<Button onClick={onClose}>{say('common.cancel')}</Button>
					<Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
						{say('common.remove')}
					</Button>
				</>
			}
		>
			{remove.error ? <ErrorNote error={shapeOf(remove.error)} /> : null}
		</Dialog>
	);
}
