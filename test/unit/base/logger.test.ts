import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLogger } from '../../../src/base/logger.ts';
import { RotatingFile } from '../../../src/base/rotating-file.ts';
import { temporaryFolder } from '../../support/storage/folders.ts';

function linesOf(folder: string, name: string): Record<string, unknown>[] {
	return readFileSync(join(folder, name), 'utf8')
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a line is on the disk when the call returns, with level, time, event and the fields of its parents', () => {
	const folder = join(temporaryFolder(), 'logs');
	const logger = createLogger({ folder, level: 'info', days: 3, now: () => Date.UTC(2026, 0, 2, 3) });
	logger.child({ runId: 'r1' }).info('run_resumed', { step: 4, key: 'sk-verysecretvalue' });
	logger.debug('not_logged');
	expect(linesOf(folder, 'hearth-2026-01-02.log')).toEqual([
		{ level: 'info', time: '2026-01-02T03:00:00.000Z', event: 'run_resumed', runId: 'r1', step: 4, key: '[redacted]' },
	]);
	logger.close();
});

test('a new day and a full file begin a new file, and files beyond the days kept go', () => {
	const folder = temporaryFolder();
	const day = (number: number) => Date.UTC(2026, 0, number, 12);
	let now = day(1);
	const logger = createLogger({ folder, level: 'info', days: 2, maxBytes: 250, now: () => now });
	for (let index = 0; index < 4; index++) logger.info('event', { index, filler: 'a b '.repeat(15) });
	expect(readdirSync(folder).sort()).toEqual([
		'hearth-2026-01-01.1.log',
		'hearth-2026-01-01.2.log',
		'hearth-2026-01-01.3.log',
		'hearth-2026-01-01.log',
	]);
	now = day(2);
	logger.info('event');
	now = day(3);
	logger.info('event');
	expect(readdirSync(folder).sort()).toEqual(['hearth-2026-01-02.log', 'hearth-2026-01-03.log']);
	logger.keepDays(1);
	expect(readdirSync(folder)).toEqual(['hearth-2026-01-03.log']);
	logger.close();
});

test('dur-6 a clock that jumps back goes on in the earlier day and removes nothing', () => {
	const folder = temporaryFolder();
	let now = Date.UTC(2026, 4, 2, 1);
	const logger = createLogger({ folder, level: 'info', days: 14, now: () => now });
	logger.info('before');
	now -= 2 * 3_600_000;
	logger.info('after');
	expect(readdirSync(folder).sort()).toEqual(['hearth-2026-05-01.log', 'hearth-2026-05-02.log']);
	logger.close();
});

test('a start on the same day goes on in the newest file', () => {
	const folder = temporaryFolder();
	const options = { folder, level: 'info', days: 2, now: () => Date.UTC(2026, 0, 1) } as const;
	const first = createLogger(options);
	first.info('one');
	first.close();
	const second = createLogger(options);
	second.info('two');
	second.close();
	expect(linesOf(folder, 'hearth-2026-01-01.log').map((line) => line.event)).toEqual(['one', 'two']);
});

test('S5 a log that cannot be written stops nothing, and says later how many lines were lost', () => {
	const folder = temporaryFolder();
	const blocked = join(folder, 'logs');
	writeFileSync(blocked, 'a file where the folder should be');
	const file = new RotatingFile({ folder: blocked, days: 2, maxBytes: 1000, now: () => Date.UTC(2026, 0, 1) });
	file.write('{"event":"lost"}\n');
	file.write('{"event":"lost"}\n');
	file.close();

	const options = { folder: join(folder, 'later'), days: 2, maxBytes: 1000, now: () => Date.UTC(2026, 0, 1) };
	const recovering = new RotatingFile(options);
	writeFileSync(options.folder, '');
	recovering.write('{"event":"lost"}\n');
	options.folder = join(folder, 'free');
	recovering.write('{"event":"kept"}\n');
	expect(linesOf(options.folder, 'hearth-2026-01-01.log')).toEqual([
		{ level: 'warn', event: 'log_lines_dropped', count: 1 },
		{ event: 'kept' },
	]);
	recovering.close();
});
