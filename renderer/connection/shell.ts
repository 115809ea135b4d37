import type { ShellApi } from '../../src/contract/shell.ts';

declare global {
	interface Window {
		/** What the preload script offers; absent in a browser. */
		readonly hearthShell?: ShellApi;
	}
}

/** The desktop shell around this window, or undefined in a browser. */
export const shell: ShellApi | undefined = typeof window === 'undefined' ? undefined : window.hearthShell;
