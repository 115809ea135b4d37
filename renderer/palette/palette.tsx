import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { useLocation } from 'wouter';
import { jumpTo, useChatUi } from '../chat/chat-ui-store.ts';
import { Snippet } from '../chat/snippet.tsx';
import { call, useSessions } from '../connection/index.ts';
import { filePlace } from '../memory/place.ts';
import { commandInfo, runCommand, useAvailableCommands } from '../shell/commands.ts';
import { useMemoryFiles } from '../shell/queries.ts';
import { isComposing } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useSay, yearOf } from '../ui/strings.tsx';
import { closePalette, usePalette } from './palette-store.ts';
import { type Result, ranked } from './results.ts';

const MOST_CHATS = 8;
const MOST_FILES = 6;
const MOST_HITS = 20;

interface Group {
	value: string;
	items: Result[];
}

/** Full-text hits for what is typed. The list before stays until the next one is there. */
function useHits(query: string) {
	const text = query.trim();
	return useQuery({
		queryKey: ['palette', 'hits', text],
		queryFn: () => call((client) => client.sessions.search({ query: text, limit: MOST_HITS }), { repeatable: true }),
		enabled: text.length > 0,
		staleTime: 0,
		gcTime: 10_000,
		placeholderData: (before) => (text ? before : undefined),
	});
}

function useGroups(query: string): { groups: Group[]; searching: boolean } {
	const say = useSay();
	const mode = usePalette((state) => state.mode);
	const available = useAvailableCommands();
	const byId = useSessions((state) => state.byId);
	const hits = useHits(query);
	const files = useMemoryFiles(mode !== 'search').data?.files;
	const groups = useMemo(() => {
		const commands = mode === 'search' ? [] : available.map((id) => ({ id, ...commandInfo(id) })).filter((command) => !command.hidden);
		const actions = ranked(commands, (command) => say(command.title), query).map(
			(command): Result => ({ kind: 'command', value: `command:${command.id}`, id: command.id, title: say(command.title) }),
		);
		const newest = Object.values(byId).sort((a, b) => b.updatedAt - a.updatedAt);
		const chats = ranked(newest, (session) => session.title, query)
			.slice(0, MOST_CHATS)
			.map((session): Result => ({ kind: 'chat', value: `chat:${session.id}`, session }));
		const named = mode === 'search' || !query.trim() ? [] : ranked(files ?? [], (file) => file.path, query);
		const memory = named.slice(0, MOST_FILES).map((file): Result => ({ kind: 'file', value: `file:${file.path}`, file }));
		const found = (query.trim() ? (hits.data ?? []) : [])
			.filter((hit) => hit.messageId !== null)
			.map((hit): Result => ({ kind: 'hit', value: `hit:${hit.messageId}`, hit }));
		const all: Group[] = [
			{ value: say('palette.actions'), items: actions },
			{ value: say('palette.chats'), items: chats },
			{ value: say('palette.files'), items: memory },
			{ value: say('palette.messages'), items: found },
		];
		return all.filter((group) => group.items.length > 0);
	}, [available, byId, files, hits.data, mode, query, say]);
	return { groups, searching: hits.isFetching };
}

function ResultLine({ result }: { result: Result }) {
	const say = useSay();
	const intl = useIntl();
	const date = (at: number): string => intl.formatDate(at, { day: 'numeric', month: 'long', ...yearOf(at) });
	if (result.kind === 'command') {
		const { icon, keys } = commandInfo(result.id);
		return (
			<>
				<Icon name={icon} size="s" />
				<span className="grow cut">{result.title}</span>
				{keys ? <Kbd keys={keys} /> : null}
			</>
		);
	}
	if (result.kind === 'chat') {
		return (
			<>
				<Icon name="chat" size="s" />
				<span className="grow cut" dir="auto">
					{result.session.title || say('command.new_chat')}
				</span>
				<span className="meta">{date(result.session.updatedAt)}</span>
			</>
		);
	}
	if (result.kind === 'file') {
		return (
			<>
				<Icon name="file" size="s" />
				<span className="grow cut">{result.file.path}</span>
				<span className="meta">{say('memory.fileCount', { count: result.file.entries })}</span>
			</>
		);
	}
	const { hit } = result;
	return (
		<>
			<Icon name="search" size="s" />
			<span className="grow">
				<span className="cut block" dir="auto">
					<Snippet text={hit.snippet} />
				</span>
				<span className="meta cut block">
					{hit.sessionTitle} · {say('palette.hitFrom', { role: hit.role ?? 'other', date: date(hit.createdAt) })}
				</span>
			</span>
		</>
	);
}

