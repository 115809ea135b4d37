import { useIntl } from 'react-intl';
import { useSay } from '../ui/strings.tsx';
import { startOfDay } from './filter.ts';
import type { Group } from './groups.ts';

/** What the entries below it stand under: the heading, or the file where they stand under none; and where that is. */
export function GroupHeading({ group, isHeading }: { group: Group; isHeading: boolean }) {
	const say = useSay();
	const intl = useIntl();
	const { file, headingPath, lineStart, lineEnd } = group;
	const day = startOfDay(/(\d{4}-\d{2}-\d{2})\.md$/.exec(file)?.[1] ?? '');
	const fileName =
		day === undefined
			? file.replace(/^memory\//, '')
			: intl.formatDate(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
	const place =
		lineEnd === undefined
			? say('memory.fromLine', { file, line: lineStart })
			: lineEnd === lineStart
				? say('memory.line', { file, line: lineStart })
				: say('memory.lines', { file, from: lineStart, to: lineEnd });
	// A heading that is an entry says itself, in its own row.
	if (isHeading) return <p className="group-place meta">{place}</p>;
	const above = headingPath.slice(0, -1);
	return (
		<h2 className="group-heading">
			{above.length > 0 ? <span className="dim">{`${above.join(' › ')} ›`}</span> : null}
			<span dir="auto">{headingPath.at(-1) ?? fileName}</span> <span className="meta">{place}</span>
		</h2>
	);
}
