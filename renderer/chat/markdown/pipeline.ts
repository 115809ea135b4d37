import rehypeKatex from 'rehype-katex';
import remarkMath from 'remark-math';
import { defaultRehypePlugins, defaultRemarkPlugins, type StreamdownProps } from 'streamdown';

type Plugins = NonNullable<StreamdownProps['rehypePlugins']>;
type Plugin = Plugins[number];

function part(plugins: Record<string, Plugin>, name: string): Plugin {
	const plugin = plugins[name];
	if (!plugin) throw new Error(`The Markdown library no longer has its "${name}" part.`);
	return plugin;
}

/** The library's sanitising schema, with the class names by which the formula plugin finds its places. */
function sanitise(): Plugin {
	const [plugin, schema] = part(defaultRehypePlugins, 'sanitize') as [Plugin, { attributes: Record<string, unknown[]> }];
	const code = schema.attributes.code ?? [];
	return [
		plugin,
		{
			...schema,
			attributes: { ...schema.attributes, code: [...code, ['className', /^language-./, 'math-inline', 'math-display']] },
			// Only addresses that a click can open after a question; anything else loses its target.
			protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
		},
	] as Plugin;
}

export const remarkPlugins: Plugins = [
	part(defaultRemarkPlugins, 'gfm'),
	part(defaultRemarkPlugins, 'codeMeta'),
	[remarkMath, { singleDollarTextMath: false }],
];

const html = part(defaultRehypePlugins, 'raw');
const clean = sanitise();
const formulas: Plugin = [rehypeKatex, { output: 'mathml', strict: 'ignore', trust: false, maxExpand: 500, maxSize: 40 }];

/**
 * HTML in a reply is parsed and sanitised before formulas are drawn: what a formula becomes is ours, what it is made from is
 * not. What a text cannot hold is left out, because every step goes over the whole growing block for every piece of a
 * stream: without `<` nothing is HTML, without `$` nothing a formula. Always the same lists, so that finished blocks do not
 * render again.
 */
export function rehypePluginsFor(markdown: string): Plugins {
	return markdown.includes('<') ? (markdown.includes('$') ? ALL : HTML) : markdown.includes('$') ? FORMULAS : PLAIN;
}
const PLAIN: Plugins = [clean];
const HTML: Plugins = [html, clean];
const FORMULAS: Plugins = [clean, formulas];
const ALL: Plugins = [html, clean, formulas];
