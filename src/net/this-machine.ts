import type { Socket } from 'node:net';
import { isLoopback, mayConnect } from './destination.ts';

/** Where nobody but this machine can listen, so that a connection may go unprotected. */

/** Going by the name or address as it is written. */
export function namesThisMachine(host: string): boolean {
	return isLoopback(`http://${host.includes(':') ? `[${host}]` : host}/`);
}

/** Going by where the connection leads. */
export function isThisMachine({ remoteAddress = '' }: Socket): boolean {
	return mayConnect(remoteAddress, { ownerNamed: true }) && !mayConnect(remoteAddress, { ownerNamed: true, loopback: false });
}
