/** One token: its text and the kind that names its colour (`hl-keyword` …), null for plain text. */
export type Token = readonly [string, string | null];
export type Line = readonly Token[];
export interface HighlightRequest {
	id: number;
	code: string;
	language: string;
}
export interface HighlightReply {
	id: number;
	lines: Line[] | null;
}

/** Characters; a longer block stays uncoloured. */
export const MAX_CODE = 60_000;
/** Characters of one line; beyond it a line is minified data, not something to read by colour. */
export const MAX_LINE = 2_000;

const NAMES = {
	bash: 'Shell',
	c: 'C',
	cpp: 'C++',
	csharp: 'C#',
	css: 'CSS',
	diff: 'Diff',
	docker: 'Dockerfile',
	go: 'Go',
	graphql: 'GraphQL',
	html: 'HTML',
	ini: 'INI',
	java: 'Java',
	javascript: 'JavaScript',
	json: 'JSON',
	jsx: 'JSX',
	kotlin: 'Kotlin',
	lua: 'Lua',
	make: 'Makefile',
	markdown: 'Markdown',
	php: 'PHP',
	powershell: 'PowerShell',
	python: 'Python',
	r: 'R',
	ruby: 'Ruby',
	rust: 'Rust',
	scss: 'SCSS',
	sql: 'SQL',
	swift: 'Swift',
	toml: 'TOML',
	tsx: 'TSX',
	typescript: 'TypeScript',
	xml: 'XML',
	yaml: 'YAML',
} as const;
export type Language = keyof typeof NAMES;

const ALIASES: Record<string, Language> = {
	'c#': 'csharp',
	'c++': 'cpp',
	console: 'bash',
	cs: 'csharp',
	dockerfile: 'docker',
	golang: 'go',
	h: 'c',
	hpp: 'cpp',
	js: 'javascript',
	jsonc: 'json',
	kt: 'kotlin',
	makefile: 'make',
	md: 'markdown',
	mjs: 'javascript',
	ps1: 'powershell',
	py: 'python',
	rb: 'ruby',
	rs: 'rust',
	sh: 'bash',
	shell: 'bash',
	shellscript: 'bash',
	svg: 'xml',
	ts: 'typescript',
	yml: 'yaml',
	zsh: 'bash',
};

export function languageOf(name: string): Language | undefined {
	return name in NAMES ? (name as Language) : ALIASES[name];
}

export function languageName(name: string): string | undefined {
	const language = languageOf(name);
	return language && NAMES[language];
}

let worker: Worker | undefined;
let nextId = 0;
const waiting = new Map<number, { resolve: (lines: Line[] | null) => void; reject: (error: Error) => void }>();
/** Blocks that were coloured lately: a row that scrolls back in shows its colours at once. */
const cache = new Map<string, Line[]>();
const CACHED = 200;

function start(): Worker {
	const made = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module', name: 'highlight' });
	made.addEventListener('message', (event: MessageEvent<HighlightReply>) => {
		waiting.get(event.data.id)?.resolve(event.data.lines);
		waiting.delete(event.data.id);
	});
	made.addEventListener('error', () => {
		for (const { reject } of waiting.values()) reject(new Error('The highlighter could not start.'));
		waiting.clear();
	});
	return made;
}

/** The code's lines as tokens, or null where it is left plain. Rejects where the worker can't run. */
export async function highlight(code: string, name: string): Promise<Line[] | null> {
	const language = languageOf(name);
	if (!language || code.length > MAX_CODE) return null;
	const key = `${language}\n${code}`;
	const known = cache.get(key);
	if (known) return known;
	worker ??= start();
	const id = ++nextId;
	const request: HighlightRequest = { id, code, language };
	const lines = await new Promise<Line[] | null>((resolve, reject) => {
		waiting.set(id, { resolve, reject });
		worker?.postMessage(request);
	});
	if (lines) {
		cache.set(key, lines);
		if (cache.size > CACHED) cache.delete(cache.keys().next().value ?? '');
	}
	return lines;
}
