/// <reference lib="webworker" />
import { createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { type HighlightReply, type HighlightRequest, type Language, type Line, MAX_LINE, type Token } from './highlight.ts';
import { kindTheme } from './highlight-theme.ts';

type LanguageModule = { default: Parameters<HighlighterCore['loadLanguage']>[0] };

/** Each language is a file of its own, loaded when a block first needs it. */
const LOAD: Record<Language, () => Promise<LanguageModule>> = {
	bash: () => import('shiki/langs/bash.mjs'),
	c: () => import('shiki/langs/c.mjs'),
	cpp: () => import('shiki/langs/cpp.mjs'),
	csharp: () => import('shiki/langs/csharp.mjs'),
	css: () => import('shiki/langs/css.mjs'),
	diff: () => import('shiki/langs/diff.mjs'),
	docker: () => import('shiki/langs/docker.mjs'),
	go: () => import('shiki/langs/go.mjs'),
	graphql: () => import('shiki/langs/graphql.mjs'),
	html: () => import('shiki/langs/html.mjs'),
	ini: () => import('shiki/langs/ini.mjs'),
	java: () => import('shiki/langs/java.mjs'),
	javascript: () => import('shiki/langs/javascript.mjs'),
	json: () => import('shiki/langs/json.mjs'),
	jsx: () => import('shiki/langs/jsx.mjs'),
	kotlin: () => import('shiki/langs/kotlin.mjs'),
	lua: () => import('shiki/langs/lua.mjs'),
	make: () => import('shiki/langs/make.mjs'),
	markdown: () => import('shiki/langs/markdown.mjs'),
	php: () => import('shiki/langs/php.mjs'),
	powershell: () => import('shiki/langs/powershell.mjs'),
	python: () => import('shiki/langs/python.mjs'),
	r: () => import('shiki/langs/r.mjs'),
	ruby: () => import('shiki/langs/ruby.mjs'),
	rust: () => import('shiki/langs/rust.mjs'),
	scss: () => import('shiki/langs/scss.mjs'),
	sql: () => import('shiki/langs/sql.mjs'),
	swift: () => import('shiki/langs/swift.mjs'),
	toml: () => import('shiki/langs/toml.mjs'),
	tsx: () => import('shiki/langs/tsx.mjs'),
	typescript: () => import('shiki/langs/typescript.mjs'),
	xml: () => import('shiki/langs/xml.mjs'),
	yaml: () => import('shiki/langs/yaml.mjs'),
};

const scope = self as unknown as DedicatedWorkerGlobalScope;
const highlighter = createHighlighterCore({ themes: [kindTheme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });

async function tokenise({ code, language }: HighlightRequest): Promise<Line[]> {
	const core = await highlighter;
	const name = language as Language;
	if (!core.getLoadedLanguages().includes(name)) await core.loadLanguage((await LOAD[name]()).default);
	const { tokens } = core.codeToTokens(code, {
		lang: name,
		theme: kindTheme.name,
		tokenizeMaxLineLength: MAX_LINE,
		tokenizeTimeLimit: 2_000,
	});
	return tokens.map((line) => line.map((token): Token => [token.content, kindOf(token.color)]));
}

function kindOf(color: string | undefined): string | null {
	const kind = color?.toLowerCase().replace('kind:', '');
	return !kind || kind === 'plain' ? null : kind;
}

scope.addEventListener('message', (event: MessageEvent<HighlightRequest>) => {
	const reply = (lines: Line[] | null): void => scope.postMessage({ id: event.data.id, lines } satisfies HighlightReply);
	tokenise(event.data).then(reply, () => reply(null));
});
