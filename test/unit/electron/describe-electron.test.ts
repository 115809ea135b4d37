import { expect, test } from 'vitest';
import { chooseHostMode, describeElectron, RELEASE_ELECTRON } from '../../../electron/main/describe-electron.ts';

test('it is said which Electron is in use', () => {
	expect(describeElectron({ version: RELEASE_ELECTRON, packaged: true })).toContain('the release Hearth ships on');
	expect(describeElectron({ version: '33.2.1', packaged: true })).toContain('for development and tests');
	expect(describeElectron({ version: '33.2.1', packaged: false, why: 'Electron 33.2.1, because …' })).toBe('Electron 33.2.1, because …');
	expect(describeElectron({ version: '33.2.1', packaged: false })).toBe('Electron 33.2.1, started by hand');
});

test('the runtime is a utility process where this Electron can load the driver, else a plain child; or what was asked', () => {
	expect(chooseHostMode(undefined, '10', false)).toBe('utility-process');
	expect(chooseHostMode(undefined, '9', false)).toBe('child-process');
	expect(chooseHostMode(undefined, undefined, false)).toBe('child-process');
	expect(chooseHostMode('child-process', '10', false)).toBe('child-process');
	// Asked for, but it would crash on the driver: only a test that brings its own may have it.
	expect(chooseHostMode('utility-process', '9', false)).toBe('child-process');
	expect(chooseHostMode('utility-process', '9', true)).toBe('utility-process');
});
