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

/** HTML in a reply is parsed and sanitised before formulas are drawn: what a formula becomes is ours, what it is made from is not. */
export const rehypePlugins: Plugins = [
	part(defaultRehypePlugins, 'raw'),
	sanitise(),
	[rehypeKatex, { output: 'mathml', strict: 'ignore', trust: false, maxExpand: 500, maxSize: 40 }],
];
