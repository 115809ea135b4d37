import { useIntl } from 'react-intl';
import { Link, useLocation } from 'wouter';
import type { Source } from '../../src/domain/memory.ts';
import { jumpTo, useChatUi } from '../chat/chat-ui-store.ts';
import { copyText } from '../chat/copy.ts';
import { askToOpen } from '../chat/open-link.tsx';
import { useSay, yearOf } from '../ui/strings.tsx';
import { entryPlace } from './place.ts';

function hostOf(url: string): string {
	if (!URL.canParse(url)) return url;
	const { host, pathname } = new URL(url);
	return pathname === '/' ? host : `${host}${pathname}`;
}

/** Leads to what an entry was made from: the very message with the quoted words marked, the page, the file's path, the entry. */
export function SourceLink({ source }: { source: Source }) {
	const say = useSay();
	const intl = useIntl();
	const [, navigate] = useLocation();
	switch (source.kind) {
		case 'message': {
			const title = source.sessionTitle || say('memory.src.untitled');
			if (source.deleted) return <span>{say('memory.src.deleted', { title })}</span>;
			const go = (): void => {
				useChatUi.setState({ listOpen: false });
				navigate(`/chat/${source.sessionId}`);
				jumpTo(source.sessionId, source.messageId, source.quote);
			};
			return (
				<button type="button" className="lnk" onClick={go}>
					<bdi>{title}</bdi>
				</button>
			);
		}
		case 'url': {
			const date = intl.formatDate(source.fetchedAt, { day: 'numeric', month: 'long', ...yearOf(source.fetchedAt) });
			return (
				<button type="button" className="lnk" onClick={() => askToOpen(source.url)}>
					{say('memory.src.url', { host: hostOf(source.url), date })}
				</button>
			);
		}
		case 'file':
			return (
				<button
					type="button"
					className="lnk"
					title={say('memory.src.copyPath', { path: source.path })}
					onClick={() => copyText(source.path)}
				>
					<bdi>{source.path}</bdi>
				</button>
			);
		case 'tool': {
			const { name, address } = source;
			const words = say('memory.src.tool', { name });
			if (address === undefined) return <span>{words}</span>;
			return (
				<button type="button" className="lnk" title={say('memory.src.copyAddress', { address })} onClick={() => copyText(address)}>
					{words}
				</button>
			);
		}
		case 'entry':
			return (
				<Link className="lnk" href={entryPlace(source.entryId)}>
					{say('memory.src.entry')}
				</Link>
			);
		case 'finding':
			return <span>{say('memory.src.finding', { title: source.title })}</span>;
		default:
			return source satisfies never;
	}
}
