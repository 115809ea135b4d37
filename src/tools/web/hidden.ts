import type { PageDocument, PageElement } from './dom.ts';

/**
 * Takes out of a page what nobody who looks at it would see: text that is there only for machines is where orders to them are hidden. Style
 * sheets of other files are not loaded, and nothing is laid out, so this finds the usual ways and not every one.
 */

/** Never text of the page. */
const NO_TEXT = 'script, style, template, noscript, iframe, object, embed, svg, canvas, head > *, input, select, textarea, datalist';
const HIDDEN = '[hidden], [aria-hidden="true"], dialog:not([open])';
const MOST_RULES = 5_000;
const MOST_HIDING_RULES = 300;

interface Rule {
	readonly selectorText?: string;
	readonly style?: { readonly cssText: string };
}

/** How many elements with text in them were hidden and are gone. */
export function removeHidden(document: PageDocument): number {
	const selectors = hidingSelectors(document);
	for (const element of all(document, NO_TEXT)) element.remove();
	let hidden = 0;
	const remove = (element: PageElement) => {
		if (element.nodeName === 'HTML' || element.nodeName === 'BODY') return;
		if (/\S/u.test(element.textContent ?? '')) hidden++;
		element.remove();
	};
	for (const element of all(document, HIDDEN)) remove(element);
	for (const selector of selectors) for (const element of matching(document, selector)) remove(element);
	for (const element of all(document, '[style], [color], [size]')) if (hidesItself(element)) remove(element);
	return hidden;
}

function all(document: PageDocument, selector: string): PageElement[] {
	return Array.from(document.querySelectorAll(selector));
}

/** Of the page's own style sheets, as far as they can be read. */
function hidingSelectors(document: PageDocument): string[] {
	const selectors: string[] = [];
	let seen = 0;
	for (const style of all(document, 'style')) {
		for (const { selectorText, style: declared } of rulesOf(style)) {
			if (++seen > MOST_RULES || selectors.length >= MOST_HIDING_RULES) return selectors;
			if (selectorText !== undefined && declared && hides(declarations(declared.cssText))) selectors.push(selectorText);
		}
	}
	return selectors;
}

function rulesOf(style: PageElement): readonly Rule[] {
	try {
		const { sheet } = style as PageElement & { readonly sheet?: { readonly cssRules?: ArrayLike<Rule> } };
		return Array.from(sheet?.cssRules ?? []);
	} catch {
		// A sheet that can't be read hides nothing in a browser either.
		return [];
	}
}

function matching(document: PageDocument, selector: string): PageElement[] {
	try {
		return all(document, selector);
	} catch {
		// Selectors of states and pseudo-elements match nothing that could be taken out.
		return [];
	}
}

function declarations(style: string): Map<string, string> {
	const found = new Map<string, string>();
	for (const declaration of style.toLowerCase().split(';')) {
		const colon = declaration.indexOf(':');
		if (colon > 0)
			found.set(
				declaration.slice(0, colon).trim(),
				declaration
					.slice(colon + 1)
					.replace('!important', '')
					.trim(),
			);
	}
	return found;
}

/** Of one element alone: what is declared for it takes it out of sight, whatever surrounds it. */
function hides(style: ReadonlyMap<string, string>): boolean {
	const value = (name: string): string => style.get(name) ?? '';
	const size = (name: string): number => pixels(value(name));
	if (value('display') === 'none' || /^(hidden|collapse)$/.test(value('visibility'))) return true;
	if (style.has('opacity') && Number.parseFloat(value('opacity')) < 0.05) return true;
	if (size('font-size') <= 1) return true;
	if (size('text-indent') <= FAR_AWAY) return true;
	if (/^(absolute|fixed)$/.test(value('position')) && ['left', 'top', 'right', 'bottom'].some((side) => size(side) <= FAR_AWAY))
		return true;
	if (/^rect\((0|1px|auto)/.test(value('clip')) || /^(inset\((50|100)%|circle\(0)/.test(value('clip-path'))) return true;
	if (/\bscale(3d|x|y)?\(0(\.0+)?[,)]/.test(value('transform'))) return true;
	if (isTransparent(value('color'))) return true;
	const flat = ['width', 'height', 'max-width', 'max-height'].some((name) => size(name) <= 1);
	return flat && /hidden|clip/.test(value('overflow') + value('overflow-x') + value('overflow-y'));
}

const FAR_AWAY = -500;

/** Infinity where it is no length. Relative ones count as so many pixels, but for zero. */
function pixels(value: string): number {
	const length = /^([-+]?\d*\.?\d+)(px|em|rem|pt|ex|ch|vw|vh|%|cm|mm|in)?$/.exec(value);
	if (!length) return Number.POSITIVE_INFINITY;
	const number = Number(length[1]);
	return number !== 0 && Math.abs(number) <= 1 && length[2] !== 'px' && length[2] !== 'pt' ? Number.POSITIVE_INFINITY : number;
}

function hidesItself(element: PageElement): boolean {
	const style = declarations(element.getAttribute('style') ?? '');
	if (hides(style)) return true;
	const colour = colourOf(style.get('color') ?? element.getAttribute('color') ?? '');
	if (colour === undefined) return false;
	const behind = backgroundOf(element);
	return behind === undefined ? colour === WHITE && !mayHaveBackground(element) : colour === behind;
}

const WHITE = 'rgb(255,255,255)';
const COLOURS: Readonly<Record<string, string>> = { white: WHITE, black: 'rgb(0,0,0)', red: 'rgb(255,0,0)', yellow: 'rgb(255,255,0)' };

/** One way to write each of the usual forms. */
function colourOf(written: string): string | undefined {
	const value = written.trim().toLowerCase().replaceAll(' ', '');
	const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1];
	if (hex !== undefined) {
		const six = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
		return `rgb(${[0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16)).join(',')})`;
	}
	if (/^rgba?\(\d+,\d+,\d+(,1(\.0+)?)?\)$/.test(value))
		return value.replace('rgba', 'rgb').replace(/,1(\.0+)?\)$/, (end) => (value.split(',').length > 3 ? ')' : end));
	return COLOURS[value] ?? (/^[a-z]+$/.test(value) ? value : undefined);
}

function isTransparent(colour: string): boolean {
	return (
		colour === 'transparent' || /^(rgba|hsla)\(.*[,/]\s*0?\.?0+%?\s*\)$/.test(colour) || /^#([0-9a-f]{3}0|[0-9a-f]{6}00)$/.test(colour)
	);
}

/** The nearest colour that stands in an element itself. */
function backgroundOf(element: PageElement): string | undefined {
	for (let each: PageElement | null = element; each; each = each.parentElement) {
		const style = declarations(each.getAttribute('style') ?? '');
		const written = style.get('background-color') ?? style.get('background') ?? each.getAttribute('bgcolor');
		if (written != null) return colourOf(written) ?? '?';
	}
	return undefined;
}

/** A class may give it one. */
function mayHaveBackground(element: PageElement): boolean {
	for (let each: PageElement | null = element; each; each = each.parentElement) {
		if (each.nodeName !== 'HTML' && each.nodeName !== 'BODY' && (each.hasAttribute('class') || each.hasAttribute('id'))) return true;
	}
	return false;
}
