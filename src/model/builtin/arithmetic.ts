/** Sums that people type into a chat. Pure; never guesses: what is not plainly a sum is undefined. */

const LEAD = /^(?:please\s+)?(?:what(?:'|’)?s|what is|how much is|how much are|calculate|compute|work out|=)\s*/i;
const TAIL = /[\s=?]*(?:please[\s=?]*)?$/i;
/** Longer texts are no sums, in UTF-16 units. */
const LONGEST = 300;
const PERCENT_OF = /^(\d+(?:[.,]\d+)?)\s*(?:%|percent)\s+of\s+(\d[\d.,]*)$/i;

/** The sum as it was understood and its result; undefined where the text is no sum. */
export function calculate(text: string): { sum: string; result: string } | undefined {
	const trimmed = text.trim();
	if (trimmed.length > LONGEST) return undefined;
	const asked = LEAD.test(trimmed) || /=\s*\??$/.test(trimmed);
	const sum = trimmed.replace(LEAD, '').replace(TAIL, '').trim();
	const percent = PERCENT_OF.exec(sum);
	if (percent) {
		const share = toNumber(percent[1] ?? '');
		const whole = toNumber(percent[2] ?? '');
		return share === undefined || whole === undefined ? undefined : { sum, result: format((share / 100) * whole) };
	}
	if (!/^[\d\s.,+\-−*×x/÷^()]+$/i.test(sum) || !/\d/.test(sum) || !/[+\-−*×x/÷^]/i.test(sum)) return undefined;
	// Dates, times and telephone numbers look like sums.
	if (/^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/.test(sum)) return undefined;
	if (!asked && !/\s[-−/x+*×÷]\s|[+*×÷^]/.test(sum)) return undefined;
	const value = evaluate(sum);
	return value === undefined || !Number.isFinite(value) ? undefined : { sum, result: format(value) };
}

function evaluate(text: string): number | undefined {
	const tokens = text.match(/\d[\d.,]*|[+\-−*×x/÷^()]/gi) ?? [];
	let at = 0;
	const next = () => tokens[at++];
	const peek = () => tokens[at];

	function expression(): number | undefined {
		let value = term();
		while (value !== undefined && ['+', '-', '−'].includes(peek() ?? '')) {
			const sign = next() === '+' ? 1 : -1;
			const other = term();
			value = other === undefined ? undefined : value + sign * other;
		}
		return value;
	}
	function term(): number | undefined {
		let value = power();
		while (value !== undefined && ['*', '×', 'x', 'X', '/', '÷'].includes(peek() ?? '')) {
			const divides = ['/', '÷'].includes(next() ?? '');
			const other = power();
			value = other === undefined ? undefined : divides ? value / other : value * other;
		}
		return value;
	}
	function power(): number | undefined {
		if (peek() === '-' || peek() === '−') {
			next();
			const value = power();
			return value === undefined ? undefined : -value;
		}
		const base = atom();
		if (base === undefined || peek() !== '^') return base;
		next();
		const exponent = power();
		return exponent === undefined ? undefined : base ** exponent;
	}
	function atom(): number | undefined {
		const token = next();
		if (token === '(') {
			const value = expression();
			return next() === ')' ? value : undefined;
		}
		return token === undefined ? undefined : toNumber(token);
	}

	const value = expression();
	return at === tokens.length ? value : undefined;
}

/** `1,234.5` and `1.5`; a lone comma before other than three digits is a decimal sign. */
function toNumber(text: string): number | undefined {
	const clean = text.replace(/[.,]$/, '');
	if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(clean)) return Number(clean.replaceAll(',', ''));
	if (/^\d+,\d+$/.test(clean)) return Number(clean.replace(',', '.'));
	return /^\d+(\.\d+)?$/.test(clean) ? Number(clean) : undefined;
}

function format(value: number): string {
	return Number(value.toPrecision(12)).toLocaleString('en-US', { maximumFractionDigits: 10 });
}
