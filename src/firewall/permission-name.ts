import { assertNever } from '../domain/assert-never.ts';
import type { PermissionScope } from '../domain/permission.ts';

/** A scope in one line, for logs. */
export function scopeName(scope: PermissionScope): string {
	switch (scope.kind) {
		case 'workspace':
			return 'workspace/';
		case 'folder':
			return `${scope.path} (${scope.access})`;
		case 'host':
			return `${scope.host}${scope.posts ? ' (sending, too)' : ''}`;
		case 'command':
			return `${scope.pattern}${scope.hosts.length > 0 ? ` (reaching ${scope.hosts.join(', ')})` : ''}`;
		case 'server':
			return `${scope.server} · ${scope.tool ?? 'all tools'}`;
		default:
			return assertNever(scope);
	}
}
