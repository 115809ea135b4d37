import { parseJson } from '../domain/json.ts';
import { SHORTEST_SECRET } from './known-secrets.ts';

/** Values that are secret by the name they stand under: in the environment, in config.json, in policy.yaml. Pure. */

const SECRET_WORDS = new Set([
	'token',
	'tokens',
	'secret',
	'secrets',
	'password',
	'passwd',
	'passphrase',
	'pwd',
	'credential',
	'credentials',
	'apikey',
	'authorization',
	'auth',
	'cookie',
	'bearer',
]);
/** A key, of whom; a key of a keyboard is none. */
const KEY_OF = new Set([
	'api',
	'access',
	'secret',
	'private',
	'auth',
	'account',
	'encryption',
	'signing',
	'master',
	'service',
	'client',
	'app',
]);
/** `secretName`, `token_url`: not the secret itself. */
const ABOUT = new Set([
	'name',
	'names',
	'file',
	'path',
	'dir',
	'url',
	'uri',
	'type',
	'kind',
	'id',
	'sock',
	'socket',
	'store',
	'method',
	'expiry',
	'ttl',
	'limit',
	'count',
]);
/** Of a shell: where it is, and was. */
const FOLDERS = new Set(['PWD', 'OLDPWD', 'INIT_CWD']);

export function isSecretName(name: string): boolean {
	if (FOLDERS.has(name)) return false;
	const words = name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== '');
	if (ABOUT.has(words.at(-1) ?? '')) return false;
	return words.some(
		(word, at) =>
			SECRET_WORDS.has(word) || (word === 'key' && (words.length === 1 || KEY_OF.has(words[at - 1] ?? '') || name === name.toUpperCase())),
	);
}

/** Values of variables with such a name, and passwords within addresses. */
export function secretsOfEnvironment(environment: Readonly<Record<string, string | undefined>>): string[] {
	return Object.entries(environment).flatMap(([name, value = '']) => [
		...(isSecretName(name) && isValue(value) ? [value] : []),
		...passwordsIn(value),
	]);
}

/** Of a file in JSON, or in lines of `name: value`, also where it can't be read as that. */
export function secretsOfSettings(text: string): string[] {
	const json = parseJson(text);
	if (json !== undefined) return secretsIn(json, false);
	return text.split('\n').flatMap((line) => {
		const [, name = '', value = ''] =
			/^\s{0,80}(?:- )?["']?([\w.-]{1,80})["']?\s{0,8}:\s{1,8}["']?([^"'\n]{1,2000}?)["']?,?\s{0,8}$/.exec(line) ?? [];
		return [...(isSecretName(name) && isValue(value) ? [value] : []), ...passwordsIn(line)];
	});
}

function secretsIn(value: unknown, named: boolean): string[] {
	if (typeof value === 'string') return [...(named && isValue(value) ? [value] : []), ...passwordsIn(value)];
	if (Array.isArray(value)) return value.flatMap((each) => secretsIn(each, named));
	if (value === null || typeof value !== 'object') return [];
	return Object.entries(value).flatMap(([name, each]) => secretsIn(each, named || isSecretName(name)));
}

function passwordsIn(value: string): string[] {
	return [...value.matchAll(/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,80}:([^\s/@]{1,400})@/gi)].flatMap(([, password = '']) =>
		isValue(password) ? [password, decoded(password)] : [],
	);
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

const PLACE =
	/^(?:~|\.{0,2})\/(?:home|Users|usr|tmp|var|run|etc|opt|mnt|root|nix|private|Library|Applications)?\b[^\s]*\/|^[A-Za-z]:\\|^(?:unix|file):/;
/** One word of a language says how something is done, not what the secret is. */
const WORD = /^[a-z]{1,12}$/;

function isValue(value: string): boolean {
	return (
		value.length >= SHORTEST_SECRET &&
		!/^[\d.,]+$/.test(value) &&
		!PLACE.test(value) &&
		!WORD.test(value) &&
		!/^[a-z][a-z0-9+.-]*:\/\/[^\s:@]*$/i.test(value)
	);
}
