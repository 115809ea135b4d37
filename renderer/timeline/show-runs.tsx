import { IconButton } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusList } from './focus.ts';
import { useTimelineUi } from './timeline-ui-store.ts';

/** Lays the list over the steps, in a window that is too narrow for both. */
export function ShowRuns() {
	const say = useSay();
	return (
		<IconButton
			icon="list"
			className="runs-open"
			label={say('timeline.showRuns')}
			onClick={() => {
				useTimelineUi.setState({ listOpen: true });
				focusList(useTimelineUi.getState().rowId);
			}}
		/>
	);
}
