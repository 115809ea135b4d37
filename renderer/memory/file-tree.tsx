import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { DocumentName } from '../../src/contract/methods/profile.ts';
import { shapeOf } from '../connection/index.ts';
import { DocumentEditor } from '../settings/document-editor.tsx';
import { useDocument, useMemoryFiles } from '../shell/queries.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { samePath } from './groups.ts';
import { IndexLine, useIndexStatus } from './index-line.tsx';
import { useMemoryUi } from './memory-ui-store.ts';
import { filePlace, type Place } from './place.ts';
import { HEADINGS_AT_ONCE, type TreeRow, treeOf } from './tree-rows.ts';

const OWN_WORDS: readonly DocumentName[] = ['AGENT.md', 'USER.md', 'HEARTBEAT.md'];

/** How long letters typed after each other count as one beginning of a name, in milliseconds. */
const TYPE_AHEAD_MS = 700;

/** The memory files, their headings and how many entries each holds. */
export function FileTree({ place }: { place: Place }) {
	const say = useSay();
	const files = useMemoryFiles();
	const olderOpen = useMemoryUi((state) => state.olderOpen);
	const headingsShown = useMemoryUi((state) => state.headingsShown);
	const index = useIndexStatus();
	const onKeyDown = useTreeKeys();
	const [document, setDocument] = useState<DocumentName>();
	const nav = useRef<HTMLElement>(null);
	const known = files.data !== undefined;
	// An address leads to a row that may be far down.
	useEffect(() => {
		if (known && place) nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
	}, [place, known]);
	const tree = treeOf(files.data?.files ?? [], place.kind === 'file' ? place : undefined, olderOpen, headingsShown);
	const unread = files.data?.files.filter(({ problem }) => problem) ?? [];
	const addTo: Place = place.kind === 'file' && unread.some(({ path }) => path === place.file) ? { kind: 'all' } : place;
	const close = (): void => useMemoryUi.setState({ listOpen: false });
	const group = (id: 'longTerm' | 'daily' | 'notes') =>
		tree[id].length === 0 ? null : (
			<section aria-labelledby={`memory-${id}`}>
				<h3 className="group-h" id={`memory-${id}`}>
					{say(`memory.${id}`)}
				</h3>
				{tree[id].map((row) => (
					<TreeLine key={rowKey(row)} row={row} place={place} onGo={close} />
				))}
			</section>
		);
	return (
		<section className="pane side" aria-label={say('memory.files')}>
			<div className="pane-head">
				<h2 className="grow">{say('memory.title')}</h2>
				<IconButton icon="plus" label={say('memory.add')} onClick={() => useMemoryUi.setState({ dialog: addHere(addTo) })} />
			</div>
			<nav ref={nav} className="pane-body tree" aria-label={say('memory.fileNav')} onKeyDown={onKeyDown}>
				{files.error ? <ErrorNote error={shapeOf(files.error)} /> : null}
				<Link className="row" href="/memory" aria-current={place.kind === 'all' ? 'page' : undefined} onClick={close}>
					<Icon name="memory" />
					<span className="cut">{say('memory.all')}</span>
					<span className="meta num">{files.data ? files.data.files.reduce((sum, file) => sum + file.entries, 0) : null}</span>
				</Link>
				{group('longTerm')}
				{group('daily')}
				{group('notes')}
				<section aria-labelledby="memory-own">
					<h3 className="group-h" id="memory-own">
						{say('memory.ownWords')}
					</h3>
					{OWN_WORDS.map((name) => (
						<button key={name} type="button" className="row" onClick={() => setDocument(name)}>
							<Icon name="file" />
							<span>{name}</span>
						</button>
					))}
				</section>
			</nav>
			{index ? (
				<div className="pane-foot index-line" role="status">
					<IndexLine index={index} />
					{unread.length > 0 ? <StateMark state="alert">{say('memory.unread', { count: unread.length })}</StateMark> : null}
				</div>
			) : null}
			{document ? <OwnWords name={document} onClose={() => setDocument(undefined)} /> : null}
		</section>
	);
}

