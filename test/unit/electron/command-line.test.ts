import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readCommandLine, wordsForProfile } from '../../../electron/main/command-line.ts';

test('the home is what was said last: --home, then HEARTH_HOME, then ~/.hearth', () => {
	expect(readCommandLine([], {})).toEqual({ home: path.join(os.homedir(), '.hearth'), profile: 'default' });
	expect(readCommandLine(['.'], { HEARTH_HOME: '/srv/h' }).home).toBe('/srv/h');
	expect(readCommandLine(['.', '--home', '/a', '--home=/b'], { HEARTH_HOME: '/srv/h' }).home).toBe('/b');
});

test('a profile that can’t be is reported, never used as a path', () => {
	expect(readCommandLine(['--profile', 'work'], {}).profile).toBe('work');
	expect(readCommandLine(['--profile=../x'], {})).toMatchObject({ profile: 'default', badProfile: '../x' });
	expect(readCommandLine(['--profile', ''], {})).toMatchObject({ badProfile: '' });
});

test('starting again with another profile keeps the other words', () => {
	expect(wordsForProfile(['--no-sandbox', '.', '--profile', 'a', '--hidden', '--home=/h', '--profile=b'], 'c')).toEqual([
		'--no-sandbox',
		'.',
		'--home=/h',
		'--profile',
		'c',
	]);
});
