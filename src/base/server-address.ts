/** Addresses of model servers as people write them: with a slash at the end, without `/v1`, with `/api` pasted along. */

/** The address of an Ollama server, to which `/api/…` is added. */
export function ollamaBase(url: string): string {
	return withoutSlash(url).replace(/\/(api|v1)$/, '');
}

/** The address of a server that speaks OpenAI's API, to which `/embeddings` and the like are added. */
export function openaiBase(url: string): string {
	const base = withoutSlash(url);
	return URL.canParse(base) && new URL(base).pathname === '/' ? `${base}/v1` : base;
}

function withoutSlash(url: string): string {
	return url.replace(/\/+$/, '');
}
