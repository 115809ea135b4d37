import { FlaggedLegend, FlaggedText } from '../../ui/flagged.tsx';
import { useSay } from '../../ui/strings.tsx';
import { WordDiff } from '../../ui/word-diff.tsx';
import type { Edit, FlaggedValue, GivenPart } from './given.ts';

/** A text up to here that is one line stands beside its name. UTF-16 units. */
const SHORT = 120;

/** What a tool is given, each value under its name: texts whole and as they are, changes word by word (B3). */
export function GivenParts({ parts, isMessage }: { parts: readonly GivenPart[]; isMessage: boolean }) {
	const say = useSay();
	const asMessage = (part: GivenPart): boolean => isMessage && part.name === 'text';
	const short = parts.filter((part) => isShort(part) && !asMessage(part));
	const long = parts.filter((part) => !short.includes(part));
	return (
		<>
			{long.map((part) => (
				<LongPart key={part.name} part={part} name={asMessage(part) ? say('needs.message') : inWords(part.name)} />
			))}
			{short.length === 0 ? null : (
				<dl className="given">
					{short.map((part) => (
						<div key={part.name}>
							<dt>
								<bdi>{inWords(part.name)}</bdi>
							</dt>
							<dd>
								<ShortValue part={part} />
							</dd>
						</div>
					))}
				</dl>
			)}
		</>
	);
}

function isShort(part: GivenPart): boolean {
	if (part.kind === 'text') return isOneLine(part);
	return part.kind === 'texts' && part.texts.every(isOneLine);
}

function isOneLine({ text }: FlaggedValue): boolean {
	return text.length <= SHORT && !/[\n\r\u2028\u2029]/.test(text);
}

/** `maxChars` and `from_line` as words. */
function inWords(name: string): string {
	const words = /^[a-z][a-zA-Z0-9_]*$/.test(name)
		? name.replaceAll('_', ' ').replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
		: name;
	return words.charAt(0).toUpperCase() + words.slice(1);
}

function ShortValue({ part }: { part: GivenPart }) {
	const say = useSay();
	if (part.kind === 'texts')
		return (
			<ul>
				{part.texts.map(({ text, flags }, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the values of one call, which never move
					<li key={index} dir="auto">
						<FlaggedText text={text} flags={flags} />
					</li>
				))}
			</ul>
		);
	if (part.kind !== 'text') return null;
	if (part.text === '') return <span className="meta">{say('needs.empty')}</span>;
	return (
		<span dir="auto">
			<FlaggedText text={part.text} flags={part.flags} />
		</span>
	);
}

function LongPart({ part, name }: { part: GivenPart; name: string }) {
	const say = useSay();
	return (
		<section aria-label={name}>
			<p className="part-name">
				<bdi>{name}</bdi>
			</p>
			{part.kind === 'edits' ? (
				part.edits.map((edit, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the values of one call, which never move
					<OneEdit key={index} edit={edit} label={say('needs.edit', { at: index + 1, count: part.edits.length })} />
				))
			) : part.kind === 'texts' ? (
				// biome-ignore lint/suspicious/noArrayIndexKey: the values of one call, which never move
				part.texts.map((value, index) => <Block key={index} {...value} />)
			) : (
				<Block text={part.text} flags={part.flags} />
			)}
		</section>
	);
}

/** A text whole, with its line breaks; a long one scrolls. */
export function Block({ text, flags }: FlaggedValue) {
	return (
		<>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<pre className="io well" tabIndex={0}>
				<FlaggedText text={text} flags={flags} />
			</pre>
			<FlaggedLegend flags={flags} />
		</>
	);
}

function OneEdit({ edit: { find, replace }, label }: { edit: Edit; label: string }) {
	const say = useSay();
	const isFlagged = find.flags.length > 0 || replace.flags.length > 0;
	return (
		<>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<section className="io well" aria-label={label} tabIndex={0}>
				<WordDiff before={find.text} after={replace.text} />
			</section>
			{isFlagged ? (
				<>
					<p className="meta">{say('needs.editFlagged')}</p>
					{find.flags.length > 0 ? <Block {...find} /> : null}
					{replace.flags.length > 0 ? <Block {...replace} /> : null}
				</>
			) : null}
		</>
	);
}
