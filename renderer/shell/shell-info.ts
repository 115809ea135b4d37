import { useQuery } from '@tanstack/react-query';
import type { ShellInfo } from '../../src/contract/shell.ts';
import { shell } from '../connection/index.ts';

/** What the desktop shell says of itself; undefined in a browser. */
export function useShellInfo(): ShellInfo | undefined {
	return (
		useQuery({ queryKey: ['shell-info'], queryFn: async () => (await shell?.info()) ?? null, enabled: shell !== undefined }).data ??
		undefined
	);
}
