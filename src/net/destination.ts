import ipaddr from 'ipaddr.js';
import { type HearthError, terminal } from '../domain/errors.ts';
import { type CallPurpose, wordsOf } from './purpose.ts';

/** Where a call may go: the owner's own configuration, never a model's or a page's word. */
export interface AllowedAddress {
	/** http(s) address; the call must have the same scheme, host and port. */
	readonly baseUrl: string;
	/**
	 * The owner wrote this address down: then it may be on this machine or the local network, but never a metadata service of a cloud.
	 * An address that ships with Hearth, or that a model or a page gives, may only be a public one, whatever its name resolves to.
	 */
	readonly ownerNamed: boolean;
	/** False: its name must not lead to this machine although the owner wrote it down, since somebody else says where it leads. */
	readonly loopback?: boolean;
}

/** What a name must not resolve to, also one that the owner wrote down. A link-local address written as such may be a machine at the other end of a cable. */
const DENIED_EVEN_IF_NAMED = new Set(['linkLocal', 'multicast', 'broadcast', 'unspecified', 'reserved']);

/** Metadata services of clouds: they give the keys of the machine to whoever asks, and no model server lives there. */
const METADATA = new Set(
	[
		'169.254.169.254', // AWS, Azure, Google, Oracle, DigitalOcean and most others
		'169.254.170.2', // AWS, keys of a container
		'169.254.170.23', // AWS, keys of a pod
		'169.254.0.23', // Tencent
		'100.100.100.200', // Alibaba
		'168.63.129.16', // Azure, of the host
		'192.0.0.192', // Oracle, classic
		'fd00:ec2::254', // AWS
		'fd00:ec2::23', // AWS, keys of a pod
		'fd20:ce::254', // Google
	].map((address) => ipaddr.process(address).toNormalizedString()),
);

const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::');

/** The parsed URL where the call may be made; throws `network_denied`. */
export function checkDestination(url: string, allow: AllowedAddress, purpose: CallPurpose = 'model_call'): URL {
	const target = parseHttpUrl(url, purpose);
	const base = parseHttpUrl(allow.baseUrl, purpose);
	if (target.origin !== base.origin) throw denied(target.host, 'It is not the address in your settings.', purpose);
	checkWritten(target.hostname, target.host, allow, purpose);
	return target;
}

/**
 * Of an address that is written as a number: whether it may be called. A name is checked where it is looked up. `host`: for the words;
 * throws `network_denied`.
 */
export function checkWritten(hostname: string, host: string, allow: Pick<AllowedAddress, 'ownerNamed'>, purpose: CallPurpose): void {
	const literal = literalAddress(hostname);
	if (!literal) return;
	if (isMetadata(literal)) {
		throw denied(host, `It is the metadata service of a cloud, where ${wordsOf(purpose).server.replace(/^an? /, 'no ')} can be.`, purpose);
	}
	if (!allow.ownerNamed && !isPublic(literal))
		throw denied(host, `It is a private network address.${wordsOf(purpose).unnamed ?? ''}`, purpose);
}

/** Whether a name that resolved to this address may be called. */
export function mayConnect(address: string, allow: Pick<AllowedAddress, 'ownerNamed' | 'loopback'>): boolean {
	if (!ipaddr.isValid(address)) return false;
	const parsed = ipaddr.process(address);
	if (isMetadata(parsed)) return false;
	if (!allow.ownerNamed) return isPublic(parsed);
	const range = rangeOf(parsed);
	return !DENIED_EVEN_IF_NAMED.has(range) && (allow.loopback !== false || range !== 'loopback');
}

/** Whether a host, as an owner names it, with or without a port, is written as the address of a metadata service. */
export function isMetadataHost(host: string): boolean {
	const url = `http://${host}`;
	const literal = URL.canParse(url) ? literalAddress(new URL(url).hostname) : undefined;
	return literal !== undefined && isMetadata(literal);
}

/** Whether what is sent there stays on this machine, going by the written address alone. */
export function isLoopback(url: string): boolean {
	if (!URL.canParse(url)) return false;
	const { hostname } = new URL(url);
	if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
	const literal = literalAddress(hostname);
	return literal !== undefined && (rangeOf(literal) === 'loopback' || rangeOf(literal) === 'unspecified');
}

/** Whether the written address is on this machine or plainly on the local network. */
export function isPrivate(url: string): boolean {
	if (isLoopback(url)) return true;
	if (!URL.canParse(url)) return false;
	const { hostname } = new URL(url);
	const literal = literalAddress(hostname);
	if (literal) return rangeOf(literal) !== 'unicast';
	return !hostname.includes('.') || /\.(local|lan|home|internal|home\.arpa|ts\.net)$/.test(hostname);
}

/** Where a redirect leads, if it stays with the same host: also from http to https, never back. Else throws `network_denied`. */
export function checkRedirect(from: URL, location: string, purpose: CallPurpose = 'model_call'): URL {
	const to = redirectOf(from, location, purpose);
	if (to.origin !== from.origin && !isUpgrade(from, to))
		throw denied(to.host, `${from.host} redirects there. If that is right, use it as the address.`, purpose);
	return to;
}

/** The parsed address that a redirect names; throws `network_denied` where it is none of http or https. */
export function redirectOf(from: URL, location: string, purpose: CallPurpose): URL {
	if (!URL.canParse(location, from.href)) throw denied(from.host, 'It redirects to an address that makes no sense.', purpose);
	return parseHttpUrl(new URL(location, from).href, purpose);
}

/** From http to https of the same host. */
function isUpgrade(from: URL, to: URL): boolean {
	return from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname && from.port === '' && to.port === '';
}

export function denied(host: string, why: string, purpose: CallPurpose): HearthError {
	const { place } = wordsOf(purpose);
	const action = place === undefined ? undefined : `Check the address in ${place}.`;
	return terminal('network_denied', `Hearth did not connect to ${host}. ${why}`, { ...(action !== undefined && { action }) });
}

export function parseHttpUrl(url: string, purpose: CallPurpose): URL {
	if (!URL.canParse(url)) throw denied('that address', 'It is not a valid web address.', purpose);
	const parsed = new URL(url);
	if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
		throw denied('that address', 'Only http and https are allowed.', purpose);
	if (parsed.username !== '' || parsed.password !== '') throw denied(parsed.host, 'The address holds a user name or password.', purpose);
	return parsed;
}

function literalAddress(hostname: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
	const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
	return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** On the internet. Of IPv6 only what is given out to it: behind other ranges may lie an IPv4 address in disguise. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
	if (rangeOf(address) !== 'unicast') return false;
	return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6, 3);
}

function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
	return METADATA.has(address.toNormalizedString());
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
	return address.range();
}
