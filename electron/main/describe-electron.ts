import manifest from '../../package.json' with { type: 'json' };
import type { HostMode } from '../host-protocol.ts';

/** The Electron that releases are made with. */
export const RELEASE_ELECTRON: string = manifest.devDependencies.electron;
export const HEARTH_VERSION: string = manifest.version;

/** Which Electron is in use and why, in words. `why` is what `npm start` found out; a package knows it by itself. Pure. */
export function describeElectron(found: { version: string; packaged: boolean; why?: string | undefined }): string {
	if (found.packaged) {
		return found.version === RELEASE_ELECTRON
			? `Electron ${found.version}, the release Hearth ships on`
			: `Electron ${found.version} instead of ${RELEASE_ELECTRON}: a package for development and tests`;
	}
	return found.why ?? `Electron ${found.version}, started by hand`;
}

/** The database driver's prebuild needs Node-API 10; an Electron with less crashes on it. Pure. */
function canLoadDriver(napi: string | undefined): boolean {
	return Number(napi ?? 0) >= 10;
}

/**
 * A utility process where this Electron can load the database driver, else a plain Node child; or what was asked for with
 * `--host-mode`, where that can work. `ownEntry`: a test's runtime, which brings a driver that this Electron
 * can load. Pure.
 */
export function chooseHostMode(asked: string | undefined, napi: string | undefined, ownEntry: boolean): HostMode {
	if (asked === 'child-process') return 'child-process';
	if (canLoadDriver(napi)) return 'utility-process';
	return asked === 'utility-process' && ownEntry ? 'utility-process' : 'child-process';
}
