/**
 * A theme of kinds instead of colours: the stylesheet gives each kind its colour in both themes. The tokeniser takes any
 * text as a colour; tokens of the foreground's have no kind.
 */
const KINDS: Record<string, string[]> = {
	comment: ['comment', 'punctuation.definition.comment', 'string.comment'],
	string: ['string', 'constant.other.symbol', 'punctuation.definition.string', 'markup.inline.raw', 'string.regexp'],
	number: ['constant', 'constant.numeric', 'constant.language', 'variable.language', 'support.constant'],
	keyword: [
		'keyword',
		'storage',
		'storage.type',
		'storage.modifier',
		'keyword.operator.new',
		'keyword.operator.expression',
		'entity.name.tag',
		'punctuation.definition.heading.markdown',
	],
	function: [
		'entity.name.function',
		'support.function',
		'meta.function-call.generic',
		'variable.function',
		'markup.heading',
		'entity.name.section',
	],
	type: [
		'entity.name.type',
		'entity.name.class',
		'support.type',
		'support.class',
		'entity.other.inherited-class',
		'entity.other.attribute-name',
		'support.type.property-name',
	],
	inserted: ['markup.inserted', 'punctuation.definition.inserted'],
	deleted: ['markup.deleted', 'punctuation.definition.deleted'],
	plain: ['keyword.operator', 'meta.embedded', 'meta.template.expression', 'string meta.embedded', 'string.other.link'],
};

export const kindTheme = {
	name: 'kinds',
	type: 'light' as const,
	fg: 'kind:plain',
	bg: 'kind:none',
	settings: Object.entries(KINDS).map(([kind, scope]) => ({ scope, settings: { foreground: `kind:${kind}` } })),
};
