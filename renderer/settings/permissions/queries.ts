import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Permission, PermissionTerms } from '../../../src/domain/permission.ts';
import { call } from '../../connection/index.ts';

export function usePermissions() {
	return useQuery({ queryKey: ['permissions', 'list'], queryFn: () => call((client) => client.permissions.list(), { repeatable: true }) });
}

export function usePolicy() {
	return useQuery({
		queryKey: ['permissions', 'policy'],
		queryFn: () => call((client) => client.permissions.policy(), { repeatable: true }),
	});
}

/** Given, taken back, or one in place of another: that is given before the other ends, so that nothing lies between. */
export function usePermissionChange(done?: () => void) {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: async ({ give, end }: { give?: PermissionTerms; end?: Permission }) => {
			if (give) await call((client) => client.permissions.add({ terms: give }));
			if (end) await call((client) => client.permissions.revoke({ permissionId: end.id }));
		},
		onSuccess: done,
		onSettled: () => queries.invalidateQueries({ queryKey: ['permissions'] }),
	});
}

/** Whether commands run apart from the rest of the machine. It does not change while Hearth runs. */
export function useSandbox() {
	return useQuery({ queryKey: ['sandbox'], queryFn: () => call((client) => client.system.sandbox(), { repeatable: true }) });
}
