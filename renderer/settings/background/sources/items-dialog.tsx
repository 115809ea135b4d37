import { useQuery } from '@tanstack/react-query';
import type { WatchedItem, WatchedSource } from '../../../../src/domain/heartbeat.ts';
import { call, shapeOf } from '../../../connection/index.ts';
import { useWhen } from '../../../timeline/marks.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { StateMark } from '../../../ui/marks.tsx';
import { ErrorNote } from '../../../ui/note.tsx';
import { useSay } from '../../../ui/strings.tsx';

const NEWEST = 50;
const MARKS = { unread: 'scheduled', looking: 'running', read: 'done' } as const satisfies Record<WatchedItem['state'], string>;

/** The owner's own reading of the quarantine: plain text, no links, no pictures (B1). */
export function ItemsDialog({ source: { id: sourceId, title }, onClose }: { source: WatchedSource; onClose: () => void }) {
	const say = useSay();
	const { data, error } = useQuery({
		queryKey: ['sources', 'items', sourceId],
		queryFn: () => call((client) => client.sources.items({ sourceId, limit: NEWEST }), { repeatable: true }),
		staleTime: 0,
		gcTime: 0,
	});
	return (
		<Dialog
			open
			onClose={onClose}
			size="huge"
			title={say('sources.itemsTitle', { name: title })}
			lead={say('sources.itemsLead')}
			footer={<Button onClick={onClose}>{say('common.close')}</Button>}
		>
			{error ? <ErrorNote error={shapeOf(error)} /> : null}
			{data?.length === 0 ? <p className="meta">{say('sources.itemsNone')}</p> : null}
			{data && data.length >= NEWEST ? <p className="meta">{say('sources.itemsNewest', { count: NEWEST })}</p> : null}
			{data && data.length > 0 ? (
				<ul className="watched-items">
					{data.map((item) => (
						<Item key={item.id} item={item} />
					))}
				</ul>
			) : null}
		</Dialog>
	);
}

function Item({ item }: { item: WatchedItem }) {
	const say = useSay();
	const when = useWhen();
	const { title, url, author, publishedAt, fetchedAt, text, cut, state } = item;
	const facts = [
		...(author ? [say('sources.itemBy', { author })] : []),
		...(publishedAt === undefined ? [] : [when(publishedAt)]),
		say('sources.itemFetched', { at: when(fetchedAt) }),
	];
	return (
		<li>
			<details>
				<summary>
					<span className="grow" dir="auto">
						{title || say('sources.itemUntitled')}
					</span>
					<StateMark state={MARKS[state]}>{say(`sources.item.${state}`)}</StateMark>
				</summary>
				<p className="meta break">
					{facts.join(' · ')}
					{url === undefined ? null : <span className="block">{url}</span>}
				</p>
				{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
				<div className="well watched-text" dir="auto" tabIndex={0}>
					{text || say('sources.itemEmpty')}
				</div>
				{cut ? <p className="meta">{say('sources.itemCut')}</p> : null}
			</details>
		</li>
	);
}
