import { terminal } from '../domain/errors.ts';
import type { TouchOf } from '../domain/sink.ts';
import { type AllowedAddress, denied, isPrivate, parseHttpUrl } from './destination.ts';
import type { CallPurpose } from './purpose.ts';

/** How the owner named a host: in a permission, in the message that is being answered, or with the yes to the very call. */
export type NamedBy = 'permission' | 'message' | 'approval';

/** Longest address that is called: longer ones carry something out rather than ask for something. */
const LONGEST_URL = 2_000;

/** Ports where something listens that takes commands in plain lines, so that a page could be used to give it some: the browsers' list … */
const BROWSERS_BAD_PORTS = [
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
	119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
	989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];
/** … and databases, caches and the like: MS SQL, Oracle, ZooKeeper, Docker, MySQL, PostgreSQL, CouchDB's cluster, Redis, Cassandra, memcached, MongoDB. */
const MORE_BAD_PORTS = [0, 1433, 1521, 2181, 2375, 2376, 3306, 4369, 5432, 6379, 6380, 9042, 11211, 27017];
const BAD_PORTS = new Set([...BROWSERS_BAD_PORTS, ...MORE_BAD_PORTS].map(String));

/**
 * The address of a page that a model, a page or a redirect wrote, as it will be called: http or https, no credentials, no fragment, the host
 * as the network sees it (small letters, punycode, numbers as addresses, no dot at the end). Throws `network_denied` or `invalid_input`.
 */
export function pageAddress(written: string, purpose: CallPurpose = 'page'): URL {
	if (written.length > LONGEST_URL)
		throw terminal('invalid_input', `The address is longer than ${LONGEST_URL.toLocaleString('en')} characters.`);
	const url = parseHttpUrl(written.trim(), purpose);
	if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.$/, '');
	const { hostname } = url;
	if (hostname === '' || hostname.startsWith('.') || hostname.endsWith('.') || hostname.includes('..'))
		throw denied('that address', 'Its host is not a valid name.', purpose);
	if (BAD_PORTS.has(url.port)) throw denied(url.host, `Port ${url.port} is not one of web pages.`, purpose);
	url.hash = '';
	return url;
}

/** What a call there touches. */
export function networkTouch(url: URL, method: 'GET' | 'POST' = 'GET'): TouchOf<'network'> {
	return { sink: 'network', url: url.href, host: url.host, method };
}

/**
 * How far a name may lead. A public address always; one of this machine or the local network only where the owner named this very host and it
 * is plainly written as such (`localhost`, `192.168.1.2`, `nas`, `nas.local`). A name of the internet that a permission names may lead to the
 * local network, as those of companies do, but not to this machine: who owns the name says where it leads.
 */
export function reachOf(url: URL, namedBy: NamedBy | undefined): AllowedAddress {
	const baseUrl = url.origin;
	if (namedBy === undefined) return { baseUrl, ownerNamed: false };
	if (isPrivate(url.href)) return { baseUrl, ownerNamed: true };
	return namedBy === 'permission' ? { baseUrl, ownerNamed: true, loopback: false } : { baseUrl, ownerNamed: false };
}