/** A new entry goes where the owner is looking. */
export function addHere(place: Place): { kind: 'add'; file?: (Place & { kind: 'file' })['file']; headingPath?: readonly string[] } {
	return place.kind === 'file' ? { kind: 'add', file: place.file, headingPath: place.headingPath } : { kind: 'add' };
}

function OwnWords({ name, onClose }: { name: DocumentName; onClose: () => void }) {
	const file = useDocument(name);
	return file.data ? <DocumentEditor document={file.data} onClose={onClose} /> : null;
}

function rowKey(row: TreeRow): string {
	if (row.kind === 'older') return 'older';
	if (row.kind === 'more') return `more ${row.file.path}`;
	return row.kind === 'file' ? row.file.path : filePlace(row.file.path, row.headingPath);
}

function TreeLine({ row, place, onGo }: { row: TreeRow; place: Place; onGo: () => void }) {
	const say = useSay();
	if (row.kind === 'older') {
		return (
			<button
				type="button"
				className="row sub"
				aria-expanded={row.open}
				onClick={() => useMemoryUi.setState((state) => ({ olderOpen: !state.olderOpen }))}
			>
				<span className="dim">{say('memory.older', { count: row.count })}</span>
				<Icon name={row.open ? 'up' : 'down'} />
			</button>
		);
	}
	if (row.kind === 'more') {
		return (
			<button
				type="button"
				className="row sub"
				onClick={() => useMemoryUi.setState(({ headingsShown }) => ({ headingsShown: headingsShown + HEADINGS_AT_ONCE }))}
			>
				<span className="dim">{say('memory.moreHeadings', { count: row.count })}</span>
				<Icon name="down" />
			</button>
		);
	}
	const headingPath = row.kind === 'heading' ? row.headingPath : [];
	const current = place.kind === 'file' && place.file === row.file.path && samePath(place.headingPath, headingPath);
	const count = row.kind === 'heading' ? row.entries : row.file.entries;
	const problem = row.kind === 'file' ? row.file.problem : undefined;
	return (
		<Link
			className={row.kind === 'heading' ? 'row sub' : 'row'}
			href={filePlace(row.file.path, headingPath)}
			aria-current={current ? 'page' : undefined}
			style={row.kind === 'heading' && row.depth > 0 ? { paddingLeft: `${32 + row.depth * 12}px` } : undefined}
			title={problem ? say('memory.fileProblem', { name: row.name, problem: problem.message }) : undefined}
			onClick={onGo}
		>
			{row.kind === 'file' ? <Icon name={problem ? 'alert' : 'file'} /> : null}
			<span className="cut" dir="auto">
				{row.name}
			</span>
			{problem ? (
				<span className="meta num">{say('memory.notRead')}</span>
			) : (
				<span className="meta num">
					{count}
					<span className="vh">{` ${say('memory.fileCount', { count })}`}</span>
				</span>
			)}
		</Link>
	);
}

/** Arrows, Home and End move between the rows; letters go to the next row that begins with them. */
function useTreeKeys(): (event: KeyboardEvent<HTMLElement>) => void {
	const typed = useRef({ text: '', at: 0 });
	return (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.row')];
		const at = rows.indexOf(document.activeElement as HTMLElement);
		const go = (to: number): void => {
			event.preventDefault();
			rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
		};
		if (event.key === 'ArrowDown') go(at + 1);
		else if (event.key === 'ArrowUp') go(at - 1);
		else if (event.key === 'Home') go(0);
		else if (event.key === 'End') go(rows.length - 1);
		else if (event.key.length === 1 && event.key !== ' ') {
			const now = performance.now();
			const text = (now - typed.current.at < TYPE_AHEAD_MS ? typed.current.text : '') + event.key.toLowerCase();
			typed.current = { text, at: now };
			// A first letter goes on to the next row; more letters may stay with this one.
			const from = text.length === 1 ? at + 1 : Math.max(0, at);
			const order = [...rows.slice(from), ...rows.slice(0, from)];
			const found = order.find((row) => (row.textContent ?? '').trim().toLowerCase().startsWith(text));
			if (found) go(rows.indexOf(found));
		}
	};
}
