import type { ProviderStatus } from '../../src/contract/shapes.ts';
import type { IconName } from '../ui/icon.tsx';
import { StateMark } from '../ui/marks.tsx';
import { useSay } from '../ui/strings.tsx';

const MARKS = {
	ready: { state: 'done', icon: 'done' },
	no_model: { state: 'waiting', icon: 'waiting' },
	not_running: { state: 'stale', icon: 'plug' },
	no_key: { state: 'alert', icon: 'key' },
	key_refused: { state: 'failed', icon: 'failed' },
	error: { state: 'failed', icon: 'failed' },
} as const satisfies Record<ProviderStatus['state'], { state: string; icon: IconName }>;

/** Where a provider stands: the three states of detection, and what a keyed one can be besides. */
export function ProviderMark({ state }: { state: ProviderStatus['state'] }) {
	const say = useSay();
	const mark = MARKS[state];
	return (
		<StateMark state={mark.state} icon={mark.icon}>
			{say(`provider.state.${state}`)}
		</StateMark>
	);
}
