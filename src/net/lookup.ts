import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AllowedAddress, mayConnect } from './destination.ts';

/** Code of the error of a name that leads only to addresses that may not be called. */
export const DENIED_CODE = 'HEARTH_DENIED';

export interface FoundAddress {
	readonly address: string;
	readonly family: number;
}

/** Looks up all addresses of a name: the system's `dns.lookup`, or one that a test scripts. */
export type Lookup = (
	hostname: string,
	options: { all: true; family?: number | 'IPv4' | 'IPv6'; hints?: number },
	done: (error: NodeJS.ErrnoException | null, addresses: readonly FoundAddress[]) => void,
) => void;

/**
 * Looks a name up and lets through only addresses that may be called: a name may resolve to anything. What it hands over is what is connected
 * to, so that nothing can change between the check and the connection (no rebinding). Not called for literal addresses.
 */
export function guardedLookup(allow: Pick<AllowedAddress, 'ownerNamed' | 'loopback'>, lookup: Lookup = asLookup): LookupFunction {
	return (hostname, options, callback) => {
		lookup(hostname, { family: options.family, hints: options.hints, all: true }, (error, addresses) => {
			if (error) return callback(error, '', 0);
			const usable = addresses.filter(({ address }) => mayConnect(address, allow));
			const first = usable[0];
			if (!first) {
				const refusal = Object.assign(new Error('address not allowed'), { code: DENIED_CODE });
				return callback(refusal, '', 0);
			}
			if (options.all) return callback(null, [...usable]);
			return callback(null, first.address, first.family);
		});
	};
}

const asLookup: Lookup = (hostname, options, done) => systemLookup(hostname, options, done);
