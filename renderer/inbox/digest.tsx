import { useHeartbeat } from '../shell/queries.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { useInboxUi } from './inbox-ui-store.ts';
import { kindIcon, useKindOf } from './listed.ts';
import { Ago } from './proposal-words.tsx';

/** What waits of background work, by source: from here one of them is looked at by itself. */
export function Digest() {
	const say = useSay();
	const digest = useHeartbeat().data?.digest;
	if (!digest || digest.bySource.length === 0) return null;
	return (
		<section className="digest" aria-labelledby="digest-title">
			<h3 id="digest-title" className="vh">
				{say('inbox.digest')}
			</h3>
			<ul>
				{digest.bySource.map((source) => (
					<Source key={source.sourceId} source={source} />
				))}
			</ul>
			{digest.snoozed > 0 ? (
				<Button kind="ghost" size="sm" onClick={() => useInboxUi.setState({ which: 'snoozed' })}>
					{say('inbox.digestSnoozed', { count: digest.snoozed })}
				</Button>
			) : null}
		</section>
	);
}

type SourceWaits = NonNullable<ReturnType<typeof useHeartbeat>['data']>['digest']['bySource'][number];

function Source({ source: { sourceId, title, waiting, oldestAt, urgency } }: { source: SourceWaits }) {
	const say = useSay();
	const kind = useKindOf(sourceId);
	return (
		<li>
			<button
				type="button"
				className="row digest-row"
				onClick={() => useInboxUi.setState({ filter: { sources: [sourceId], subjects: [], urgencies: [] } })}
			>
				<Icon name={kindIcon(kind)} size="s" />
				<bdi className="grow cut">{title}</bdi>
				{urgency === 'high' ? <span className="state pending">{say('inbox.urgent')}</span> : null}
				<Ago at={oldestAt} marked />
				<span className="count">{waiting}</span>
			</button>
		</li>
	);
}
