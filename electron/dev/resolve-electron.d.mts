export interface ElectronRuntime {
	executable: string;
	/** The dist folder it lies in. */
	folder: string;
	kind: 'release' | 'fallback' | 'given';
	/** In words, for the owner and for diagnostics. */
	why: string;
}
export function releaseVersion(): string;
export function resolveElectron(say?: (line: string) => void): Promise<ElectronRuntime>;
