import type { SourcePreview } from '../../../../src/contract/methods/heartbeat.ts';
import type { WatchedPlace } from '../../../../src/domain/heartbeat.ts';
import { useWhen } from '../../../timeline/marks.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Note } from '../../../ui/note.tsx';
import { useSay } from '../../../ui/strings.tsx';
import { KIND_ICONS, whereWords } from './source-words.ts';

/** What is there now, as plain text; nothing of it is kept. */
export function Preview({ preview: { items, total, note }, place }: { preview: SourcePreview; place: WatchedPlace }) {
	const say = useSay();
	const when = useWhen();
	return (
		<>
			<p className="preview-where">
				<Icon name={KIND_ICONS[place.kind]} size="s" />
				<span className="break" dir="auto">
					{say(`sources.kind.${place.kind}`)} · {whereWords(say, place)}
				</span>
			</p>
			{note ? <Note>{note}</Note> : null}
			<p className="form-label">{say('sources.previewNewest', { total })}</p>
			{items.length > 0 ? (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
				<ul className="well preview-items" tabIndex={0} aria-label={say('sources.previewTitle')}>
					{items.map(({ title, publishedAt, text }, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: it never changes, and titles may be alike
						<li key={index}>
							<p className="preview-title" dir="auto">
								{title || say('sources.itemUntitled')}
							</p>
							{/* An event says in its text when it is. */}
							{place.kind === 'calendar' || place.kind === 'calendar_file' ? null : (
								<p className="meta">{publishedAt === undefined ? say('sources.previewUndated') : when(publishedAt)}</p>
							)}
							<p className="preview-text" dir="auto">
								{bodyOf(title, text)}
							</p>
						</li>
					))}
				</ul>
			) : null}
		</>
	);
}

/** The title begins the text, where it is quoted from; here it stands above it. Lines stay lines; marks of headings are none of the words. */
function bodyOf(title: string, text: string): string {
	return (text.startsWith(`${title}\n`) ? text.slice(title.length) : text)
		.replace(/^#{1,6}\s+/gm, '')
		.replace(/[^\S\n]+/g, ' ')
		.replace(/\s*\n\s*/g, '\n')
		.trim();
}