/** Reaches every action, every chat by its title, and what was said in them. */
export default function Palette() {
	const say = useSay();
	const [, navigate] = useLocation();
	const mode = usePalette((state) => state.mode);
	const [query, setQuery] = useState('');
	const { groups, searching } = useGroups(query);
	const results = groups.flatMap((group) => group.items);
	const count = results.length;
	const highlighted = useRef<string>(undefined);

	const choose = (result: Result): void => {
		closePalette();
		if (result.kind === 'chat') navigate(`/chat/${result.session.id}`);
		else if (result.kind === 'file') navigate(filePlace(result.file.path));
		else if (result.kind === 'hit') {
			navigate(`/chat/${result.hit.sessionId}`);
			if (result.hit.messageId) {
				useChatUi.setState({ words: query.trim() });
				jumpTo(result.hit.sessionId, result.hit.messageId);
			}
		}
		// After the palette has given the focus back, so that a command may move it.
		else setTimeout(() => runCommand(result.id));
	};
	const placeholder = say(mode === 'search' ? 'palette.searchPlaceholder' : 'palette.placeholder');
	return (
		<Dialog.Root open onOpenChange={(open) => (open ? undefined : closePalette())}>
			<Dialog.Portal>
				<Dialog.Backdrop className="backdrop" />
				<Dialog.Viewport className="palette-viewport">
					<Dialog.Popup className="pop palette">
						<Dialog.Title className="vh">{say('palette.title')}</Dialog.Title>
						<Autocomplete.Root
							items={groups}
							value={query}
							onValueChange={(value, details) => (details.reason === 'item-press' ? undefined : setQuery(value))}
							itemToStringValue={(item: Result) => item.value}
							filter={null}
							mode="none"
							inline
							open
							autoHighlight="always"
							onItemHighlighted={(item) => {
								highlighted.current = item?.value;
							}}
						>
							<div className="ask">
								<Icon name="search" size="m" />
								<Autocomplete.Input
									placeholder={placeholder}
									aria-label={placeholder}
									spellCheck={false}
									onKeyDown={(event) => {
										if (event.key !== 'Enter') return;
										// Enter answers what is typed now, also in the moment in which the highlight has not followed the list.
										event.preventBaseUIHandler();
										if (isComposing(event)) return;
										const result = results.find((other) => other.value === highlighted.current) ?? results[0];
										if (result) choose(result);
									}}
								/>
							</div>
							<Autocomplete.List className="palette-list">
								{(group: Group) => (
									<Autocomplete.Group key={group.value} items={group.items}>
										<Autocomplete.GroupLabel className="group-h">{group.value}</Autocomplete.GroupLabel>
										<Autocomplete.Collection>
											{(item: Result) => (
												<Autocomplete.Item key={item.value} value={item} className="palette-item" onClick={() => choose(item)}>
													<ResultLine result={item} />
												</Autocomplete.Item>
											)}
										</Autocomplete.Collection>
									</Autocomplete.Group>
								)}
							</Autocomplete.List>
							{count === 0 && !searching ? (
								<p className="palette-empty">{query.trim() ? say('palette.empty', { query: query.trim() }) : say('palette.start')}</p>
							) : null}
							<p className="vh" role="status">
								{searching ? '' : say('palette.count', { count })}
							</p>
						</Autocomplete.Root>
					</Dialog.Popup>
				</Dialog.Viewport>
			</Dialog.Portal>
		</Dialog.Root>
	);
}
