import type { ErrorCode } from '../domain/errors.ts';
import type { RunId, SessionId } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';

/** What a call is for, in the audit's words. */
export type CallPurpose =
	| 'model_call'
	| 'model_list'
	| 'detection'
	| 'embedding'
	| 'page'
	| 'robots'
	| 'search'
	/** Something that background work reads. */
	| 'source'
	| 'webhook'
	| 'mail'
	/** A tool server, and the sign-in to one. */
	| 'mcp'
	| 'mcp_auth'
	/** A program in the sandbox, through the filtering proxy. */
	| 'command';

/** Which call of a tool it was made for. */
export interface CallOrigin {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly step: number;
	readonly callId?: string;
	readonly tool: string;
	/** The join over what the step could see. */
	readonly label: Label;
}

/** The codes and words of what can go wrong: an error of a page does not speak of models. */
export interface CallWords {
	readonly codes: Readonly<Record<'unreachable' | 'cut' | 'timeout' | 'bad', ErrorCode>>;
	/** Where the owner changes the address; undefined where it stands in no settings. */
	readonly place?: string;
	/** What is at the other end. */
	readonly server: string;
	/** How the owner can let a private address be reached, where no settings name it. */
	readonly unnamed?: string;
}

const MODEL_CODES = {
	unreachable: 'model_unreachable',
	cut: 'model_stream_cut',
	timeout: 'model_timeout',
	bad: 'model_bad_response',
} as const;
const NETWORK_CODES = {
	unreachable: 'network_unreachable',
	cut: 'network_cut',
	timeout: 'network_timeout',
	bad: 'network_bad_response',
} as const;

const MODEL: CallWords = { codes: MODEL_CODES, place: 'Settings, Models', server: 'a model server' };
const OUTGOING: Pick<CallWords, 'codes' | 'place'> = { codes: NETWORK_CODES, place: 'Settings, Web and messages' };
const SERVERS: CallWords = { codes: NETWORK_CODES, place: 'Settings, Tool servers', server: 'a tool server' };
const WEB: CallWords = {
	codes: NETWORK_CODES,
	server: 'a web page',
	unnamed: ' Only a permission that names this very host lets it be reached.',
};

const WORDS: Readonly<Record<CallPurpose, CallWords>> = {
	model_call: MODEL,
	model_list: MODEL,
	detection: MODEL,
	embedding: MODEL,
	page: WEB,
	robots: WEB,
	search: { ...OUTGOING, server: 'a search provider' },
	source: { codes: NETWORK_CODES, place: 'Settings, Sources', server: 'a source' },
	webhook: { ...OUTGOING, server: 'a webhook' },
	mail: { ...OUTGOING, server: 'a mail server' },
	mcp: SERVERS,
	mcp_auth: SERVERS,
	command: { ...WEB, server: 'a server' },
};

export function wordsOf(purpose: CallPurpose): CallWords {
	return WORDS[purpose];
}
