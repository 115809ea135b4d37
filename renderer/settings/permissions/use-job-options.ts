import { useSessions } from '../../connection/index.ts';
import { useWorkflows } from '../../timeline/workflow-queries.ts';
import type { Option } from '../../ui/select.tsx';
import { useSay } from '../../ui/strings.tsx';
import { jobValue } from './draft.ts';

/** Chats that are offered: the newest. */
const MOST_CHATS = 10;

/** For which work a permission can be given: all, one of the newest chats, one workflow. */
export function useJobOptions(): Option[] {
	const say = useSay();
	const byId = useSessions((state) => state.byId);
	const workflows = useWorkflows();
	const chats = Object.values(byId)
		.sort((a, b) => b.updatedAt - a.updatedAt)
		.slice(0, MOST_CHATS);
	return [
		{ value: jobValue({ kind: 'any' }), label: say('permissions.job.any') },
		...chats.map(({ id, title }) => ({ value: jobValue({ kind: 'chat', sessionId: id }), label: say('permissions.job.chat', { title }) })),
		...(workflows.data ?? []).map(({ name }) => ({
			value: jobValue({ kind: 'workflow', name }),
			label: say('permissions.job.workflow', { name }),
		})),
	];
}
