import { Children, type ComponentProps, createElement, type JSX, type ReactElement, type ReactNode } from 'react';
import { type ExtraProps, type StreamdownProps, useIsCodeFenceIncomplete } from 'streamdown';
import { plainMailLink } from '../../../src/contract/mail-link.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';
import { askToOpen } from '../open-link.tsx';
import { withPaths } from '../paths.tsx';
import { CodeBlock } from './code-block.tsx';
import { Diagram } from './diagram.tsx';

type Tag = keyof JSX.IntrinsicElements;
type Props<T extends Tag> = ComponentProps<T> & ExtraProps;

type Render<T extends Tag> = (props: Props<T>) => ReactElement;

/** The words of a block itself; those within other elements are theirs. */
function ownWords(children: ReactNode): ReactNode {
	if (typeof children === 'string') return withPaths(children);
	return Array.isArray(children)
		? Children.map(children as ReactNode[], (child) => (typeof child === 'string' ? withPaths(child) : child))
		: children;
}

/** A block whose direction follows its own first strong letter (chat-5). */
const block =
	<T extends Tag>(tag: T): Render<T> =>
	({ node: _node, className: _className, style: _style, children, ...rest }) =>
		createElement(tag, { ...rest, dir: 'auto' }, ownWords(children));

/** An element as it is, without the library's class names. */
const plain =
	<T extends Tag>(tag: T): Render<T> =>
	({ node: _node, className: _className, style: _style, ...rest }) =>
		createElement(tag, rest);

/** A cell keeps the side that the table's author chose for its column. */
const cell =
	<T extends 'th' | 'td'>(tag: T): Render<T> =>
	({ children, style }) =>
		createElement(tag, { dir: 'auto', style: style?.textAlign ? { textAlign: style.textAlign } : undefined }, ownWords(children));

/** Bullets, or boxes to tick. */
function List({ node: _node, className, children }: Props<'ul'>) {
	return (
		<ul dir="auto" className={className?.includes('contains-task-list') ? 'tasks' : undefined}>
			{children}
		</ul>
	);
}

function Link({ href, children }: Props<'a'>) {
	const address = typeof href === 'string' ? href : '';
	// The responder's own links to a place in a chat stay inside the window.
	if (/^#\/chat\/[\w/-]+$/.test(address)) return <a href={address}>{children}</a>;
	if (!/^https?:/i.test(address) && !plainMailLink(address)) return <span>{children}</span>;
	return (
		<a
			href={address}
			rel="noreferrer noopener"
			onClick={(event) => {
				event.preventDefault();
				askToOpen(address);
			}}
			onAuxClick={(event) => event.preventDefault()}
		>
			{children}
		</a>
	);
}

/** Remote content is never loaded (S4): the image's words and its address stand for it. */
function RemoteImage({ alt, src }: Props<'img'>) {
	const say = useSay();
	const address = typeof src === 'string' ? src : '';
	return (
		<span className="image-off">
			<Icon name="file" />
			{alt ? `${say('image.off')}: ${alt}` : say('image.off')}
			{/^https?:/i.test(address) ? (
				<button type="button" className="lnk" onClick={() => askToOpen(address)}>
					{say('link.open')}
				</button>
			) : null}
		</span>
	);
}

function Table({ children }: Props<'table'>) {
	const say = useSay();
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page must be scrollable by keyboard
		<section className="table-scroll" aria-label={say('table.label')} tabIndex={0}>
			<table>{children}</table>
		</section>
	);
}

function TaskBox({ checked }: Props<'input'>) {
	return (
		<span className="task-box" role="img" aria-label={checked ? '☑' : '☐'}>
			<Icon name={checked ? 'check' : 'stop'} />
		</span>
	);
}

function textOf(children: ReactNode): string {
	if (typeof children === 'string') return children;
	if (Array.isArray(children)) return children.map(textOf).join('');
	return '';
}

/** `data-block` marks a fenced block; everything else is code within a line, always left to right (chat-5). */
function Code({ className, children, ...rest }: Props<'code'> & { 'data-block'?: string }) {
	const incomplete = useIsCodeFenceIncomplete();
	if (!('data-block' in rest)) return <code dir="ltr">{children}</code>;
	const language = /language-([^\s]+)/.exec(className ?? '')?.[1]?.toLowerCase() ?? '';
	const code = textOf(children).replace(/\n$/, '');
	if (language === 'mermaid') return <Diagram source={code} complete={!incomplete} />;
	return <CodeBlock code={code} language={language} complete={!incomplete} />;
}

export const components: NonNullable<StreamdownProps['components']> = {
	p: block('p'),
	h1: block('h1'),
	h2: block('h2'),
	h3: block('h3'),
	h4: block('h4'),
	h5: block('h5'),
	h6: block('h6'),
	ul: List,
	ol: block('ol'),
	blockquote: block('blockquote'),
	th: cell('th'),
	td: cell('td'),
	li: block('li'),
	hr: plain('hr'),
	strong: plain('strong'),
	em: plain('em'),
	sup: plain('sup'),
	sub: plain('sub'),
	thead: plain('thead'),
	tbody: plain('tbody'),
	tr: plain('tr'),
	section: plain('section'),
	table: Table,
	a: Link,
	img: RemoteImage,
	input: TaskBox,
	code: Code,
};
