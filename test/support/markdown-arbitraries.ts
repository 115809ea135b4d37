import fc from 'fast-check';

const pieces = fc.constantFrom(
	...['- ', '* ', '+ ', '1. ', '23) ', '> ', '# ', '## ', '```', '~~~', '  ', '    ', '\t', 'a', 'b c', '|', '| a | b |', '|---|---|'],
	...['---', '===', '***', '<!-- c -->', '<!--', '-->', '<div>', '</div>', '[x]: y', '[x] ', '\\', '`', '1', '-', ' ', ':-', '<b>', '&'],
	...['\u0000', '\uFEFF', '\u00A0', '\u2028', '😀', '\uD800', 'שלום', '語', '\n', '\r', '\r\n'],
);

/** Anything that can go wrong in a Markdown file, cut into lines of any kind. */
export const hostileMarkdown = fc
	.array(
		fc.array(pieces, { maxLength: 4 }).map((parts) => parts.join('')),
		{ maxLength: 9 },
	)
	.chain((lines) => fc.constantFrom('\n', '\r\n', '\r').map((eol) => lines.join(eol)));

const words = fc.constantFrom(
	'a',
	'b c',
	'| a | b |',
	'|---|---|',
	'# h',
	'===',
	'---',
	'<div>x',
	'<!-- c -->',
	'[x]: y\n',
	'[x] t',
	'\\- e',
	'',
);
const markedLine = fc
	.tuple(fc.constantFrom('', ' ', '  ', '   '), fc.array(fc.constantFrom('- ', '* ', '1. ', '+ ', '> '), { maxLength: 2 }), words)
	.map(([indent, markers, text]) => (text === '' ? indent : indent + markers.join('') + text));
const wholeBlock = fc
	.constantFrom(
		...['``` js\n- code\n```', '~~~\n# a\n\n~~~', 'c\nd\n===', '    indented', '    code\n\n    more'],
		...['| a |\n|:-|\n| b |', '<!-- a\n- b\n\nc -->', '<div>\n- a\n\n'],
	)
	.map((block) => `\np\n\n${block}`);

/** Markdown on which all readers agree: no empty markers behind paragraphs, no fence left open in a container. */
export const agreedMarkdown = fc
	.array(fc.oneof({ weight: 4, arbitrary: markedLine }, { weight: 1, arbitrary: wholeBlock }), { maxLength: 8 })
	.chain((lines) => fc.constantFrom('\n', '\r\n').map((eol) => `start\n\n${lines.join('\n')}`.replaceAll('\n', eol)));
