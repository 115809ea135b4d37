/** What is streamed: what replies mostly look like, and one single block of each kind that grows without end. */
export const PROSE = 'Some **bold** words, `code`, and a sentence that goes on for a while so that lines wrap as they do in real chats. ';

const MIXED = `${PROSE}\n\n\`\`\`ts\nexport const value: number = 42;\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSo $x^2 + y^2 = z^2$ holds.\n\n`;

function lines(count: number, line: (index: number) => string): string {
	return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

export const STREAMS = {
	mixed: MIXED.repeat(80),
	paragraph: PROSE.repeat(150),
	code: `\`\`\`ts\n${lines(800, (index) => `export const value${index}: number = compute(${index}, 'text'); // comment`)}\n\`\`\`\n`,
	table: `| number | name | what it is |\n|---:|---|---|\n${lines(500, (index) => `| ${index} | **name ${index}** | a few words of \`code\` |`)}\n`,
	list: lines(500, (index) => `- point ${index} with **bold** words and \`code\`\n  - and one below it`),
};
export type StreamKind = keyof typeof STREAMS;
