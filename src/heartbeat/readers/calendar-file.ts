import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { terminal } from '../../domain/errors.ts';
import type { OwnPlaces } from '../../tools/workspace/denied.ts';
import { readDiskFile } from '../../tools/workspace/disk.ts';
import { ownersPath } from '../../tools/workspace/owners-path.ts';
import type { SourceReader } from '../ports.ts';
import { calendarReading, SeenUntil } from './calendar-items.ts';
import { checkWanted } from './stopped.ts';

/** A calendar in a file (iCalendar). */
export function createCalendarFileReader({ own }: { own: OwnPlaces }): SourceReader<'calendar_file'> {
	return {
		kind: 'calendar_file',
		read: async (request) => {
			checkWanted(request.signal);
			const { path } = request.place;
			const { real } = await ownersPath(path, own);
			const folder = dirname(real);
			const place = { path, absolute: real, root: { name: folder, absolute: folder, mine: false }, exists: true };
			const file = await readDiskFile(place, request.limits.maxBytes);
			if (!file) throw terminal('source_missing', `There is nothing at ${path}.`, { action: 'Check the path.' });
			const seen = SeenUntil.safeParse(request.cursor).data?.readAt;
			const document = { bytes: file.bytes, contentType: '', url: pathToFileURL(real).href };
			const { readAt, ...reading } = await calendarReading(request, seen, document);
			return { ...reading, cursor: readAt === undefined ? null : { readAt } };
		},
	};
}
