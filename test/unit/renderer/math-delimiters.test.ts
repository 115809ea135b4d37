import { expect, test } from 'vitest';
import { normaliseMath } from '../../../renderer/chat/markdown/math-delimiters.ts';

test('every way in which models write formulas becomes the one that the parser knows', () => {
	expect(normaliseMath('so \\(a+b\\) is')).toBe('so $$a+b$$ is');
	expect(normaliseMath('so $a+b$ is')).toBe('so $$a+b$$ is');
	expect(normaliseMath('see\n\\[\nx^2\n\\]\nend')).toBe('see\n\n$$\nx^2\n$$\n\nend');
	expect(normaliseMath('$$x^2$$')).toBe('$$\nx^2\n$$');
	expect(normaliseMath('$$\nx^2\n$$')).toBe('$$\nx^2\n$$');
	expect(normaliseMath('inline $$x$$ stays')).toBe('inline $$x$$ stays');
});

test('prices, shell variables and code stay as they are', () => {
	for (const text of [
		'it costs $5 and $10.',
		'from $20,000 to $30,000',
		'echo `$HOME and $PATH` now',
		'```sh\necho $a $b\n```',
		'~~~\n$x$\n~~~',
		'```sh\necho $a $b',
		'an escaped \\$5 and \\$6',
		'US$5 and US$6',
		'one $ alone',
		'no dollars at all',
	]) {
		expect(normaliseMath(text)).toBe(text);
	}
});

test('prose after a closed block is prose again', () => {
	expect(normaliseMath('```\n$x$\n```\n\nand $y$ here')).toBe('```\n$x$\n```\n\nand $$y$$ here');
});
