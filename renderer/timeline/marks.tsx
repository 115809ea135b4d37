import { useIntl } from 'react-intl';
import type { RunStep } from '../../src/contract/methods/runs.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import { toolIcon } from '../chat/transcript/tool-row.tsx';
import type { IconName } from '../ui/icon.tsx';
import { StateMark } from '../ui/marks.tsx';
import { useSay, yearOf } from '../ui/strings.tsx';
import { stateOf } from './words.ts';

/** A time of day, with its date where that is not today's. */
export function useWhen(): (at: number, options?: { seconds?: boolean }) => string {
	const intl = useIntl();
	return (at, { seconds = false } = {}) => {
		const today = new Date(at).toDateString() === new Date().toDateString();
		return intl.formatDate(at, {
			...(today ? {} : { day: 'numeric', month: 'short', ...yearOf(at) }),
			hour: '2-digit',
			minute: '2-digit',
			...(seconds && { second: '2-digit' }),
		});
	};
}

/** How a run stands, in words. `short`: in a line that holds little. */
export function RunState({
	run,
	short = false,
}: {
	run: Pick<RunSummary, 'status' | 'step' | 'waitsFor' | 'waitsUntil'>;
	short?: boolean;
}) {
	const say = useSay();
	const when = useWhen();
	const { mark, id, until, step } = stateOf(run, short);
	return (
		<StateMark state={mark} {...(run.status === 'interrupted' && { icon: 'bolt' })}>
			{say(id, { ...(until !== undefined && { time: when(until) }), ...(step !== undefined && { step }) })}
		</StateMark>
	);
}

const STEP_ICONS: Partial<Record<RunStep['kind'], IconName>> = {
	model: 'cpu',
	approval: 'alert',
	question: 'user',
	did_it_happen: 'alert',
	timer: 'scheduled',
	event: 'plug',
	child: 'agent',
};

export function stepIcon({ kind, tool }: Pick<RunStep, 'kind' | 'tool'>): IconName {
	return STEP_ICONS[kind] ?? toolIcon(tool ?? '');
}
