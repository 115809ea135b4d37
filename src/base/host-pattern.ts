/**
 * Hosts as an owner names them: `example.com`, `*.example.com`, with a port where it is not the usual one. Names are compared as URLs have
 * them: lower case, punycode, no dot at the end.
 */

interface HostPort {
	readonly name: string;
	/** '' for the usual one of its scheme. */
	readonly port: string;
}

const USUAL: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** `undefined` where it is no host; else as it is kept. A wildcard needs two labels after it: `*.com` names nobody. */
export function normalHostPattern(text: string): string | undefined {
	const { wildcard, rest } = split(text.trim());
	const host = parseHost(rest);
	if (!host) return undefined;
	if (wildcard && (!host.name.includes('.') || /^[\d.]+$/.test(host.name) || host.name.startsWith('['))) return undefined;
	return `${wildcard ? '*.' : ''}${host.name}${host.port === '' ? '' : `:${host.port}`}`;
}

/** Whether the pattern names the host of this http or https address. `*.example.com` does not name `example.com`. */
export function hostMatches(pattern: string, url: URL): boolean {
	const { wildcard, rest } = split(pattern);
	const wanted = parseHost(rest);
	const usual = USUAL[url.protocol];
	if (!wanted || usual === undefined) return false;
	const name = withoutDot(url.hostname);
	if ((url.port === '' ? usual : url.port) !== (wanted.port === '' ? usual : wanted.port)) return false;
	return wildcard ? name.endsWith(`.${wanted.name}`) : name === wanted.name;
}

/** Whether `pattern` names all that `other` names. */
export function patternCovers(pattern: string, other: string): boolean {
	const [all, some] = [normalHostPattern(pattern), normalHostPattern(other)];
	if (all === undefined || some === undefined) return false;
	if (all === some) return true;
	const [{ wildcard, rest }, below] = [split(all), split(some)];
	const [wanted, given] = [parseHost(rest), parseHost(below.rest)];
	return wildcard && wanted !== undefined && given !== undefined && wanted.port === given.port && given.name.endsWith(`.${wanted.name}`);
}

function split(text: string): { wildcard: boolean; rest: string } {
	return text.startsWith('*.') ? { wildcard: true, rest: text.slice(2) } : { wildcard: false, rest: text };
}

function parseHost(text: string): HostPort | undefined {
	if (text === '' || /[\s/\\@?#*]/.test(text)) return undefined;
	// A scheme without a usual port: the port stays as it was given.
	const parsed = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : undefined;
	if (!parsed || parsed.hostname === '') return undefined;
	const port = /:(\d+)$/.exec(text)?.[1] ?? '';
	return { name: withoutDot(parsed.hostname), port: port === '' ? '' : String(Number(port)) };
}

function withoutDot(host: string): string {
	return host.endsWith('.') ? host.slice(0, -1) : host;
}
