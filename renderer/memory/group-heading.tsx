import { useIntl } from 'react-intl';
import { useSay } from '../ui/strings.tsx';
import { startOfDay } from './filter.ts';
import type { Group } from './groups.ts';

/** What the entries below it stand under: the heading, or the file where they stand under none; and where that is. */
export function GroupHeading({ group }: { group: Group }) {
	const intl = useIntl();
	const { file, headingPath } = group;
	const day = startOfDay(/(\d{4}-\d{2}-\d{2})\.md$/.exec(file)?.[1] ?? '');
	const fileName =
		day === undefined
			? file.replace(/^memory\//, '')
			: intl.formatDate(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
	const above = headingPath.slice(0, -1);
	return (
		<h2 className="group-heading">
			{above.length > 0 ? <span className="dim">{`${above.join(' › ')} ›`}</span> : null}
			<span dir="auto">{headingPath.at(-1) ?? fileName}</span> <GroupPlace group={group} />
		</h2>
	);
}

/** The file and the lines of a group. */
export function GroupPlace({ group: { file, lineStart, lineEnd } }: { group: Group }) {
	const say = useSay();
	const place =
		lineEnd === undefined
			? say('memory.fromLine', { file, line: lineStart })
			: lineEnd === lineStart
				? say('memory.line', { file, line: lineStart })
				: say('memory.lines', { file, from: lineStart, to: lineEnd });
	return <span className="meta">{place}</span>;
}
