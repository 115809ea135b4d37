import { useQuery } from '@tanstack/react-query';
import { useIntl } from 'react-intl';
import type { EntryId, MemoryEntry, Source } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { useNow } from '../chat/use-now.ts';
import { call } from '../connection/index.ts';
import { useMemoryEntry } from '../shell/queries.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { type Say, useSay } from '../ui/strings.tsx';
import { kindIcon, useKindOf } from './listed.ts';
import { ageOf, chipSource, sourceName } from './proposal-view.ts';

type Placed = Pick<Proposal, 'operation' | 'provenance'>;

/** Where it would land, or where the entry that it is about stands: `MEMORY.md, Home`. Of what goes nowhere, what it is about. */
export function usePlace(proposal: Placed): string {
	const say = useSay();
	const entry = useMemoryEntry(entryOf(proposal)).data;
	return placeOf(say, proposal, entry);
}

/** The same for a row. It asks for nothing where it need not, and for nothing twice: there are many. */
export function Place({ proposal }: { proposal: Placed }) {
	const say = useSay();
	const entryId = entryOf(proposal);
	return entryId === undefined ? placeOf(say, proposal, undefined) : <PlaceOfEntry proposal={proposal} entryId={entryId} />;
}

function PlaceOfEntry({ proposal, entryId }: { proposal: Placed; entryId: EntryId }) {
	const say = useSay();
	// As it was last read: a row that comes into view does not ask again, an event does.
	const entry = useQuery({
		queryKey: ['memory', 'entry', entryId],
		queryFn: () => call((client) => client.memory.entry({ entryId }), { repeatable: true }),
	}).data;
	return placeOf(say, proposal, entry);
}

function entryOf({ operation }: Placed): EntryId | undefined {
	return 'entryId' in operation ? (operation.entryId ?? undefined) : undefined;
}

function placeOf(say: Say, { operation, provenance }: Placed, entry: MemoryEntry | undefined): string {
	if (operation.kind === 'notice' || operation.kind === 'task') {
		const found = provenance.sources.find(({ kind }) => kind === 'finding');
		return (found && sourceName(found)) || say(`inbox.place.${operation.kind}`);
	}
	if (operation.kind === 'skill') return `skills/${operation.name}/SKILL.md`;
	const headings = operation.kind === 'append' ? operation.headingPath : (entry?.headingPath ?? []);
	const heading = headings.at(-1);
	return heading ? say('inbox.target', { file: operation.file, heading }) : operation.file;
}

/** What has waited for longer than this is marked (bg-4). */
const OLD_MS = 14 * 86_400_000;

/** How long ago, short; the whole date for who rests on it. `marked`: it says by itself that it has waited for long. */
export function Ago({ at, marked = false }: { at: number; marked?: boolean }) {
	const say = useSay();
	const intl = useIntl();
	const now = useNow();
	const { unit, count } = ageOf(at, now);
	const old = marked && now - at >= OLD_MS;
	return (
		<time
			className={old ? 'meta old' : 'meta'}
			dateTime={new Date(at).toISOString()}
			title={intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })}
		>
			{old ? <Icon name="hourglass" /> : null}
			<span aria-hidden="true">{say('inbox.age', { unit, count })}</span>
			<span className="vh">{say(old ? 'inbox.ageOld' : 'inbox.ageLong', { unit, count })}</span>
		</time>
	);
}

const SOURCE_ICON: Record<Source['kind'], IconName> = {
	message: 'chat',
	finding: 'bookmark',
	url: 'globe',
	file: 'file',
	tool: 'plug',
	entry: 'memory',
};

export function sourceIcon(source: Source): IconName {
	return SOURCE_ICON[source.kind];
}

/** What it was made from, in a few words: of a finding the source that the owner named. */
export function SourceChip({ proposal: { finding, provenance } }: { proposal: Pick<Proposal, 'finding' | 'provenance'> }) {
	const say = useSay();
	const { sources } = provenance;
	const kind = useKindOf(finding?.sourceId);
	const source = chipSource(sources);
	const name = finding?.sourceTitle ?? (source && (sourceName(source) || say('memory.src.untitled')));
	const more = finding ? 0 : sources.length - 1;
	return (
		<span className="src cut">
			{finding || source ? <Icon name={finding ? (finding.task ? 'tasks' : kindIcon(kind)) : sourceIcon(source as Source)} /> : null}
			<span className="cut" dir="auto">
				{name === undefined ? say('inbox.noSource') : more > 0 ? say('inbox.sources', { source: name, count: more }) : name}
			</span>
		</span>
	);
}
