import { Fragment, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { MemoryEntry } from '../../src/domain/memory.ts';
import { useNow } from '../chat/use-now.ts';
import { TrustLabel } from '../ui/marks.tsx';
import { Text, useSay, yearOf } from '../ui/strings.tsx';
import { daysBetween, type Part, provenanceParts, shownLabel } from './provenance-parts.ts';
import { SourceLink } from './source-link.tsx';

/** A day as people write it, with the time where it matters. */
export function useDay(): (at: number, withTime?: boolean) => string {
	const intl = useIntl();
	return (at, withTime = false) => {
		const day = intl.formatDate(at, { day: 'numeric', month: 'long', ...yearOf(at) });
		return withTime ? `${day}, ${intl.formatTime(at)}` : day;
	};
}

/** The one grey line under an entry. In a long list the label is said in full where it changes, else quietly. */
export function ProvenanceLine({ entry, quietLabel }: { entry: MemoryEntry; quietLabel: boolean }) {
	const now = useNow();
	return (
		<p className="prov">
			<TrustLabel label={shownLabel(entry.provenance)} quiet={quietLabel} />
			{provenanceParts(entry, now).map((part, index) => (
				<Fragment key={part.kind === 'used' ? 'used' : part.id}>
					{index > 0 ? <i className="sep" /> : null}
					<span>
						<PartText part={part} now={now} />
					</span>
				</Fragment>
			))}
		</p>
	);
}

function PartText({ part, now }: { part: Part; now: number }): ReactNode {
	const say = useSay();
	const day = useDay();
	switch (part.kind) {
		case 'words':
			return say(part.id);
		case 'date':
			return say(part.id, { date: day(part.at, part.withTime) });
		case 'writer':
			if (!part.source) return say(part.id);
			return (
				<>
					<Text id={part.id} values={{ source: <SourceLink source={part.source} /> }} />
					{part.more > 0 ? ` ${say('memory.moreSources', { count: part.more })}` : null}
				</>
			);
		case 'used': {
			const { count, at } = part;
			if (count === 0) return say('memory.neverUsed');
			if (at === undefined) return say('memory.used', { count });
			const days = daysBetween(at, now);
			if (days <= 0) return say('memory.usedToday', { count });
			if (days === 1) return say('memory.usedYesterday', { count });
			if (days < 7) return say('memory.usedDays', { count, days });
			return say('memory.usedOn', { count, date: day(at) });
		}
		default:
			return part satisfies never;
	}
}
