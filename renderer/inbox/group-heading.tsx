import { memo, useContext } from 'react';
import { useIntl } from 'react-intl';
import type { TickId } from '../../src/domain/heartbeat.ts';
import { useNow } from '../chat/use-now.ts';
import { daysBetween } from '../memory/provenance-parts.ts';
import { Button } from '../ui/button.tsx';
import { type Say, useSay, yearOf } from '../ui/strings.tsx';
import { useInboxUi } from './inbox-ui-store.ts';
import type { Group } from './list-rows.ts';
import { ListedContext } from './listed.ts';
import { allToggled } from './selection.ts';

/** Where the parts of a day begin, as looks are called by them. */
const PARTS = [
	['evening', 17],
	['afternoon', 12],
	['morning', 5],
] as const;

function partOf(at: number): 'night' | 'morning' | 'afternoon' | 'evening' {
	const hour = new Date(at).getHours();
	return PARTS.find(([, from]) => hour >= from)?.[0] ?? 'night';
}

/** “Morning look, today 07:30”. `at` in milliseconds. */
export function useLookName(): (at: number, by: 'schedule' | 'owner') => string {
	const say = useSay();
	const intl = useIntl();
	const now = useNow();
	return (at, by) => {
		const days = daysBetween(at, now);
		const time = intl.formatTime(at);
		const day = intl.formatDate(at, { weekday: 'short', day: 'numeric', month: 'long', ...yearOf(at) });
		return say('inbox.look', {
			part: by === 'owner' ? 'asked' : partOf(at),
			days: days === 0 ? 'today' : days === 1 ? 'yesterday' : 'other',
			day,
			time,
		});
	};
}

export const GroupHeading = memo(function GroupHeading({ group }: { group: Group }) {
	const say = useSay();
	const { ids } = group;
	const some = useInboxUi((state) => ids.some((id) => state.selection.ids.has(id)));
	const all = useInboxUi((state) => some && ids.every((id) => state.selection.ids.has(id)));
	return (
		<div className="group-h">
			<h3 className="cut" dir="auto">
				<Title about={group.about} say={say} />
			</h3>
			{group.about.kind === 'look' ? <Cap tickId={group.about.tickId} /> : null}
			{ids.length > 0 ? (
				<Button kind="ghost" size="sm" onClick={() => useInboxUi.setState(({ selection }) => ({ selection: allToggled(selection, ids) }))}>
					{say(all ? 'inbox.selectNone' : 'inbox.selectAll', { count: ids.length })}
				</Button>
			) : null}
		</div>
	);
});

function Title({ about, say }: { about: Group['about']; say: Say }) {
	const { looks } = useContext(ListedContext);
	const nameOf = useLookName();
	switch (about.kind) {
		case 'look': {
			const tick = looks.get(about.tickId);
			return nameOf(tick?.slot ?? about.at, tick?.by ?? 'schedule');
		}
		case 'source':
			return about.title;
		case 'own':
			return say('inbox.fromChats');
		case 'decided':
			return say('inbox.decidedTitle');
		case 'snoozed':
			return say('inbox.snoozedTitle');
		default:
			return about satisfies never;
	}
}

/** How many a look may leave at the most, where it left as many. */
function Cap({ tickId }: { tickId: TickId }) {
	const say = useSay();
	const { looks, cap } = useContext(ListedContext);
	const tick = looks.get(tickId);
	if (!tick || cap === undefined || tick.findings === 0) return null;
	return (
		<span className="cap" title={tick.overCap > 0 ? say('inbox.overCap', { count: tick.overCap }) : undefined}>
			{say('inbox.perLook', { count: tick.findings, cap })}
		</span>
	);
}
