import { useQuery } from '@tanstack/react-query';
import type { EntryVersion, MemoryEntry } from '../../src/domain/memory.ts';
import { call, shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { Popover } from '../ui/popover.tsx';
import { useSay } from '../ui/strings.tsx';
import { WordDiff } from '../ui/word-diff.tsx';
import { bringBack } from './memory-actions.ts';
import { useMemoryUi } from './memory-ui-store.ts';
import { useDay } from './provenance.tsx';
import { shownLabel } from './provenance-parts.ts';
import { SourceLink } from './source-link.tsx';

/** Fingerprints are long: their ends tell them apart. */
export function shortHash(hash: string): string {
	return hash.length > 12 ? `${hash.slice(0, 4)}…${hash.slice(-4)}` : hash;
}

/** Every text that the entry had, newest first, each with what changed in it. */
export function Versions({ entry, anchor }: { entry: MemoryEntry; anchor: () => Element | null }) {
	const say = useSay();
	const open = useMemoryUi((state) => state.versionsOf === entry.id);
	return (
		<Popover
			trigger={
				<Button kind="ghost" size="sm" icon="history" className={open ? 'on' : undefined}>
					{say('memory.versions', { count: entry.versions })}
				</Button>
			}
			title={say('memory.versionsTitle')}
			closable
			side="right"
			anchor={anchor}
			className="versions-pop"
			open={open}
			onOpenChange={(next) => useMemoryUi.setState({ versionsOf: next ? entry.id : null })}
		>
			<VersionList entry={entry} />
		</Popover>
	);
}

export function VersionList({ entry }: { entry: MemoryEntry }) {
	const history = useQuery({
		queryKey: ['memory', 'history', entry.id],
		queryFn: () => call((client) => client.memory.history({ entryId: entry.id, limit: 100 }), { repeatable: true }),
		staleTime: 0,
	});
	if (history.error) return <ErrorNote error={shapeOf(history.error)} />;
	const standing = entry.state === 'gone' ? undefined : history.data?.find((version) => version.after === entry.text);
	return (
		<ol className="vers" aria-busy={history.isPending}>
			{history.data?.map((version) => (
				<Version key={version.changeId} version={version} entry={entry} isNow={version === standing} />
			))}
		</ol>
	);
}

/** What happened, in words. */
export function useKind(): (version: EntryVersion) => string {
	const say = useSay();
	return ({ kind, provenance, file }) => say(`memory.kind.${kind}`, { author: provenance.author, file });
}

function Version({ version, entry, isNow }: { version: EntryVersion; entry: MemoryEntry; isNow: boolean }) {
	const say = useSay();
	const day = useDay();
	const kindOf = useKind();
	const { provenance } = version;
	const source = provenance.sources[0];
	const canReturn = version.after !== null && !version.forgotten && (entry.state === 'gone' || version.after !== entry.text);
	return (
		<li className="ver">
			<div className="ver-h">
				<b>{day(version.at, true)}</b>
				<TrustLabel label={shownLabel(provenance)} />
				<span className="grow" />
				{isNow ? <span className="meta">{say('memory.now')}</span> : null}
				{version.undoneBy ? <span className="meta">{say('memory.versionUndone')}</span> : null}
				{canReturn ? (
					<Button size="sm" onClick={() => void bringBack(entry.id, version.changeId)}>
						{say('memory.bringBack')}
					</Button>
				) : null}
			</div>
			<VersionText version={version} />
			<p className="meta">
				{kindOf(version)}
				{source ? (
					<>
						{' · '}
						<SourceLink source={source} />
					</>
				) : null}
			</p>
			{provenance.approval ? <p className="meta">{say('memory.approvedAs', { hash: shortHash(provenance.approval.shownHash) })}</p> : null}
		</li>
	);
}

export function VersionText({ version }: { version: EntryVersion }) {
	const say = useSay();
	const { before, after, forgotten } = version;
	if (forgotten) return <p className="dim">{say('memory.versionForgotten')}</p>;
	if (after === null) {
		return (
			<p>
				<del>{before}</del>
			</p>
		);
	}
	return <WordDiff before={before} after={after} />;
}
