/**
 * Models write formulas as `\(…\)`, `\[…\]`, `$…$` and `$$…$$`; the Markdown parser is given only the last. A single dollar
 * counts as a formula by pandoc's rule (no space inside the delimiters, no digit after the closing one), so that prices stay
 * prices. Code is left alone. Pure; an unclosed delimiter changes nothing.
 */
export function normaliseMath(markdown: string): string {
	if (!/[$\\]/.test(markdown)) return markdown;
	let out = '';
	let at = 0;
	for (const code of markdown.matchAll(CODE)) {
		out += inProse(markdown.slice(at, code.index)) + code[0];
		at = code.index + code[0].length;
	}
	return out + inProse(markdown.slice(at));
}

/** Fenced blocks (also one that is not closed yet) and inline code. */
const CODE = /^ {0,3}(`{3,}|~{3,})[^\n]*(?:\n(?:[\s\S]*?\n)? {0,3}\1[`~]*[ \t]*(?=\n|$)|[\s\S]*$)|(`+)(?!`)[\s\S]*?[^`]\2(?!`)/gm;
/** A formula that has its line for itself is a block. */
const LINE = /^([ \t]*)\$\$([^\n$]+)\$\$[ \t]*$/gm;
const DISPLAY = /\\\[([\s\S]+?)\\\]/g;
const INLINE = /\\\(([^\n]+?)\\\)/g;
const DOLLAR = /(?<![\\$\w])\$(?![\s$])((?:\\.|[^$\\\n])*?(?<![\s\\]))\$(?![\d$])/g;

function inProse(text: string): string {
	return text
		.replace(LINE, (_all, indent: string, formula: string) => `${indent}$$\n${indent}${formula.trim()}\n${indent}$$`)
		.replace(DISPLAY, (_all, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
		.replace(INLINE, (_all, formula: string) => `$$${formula.trim()}$$`)
		.replace(DOLLAR, (_all, formula: string) => `$$${formula}$$`);
}
