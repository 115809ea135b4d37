import { terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import { wallAt } from '../schedule/local-time.ts';
import { namesOf } from '../tools/workspace/paths.ts';

/** Where a result goes in `workspace/`, with the slot's day and time in place of `{date}` and `{time}`. Throws `invalid_input`. */
export function resultPath(path: string, at: Timestamp, zone: string): string {
	const [day = '', time = ''] = new Date(wallAt(at, zone)).toISOString().split('T');
	const names = namesOf(path.replaceAll('{date}', day).replaceAll('{time}', time.slice(0, 5).replace(':', '-')));
	if (names.length === 0 || path.endsWith('/'))
		throw terminal('invalid_input', 'That is a folder: a result goes into a file, such as reports/{date}.md.', {
			safe: 'Nothing was changed.',
		});
	return names.join('/');
}
