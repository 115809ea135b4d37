import { type ServerAccess, ServerId, ToolServerConfig } from '../../../src/domain/tool-server.ts';
import type { Say } from '../../ui/strings.tsx';

/** What the form holds: text as typed. */
export interface ServerDraft {
	readonly kind: 'stdio' | 'http';
	readonly title: string;
	readonly command: string;
	readonly address: string;
	readonly clientId: string;
	readonly values: readonly ValueDraft[];
	readonly folders: readonly FolderDraft[];
	readonly home: ServerAccess['home'];
	readonly network: ServerAccess['network']['kind'];
	readonly hosts: string;
	readonly unsandboxed: boolean;
}

export interface ValueDraft {
	/** Stays while it is typed into. */
	readonly key: number;
	readonly name: string;
	readonly value: string;
	/** There is a value already. */
	readonly stored: boolean;
}

export interface FolderDraft {
	readonly key: number;
	readonly path: string;
	readonly access: 'read' | 'write';
}

export const EMPTY_DRAFT: ServerDraft = {
	kind: 'stdio',
	title: '',
	command: '',
	address: '',
	clientId: '',
	values: [],
	folders: [],
	home: 'hidden',
	network: 'none',
	hosts: '',
	unsandboxed: false,
};

export function draftOf({ title, transport, access }: ToolServerConfig, missing: readonly string[]): ServerDraft {
	const names = transport.kind === 'stdio' ? transport.env : transport.headers;
	return {
		kind: transport.kind,
		title,
		command: transport.kind === 'stdio' ? commandText([transport.command, ...transport.args]) : '',
		address: transport.kind === 'http' ? transport.url : '',
		clientId: (transport.kind === 'http' && transport.clientId) || '',
		values: names.map((name, key) => ({ key, name, value: '', stored: !missing.includes(name) })),
		folders: access.folders.map((folder, key) => ({ ...folder, key })),
		home: access.home,
		network: access.network.kind,
		hosts: access.network.kind === 'hosts' ? access.network.hosts.join(' ') : '',
		unsandboxed: access.unsandboxed,
	};
}

export interface DraftProblems {
	readonly title?: string;
	readonly command?: string;
	readonly address?: string;
	readonly hosts?: string;
	/** By key. */
	readonly values: Readonly<Record<number, { name?: string; value?: string }>>;
	readonly folders: Readonly<Record<number, string>>;
	readonly none: boolean;
}

/** `taken`: ids of others. */
export function problemsOf(say: Say, draft: ServerDraft, taken: readonly string[], own: ServerId | undefined): DraftProblems {
	const id = own ?? idFor(draft.title);
	const title = id === undefined ? say('servers.nameBad') : own === undefined && taken.includes(id) ? say('servers.nameTaken') : undefined;
	const isProgram = draft.kind === 'stdio';
	const command = isProgram ? commandProblem(say, draft.command) : undefined;
	const address = !isProgram && addressOf(draft.address) === undefined ? say('servers.addressBad') : undefined;
	const hosts = isProgram && draft.network === 'hosts' && hostsOf(draft.hosts).length === 0 ? say('servers.hostsBad') : undefined;
	const values = Object.fromEntries(
		draft.values.flatMap(({ key, name, value, stored }) => {
			const fits = isProgram ? /^[A-Za-z_][A-Za-z0-9_]*$/ : /^[A-Za-z0-9-]+$/;
			const wrong = {
				...(!fits.test(name) && { name: say('servers.nameInvalid') }),
				...(value === '' && !stored && { value: say('servers.valueNeeded') }),
			};
			return Object.keys(wrong).length > 0 ? [[key, wrong]] : [];
		}),
	);
	const folders = isProgram
		? Object.fromEntries(
				draft.folders.filter(({ path }) => !/^(\/|[A-Za-z]:\\)./.test(path)).map(({ key }) => [key, say('servers.folderBad')]),
			)
		: {};
	const found = { ...(title && { title }), ...(command && { command }), ...(address && { address }), ...(hosts && { hosts }) };
	const none = Object.keys({ ...found, ...values, ...folders }).length === 0;
	return { ...found, values, folders, none };
}

/** Of a draft without problems. */
export function configOf(draft: ServerDraft, own: ToolServerConfig | undefined): ToolServerConfig {
	const [command = '', ...args] = wordsOf(draft.command);
	const names = draft.values.map(({ name }) => name);
	const clientId = draft.clientId.trim();
	const isProgram = draft.kind === 'stdio';
	return ToolServerConfig.parse({
		id: own?.id ?? idFor(draft.title),
		title: draft.title,
		enabled: own?.enabled ?? true,
		transport: isProgram
			? { kind: 'stdio', command, args, env: names }
			: { kind: 'http', url: addressOf(draft.address), headers: names, ...(clientId !== '' && { clientId }) },
		access: isProgram ? accessOf(draft) : {},
	});
}

export function accessOf(draft: ServerDraft): ServerAccess {
	return {
		folders: draft.folders.map(({ path, access }) => ({ path, access })),
		home: draft.home,
		network: draft.network === 'hosts' ? { kind: 'hosts', hosts: hostsOf(draft.hosts) } : { kind: draft.network },
		unsandboxed: draft.unsandboxed,
	};
}

export function valuesOf(draft: ServerDraft): Record<string, string> {
	return Object.fromEntries(draft.values.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]));
}

/** The short name that its tools carry. */
function idFor(title: string): ServerId | undefined {
	const plain = title
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^a-z0-9]/g, '')
		.replace(/^[0-9]+/, '')
		.slice(0, 24);
	const parsed = ServerId.safeParse(plain);
	return parsed.success ? parsed.data : undefined;
}

export function addressOf(typed: string): string | undefined {
	const url = URL.parse(typed.trim());
	return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

function hostsOf(typed: string): string[] {
	return typed.split(/[\s,]+/).filter((host) => host !== '');
}

/** Words of a command line; blanks within quotation marks belong to one. */
function wordsOf(line: string): string[] {
	return [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

function commandProblem(say: Say, line: string): string | undefined {
	if (/["']/.test(line.replace(/"[^"]*"|'[^']*'/g, ''))) return say('servers.commandOpen');
	return wordsOf(line).length === 0 ? say('servers.commandBad') : undefined;
}

function commandText(words: readonly string[]): string {
	return words.map((word) => (/^[^\s"']+$/.test(word) ? word : word.includes('"') ? `'${word}'` : `"${word}"`)).join(' ');
}
