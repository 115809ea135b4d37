import { useIntl } from 'react-intl';
import type { Source } from '../../src/domain/memory.ts';
import type { ProposalOperation } from '../../src/domain/proposal.ts';
import { useNow } from '../chat/use-now.ts';
import { useMemoryEntry } from '../shell/queries.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { ageOf, chipSource, sourceName } from './proposal-view.ts';

/** Where it would land, or where the entry that it is about stands: `MEMORY.md, Home`. */
export function usePlace(operation: ProposalOperation): string {
	const say = useSay();
	const entry = useMemoryEntry('entryId' in operation ? (operation.entryId ?? undefined) : undefined).data;
	if (operation.kind === 'notice' || operation.kind === 'task') return say(`inbox.place.${operation.kind}`);
	if (operation.kind === 'skill') return `skills/${operation.name}/SKILL.md`;
	const headings = operation.kind === 'append' ? operation.headingPath : (entry?.headingPath ?? []);
	const heading = headings.at(-1);
	return heading ? say('inbox.target', { file: operation.file, heading }) : operation.file;
}

/** How long ago, short; the whole date for who rests on it. */
export function Ago({ at, className }: { at: number; className?: string }) {
	const say = useSay();
	const intl = useIntl();
	const { unit, count } = ageOf(at, useNow());
	return (
		<time
			className={className}
			dateTime={new Date(at).toISOString()}
			title={intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })}
		>
			<span aria-hidden="true">{say('inbox.age', { unit, count })}</span>
			<span className="vh">{say('inbox.ageLong', { unit, count })}</span>
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

/** What it was made from, in a few words. */
export function SourceChip({ sources }: { sources: readonly Source[] }) {
	const say = useSay();
	const source = chipSource(sources);
	if (!source) {
		return (
			<span className="src cut">
				<span className="cut">{say('inbox.noSource')}</span>
			</span>
		);
	}
	const name = sourceName(source) || say('memory.src.untitled');
	const more = sources.length - 1;
	return (
		<span className="src cut">
			<Icon name={sourceIcon(source)} />
			<span className="cut" dir="auto">
				{more > 0 ? say('inbox.sources', { source: name, count: more }) : name}
			</span>
		</span>
	);
}
