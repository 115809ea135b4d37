import type { EmbeddingKind } from './port.ts';

/** What models were trained to find before a text, by their makers' cards; a model that is not here takes texts as they are. */
const PREFIXES: readonly { readonly model: RegExp; readonly query: string; readonly document: string }[] = [
	{ model: /(^|[/_-])nomic-embed/i, query: 'search_query: ', document: 'search_document: ' },
	{ model: /(^|[/_-])e5-/i, query: 'query: ', document: 'passage: ' },
	{
		model: /(^|[/_-])(mxbai-embed|bge-(small|base|large)-en|snowflake-arctic-embed)/i,
		query: 'Represent this sentence for searching relevant passages: ',
		document: '',
	},
];

export function prefixFor(modelId: string, kind: EmbeddingKind): string {
	return PREFIXES.find(({ model }) => model.test(modelId))?.[kind] ?? '';
}
