import { LONG_TERM_FILE, type MemoryPath } from '../../src/domain/memory.ts';
import { useMemoryFiles } from '../shell/queries.ts';
import { Field } from '../ui/controls.tsx';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { fileName } from './tree-rows.ts';

/** Where an entry goes. Without a file: today's. `newHeading` undefined: one of those there are, or none. */
export interface PlaceChoice {
	readonly file: MemoryPath | undefined;
	readonly headingPath: readonly string[];
	readonly newHeading: string | undefined;
}

const TODAY = 'today';
const NONE = '[]';
const NEW = 'new';

/** The heading that the choice names; undefined while a new one has no name. */
export function chosenHeading(choice: PlaceChoice): readonly string[] | undefined {
	if (choice.newHeading === undefined) return choice.headingPath;
	const name = choice.newHeading.trim();
	return name === '' ? undefined : [name];
}

/** Chooses a file and a heading in it. */
export function PlaceFields({
	value,
	onChange,
	withToday = false,
}: {
	value: PlaceChoice;
	onChange: (choice: PlaceChoice) => void;
	withToday?: boolean;
}) {
	const say = useSay();
	const files = useMemoryFiles().data?.files ?? [];
	const file = files.find(({ path }) => path === value.file);
	const paths = [
		...new Set([
			LONG_TERM_FILE as MemoryPath,
			...(value.file ? [value.file] : []),
			...files.filter(({ problem }) => !problem).map(({ path }) => path),
		]),
	];
	const headings = file?.headings ?? [];
	return (
		<div className="place-fields">
			<div className="form-field">
				<span className="form-label">{say('memory.placeFile')}</span>
				<Select
					label={say('memory.placeFile')}
					value={value.file ?? TODAY}
					onChange={(path) => onChange({ file: path === TODAY ? undefined : (path as MemoryPath), headingPath: [], newHeading: undefined })}
					options={[
						...(withToday ? [{ value: TODAY, label: say('memory.placeToday') }] : []),
						...paths.map((path) => ({ value: path as string, label: fileName(files.find((known) => known.path === path) ?? { path }) })),
					]}
				/>
			</div>
			<div className="form-field">
				<span className="form-label">{say('memory.placeHeading')}</span>
				<Select
					label={say('memory.placeHeading')}
					value={value.newHeading === undefined ? JSON.stringify(value.headingPath) : NEW}
					onChange={(chosen) =>
						onChange(
							chosen === NEW
								? { ...value, headingPath: [], newHeading: '' }
								: { ...value, headingPath: JSON.parse(chosen) as string[], newHeading: undefined },
						)
					}
					options={[
						{ value: NONE, label: say('memory.placeNoHeading') },
						...uniquePaths(headings.map(({ path }) => path)).map((path) => ({ value: JSON.stringify(path), label: path.join(' › ') })),
						{ value: NEW, label: say('memory.placeNewHeading') },
					]}
				/>
			</div>
			{value.newHeading === undefined ? null : (
				<Field
					label={say('memory.placeHeadingName')}
					value={value.newHeading}
					maxLength={200}
					onChange={(newHeading) => onChange({ ...value, newHeading })}
				/>
			)}
		</div>
	);
}

/** Two headings of one name are one place. */
function uniquePaths(paths: readonly (readonly string[])[]): (readonly string[])[] {
	return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}
