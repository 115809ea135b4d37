import { useState } from 'react';
import type { WatchedHealth, WatchedSource } from '../../../../src/domain/heartbeat.ts';
import { shapeOf } from '../../../connection/index.ts';
import { useWhen } from '../../../timeline/marks.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { StateMark } from '../../../ui/marks.tsx';
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx';
import { ErrorNote, Note } from '../../../ui/note.tsx';
import { formatBytes, useSay } from '../../../ui/strings.tsx';
import { Row } from '../../row.tsx';
import { lookNow } from '../look-now.ts';
import { useBackgroundChange } from '../queries.ts';
import { EditSource } from './edit-dialog.tsx';
import { ItemsDialog } from './items-dialog.tsx';
import { RemoveSource } from './remove-dialog.tsx';
import { countWords, KIND_ICONS, trustWords, whereWords } from './source-words.ts';

const MARKS = { new: 'scheduled', ok: 'done', waiting: 'waiting', failed: 'failed' } as const satisfies Record<
	WatchedHealth['kind'],
	string
>;

type Open = 'edit' | 'remove' | 'items';

/** One source: where it is, how reading it goes, what came of it, and what can be done. */
export function SourceRow({ source }: { source: WatchedSource }) {
	const say = useSay();
	const [open, setOpen] = useState<Open>();
	const { id: sourceId, title, place, paused } = source;
	const test = useBackgroundChange((client, _: undefined) => client.sources.test({ sourceId }));
	const pause = useBackgroundChange((client, next: boolean) => client.sources.pause({ sourceId, paused: next }));
	const close = (): void => setOpen(undefined);
	const below = useBelow({ source, test, failure: pause.error, onEdit: () => setOpen('edit') });
	const runTest = (): void => test.mutate(undefined);
	return (
		<Row
			icon={KIND_ICONS[place.kind]}
			title={<span dir="auto">{title}</span>}
			hint={
				<>
					<span className="block" dir="auto">
						{say(`sources.kind.${place.kind}`)} · {whereWords(say, place)}
					</span>
					<span className="block">
						{countWords(say, source)} · {say(trustWords(source))}
					</span>
				</>
			}
			below={below}
		>
			<Health source={source} />
			<Button size="sm" aria-label={say('sources.testOf', { name: title })} busy={test.isPending} onClick={runTest}>
				{say('sources.test')}
			</Button>
			<Menu trigger={<IconButton icon="more" label={say('sources.options', { name: title })} />}>
				<MenuItem icon="list" onClick={() => setOpen('items')}>
					{say('sources.showItems')}
				</MenuItem>
				<MenuItem icon="bolt" onClick={() => void lookNow(say, sourceId)}>
					{say('sources.look')}
				</MenuItem>
				<MenuItem icon={paused ? 'play' : 'pause'} onClick={() => pause.mutate(!paused)}>
					{say(paused ? 'sources.resume' : 'sources.pause')}
				</MenuItem>
				<MenuItem icon="edit" onClick={() => setOpen('edit')}>
					{say('common.edit')}
				</MenuItem>
				<MenuLine />
				<MenuItem icon="trash" danger onClick={() => setOpen('remove')}>
					{say('common.remove')}
				</MenuItem>
			</Menu>
			{open === 'edit' ? <EditSource source={source} onClose={close} /> : null}
			{open === 'items' ? <ItemsDialog source={source} onClose={close} /> : null}
			{open === 'remove' ? <RemoveSource source={source} onClose={close} /> : null}
		</Row>
	);
}

function Health({ source: { health, paused } }: { source: WatchedSource }) {
	const say = useSay();
	const when = useWhen();
	if (paused) return <StateMark state="stale">{say('sources.health.paused')}</StateMark>;
	const at = health.kind === 'waiting' ? health.until : health.kind === 'ok' ? health.at : undefined;
	return <StateMark state={MARKS[health.kind]}>{say(`sources.health.${health.kind}`, at === undefined ? {} : { at: when(at) })}</StateMark>;
}

interface BelowProps {
	source: WatchedSource;
	test: { readonly data?: { items: number; bytes: number; ms: number } | undefined; readonly error: unknown };
	failure: unknown;
	onEdit: () => void;
}

/** Why it can't be read and what to do, or what a test found; undefined where there is nothing to say. */
function useBelow({ source: { health }, test, failure, onEdit }: BelowProps) {
	const say = useSay();
	const own = test.error ?? failure;
	const error = own ? shapeOf(own) : 'error' in health ? health.error : undefined;
	if (error) {
		return (
			<ErrorNote error={error} actions={error.kind === 'retryable' ? undefined : <Button onClick={onEdit}>{say('common.edit')}</Button>}>
				{health.kind === 'waiting' ? <p>{say('sources.failures', { count: health.failures })}</p> : null}
			</ErrorNote>
		);
	}
	const note = health.kind === 'ok' ? health.note : undefined;
	if (!test.data && note === undefined) return undefined;
	return (
		<Note icon={test.data ? 'done' : 'info'} role="status">
			{test.data
				? say('sources.tested', { items: test.data.items, size: formatBytes(say, test.data.bytes), seconds: test.data.ms / 1000 })
				: null}
			{note === undefined ? null : <p>{note}</p>}
		</Note>
	);
}
