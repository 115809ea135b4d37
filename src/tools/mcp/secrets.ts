import { needsOwner } from '../../domain/errors.ts';
import type { SecretReader } from '../../domain/secret-port.ts';
import type { ServerId, ToolServerConfig } from '../../domain/tool-server.ts';

/** Names of what is secret of a server, as it lies in the secret store (S3). */

export function environmentSecret(server: ServerId, name: string): string {
	return `server:${server}:env:${name}`;
}

export function headerSecret(server: ServerId, name: string): string {
	return `server:${server}:header:${name.toLowerCase()}`;
}

/** What a sign-in gave: tokens, and how Hearth is registered there. */
export function signInSecret(server: ServerId): string {
	return `server:${server}:sign-in`;
}

/** All that may lie there of a server as it is configured. */
export function secretsOf({ id, transport }: Pick<ToolServerConfig, 'id' | 'transport'>): string[] {
	if (transport.kind === 'stdio') return transport.env.map((name) => environmentSecret(id, name));
	return [...transport.headers.map((name) => headerSecret(id, name)), signInSecret(id)];
}

/** The server that a secret belongs to, where it is one of a server. */
export function serverOfSecret(name: string): string | undefined {
	return /^server:([^:]+):/.exec(name)?.[1];
}

/** Values by name. Rejects where one is not there, and with the store's own errors. */
export async function readValues(
	secrets: SecretReader,
	names: readonly string[],
	secretOf: (name: string) => string,
): Promise<Record<string, string>> {
	const values: Record<string, string> = {};
	for (const name of names) {
		const value = await secrets.get(secretOf(name));
		if (value === undefined) {
			throw needsOwner('server_not_set_up', `The value of ${name} is not stored.`, {
				action: 'Enter it in Settings, Tool servers.',
			});
		}
		values[name] = value;
	}
	return values;
}
