import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Reply, says } from '../support/model-server/index.ts';
import { closeViews } from './support/browser.ts';
import { type Chat, openChat } from './support/chat.ts';

afterAll(closeViews);

async function chatWith(...replies: Reply[]): Promise<Chat> {
	const chat = await openChat({ replies });
	onTestFinished(() => chat.close());
	return chat;
}

const RICH = `## Heading

Some **bold** text, \`code\` and a [link](https://example.com/page?x=1).

| Name | Amount |
|---|---:|
| Rent | 1,200 |

\`\`\`ts
export const greeting: string = 'hello';
\`\`\`

Euler: \\(e^{i\\pi}+1=0\\), and it costs $5 or $10.

$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$

\`\`\`mermaid
flowchart LR
  A[Start] --> B[End]
\`\`\`

The end.`;

describe('text of replies, under the strict policy', () => {
	test('S4 code, tables, LaTeX and Mermaid are drawn without one refused piece of content', async () => {
		const chat = await chatWith(says(RICH));
		const foreign: string[] = [];
		chat.page.on('request', (request) => {
			const { protocol, hostname } = new URL(request.url());
			if (protocol !== 'data:' && protocol !== 'blob:' && hostname !== '127.0.0.1') foreign.push(request.url());
		});
		await chat.say('Show me everything');
		const { reply } = chat;
		await reply.getByText('The end.').waitFor();
		expect(await reply.getByRole('heading', { name: 'Heading' }).count()).toBe(1);
		expect(await reply.locator('td').allTextContents()).toEqual(['Rent', '1,200']);
		await reply.locator('.hl-keyword', { hasText: 'export' }).waitFor();
		expect(await reply.locator('math').count()).toBe(2);
		expect(await reply.locator('math[display="block"]').count()).toBe(1);
		expect(await reply.getByText('it costs $5 or $10.').count()).toBe(1);
		const drawing = reply.getByRole('img', { name: /Diagram/ });
		await drawing.waitFor();
		expect(await drawing.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
		expect(await chat.page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts');
		expect(foreign).toEqual([]);
		expect(chat.view.problems).toEqual([]);
	});

	test('S4 hostile HTML runs nothing and loads nothing; a link asks with its whole address', async () => {
		const hostile =
			'Hello <img src=x onerror="window.harmed=1"><script>window.harmed=2</script> ![pixel](https://tracker.example/p.png)\n\n' +
			'[click](javascript:alert(1)) and [page](https://example.com/a?token=1) and [mail](mailto:a@example.com?bcc=b@example.com) and [all](mailto:a@example.com,b@example.com)\n\n<iframe src="https://example.com"></iframe>\n\nThe end.';
		const chat = await chatWith(says(hostile));
		const requested: string[] = [];
		chat.page.on('request', (request) => requested.push(request.url()));
		await chat.say('Go');
		await chat.reply.getByText('The end.').waitFor();
		expect(await chat.page.evaluate(() => 'harmed' in window)).toBe(false);
		expect(await chat.reply.locator('img, script, iframe').count()).toBe(0);
		expect(await chat.reply.getByText(/Image not loaded: pixel/).count()).toBe(1);
		expect(await chat.reply.locator('a[href^="javascript"]').count()).toBe(0);
		expect(requested.filter((url) => !url.includes('127.0.0.1'))).toEqual([]);
		await chat.reply.getByRole('link', { name: 'page' }).click();
		const question = chat.page.getByRole('dialog', { name: 'Open this address in your browser?' });
		expect(await question.getByText('https://example.com/a?token=1').count()).toBe(1);
		await chat.page.keyboard.press('Escape');
		expect(await chat.reply.getByRole('link', { name: 'all' }).count()).toBe(0);
		await chat.reply.getByRole('link', { name: 'mail' }).click();
		const mail = chat.page.getByRole('dialog', { name: 'Write to this address with your mail program?' });
		expect(await mail.getByText('mailto:a@example.com', { exact: true }).count()).toBe(1);
		await chat.page.keyboard.press('Escape');
		expect(chat.view.problems).toEqual([]);
	});

	test('chat-5 each block reads in its own direction, code stays left to right', async () => {
		const text =
			'سلام، فایل در `/home/user/a.txt` است.\n\nPlain English.\n\n- עברית `src/main.ts`\n- English item\n\n`./run.sh` را اجرا کنید.\n\nفایل **مهم** /home/user/b.txt است.\n\nThe end.';
		const chat = await chatWith(says(text));
		await chat.say('سلام، /home/user/a.txt است');
		await chat.reply.getByText('The end.').waitFor();
		const path = chat.page.locator('.said-text bdi');
		expect(await path.textContent()).toBe('/home/user/a.txt');
		expect(await path.evaluate((piece) => getComputedStyle(piece).direction)).toBe('ltr');
		const directionOf = (selector: string) =>
			chat.reply.locator(selector).evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction));
		expect(await directionOf('.prose > p')).toEqual(['rtl', 'ltr', 'rtl', 'rtl', 'ltr']);
		expect(await chat.reply.locator('.prose bdi').allTextContents()).toEqual(['/home/user/b.txt']);
		expect(await directionOf('.prose bdi')).toEqual(['ltr']);
		expect(await directionOf('li')).toEqual(['rtl', 'ltr']);
		expect(new Set(await directionOf('code'))).toEqual(new Set(['ltr']));
		const isolation = await chat.reply.locator('code').evaluateAll((all) => all.map((code) => getComputedStyle(code).unicodeBidi));
		expect(new Set(isolation)).toEqual(new Set(['isolate']));
		expect(await chat.page.locator('.said-text').evaluate((said) => getComputedStyle(said).direction)).toBe('rtl');
	});

	test('chat-6 a diagram is drawn when its block is complete; one that is wrong stays as its source', async () => {
		const good = '```mermaid\nflowchart LR\n  A[Start] --> B[End]\n';
		const chat = await chatWith({
			steps: [
				{ type: 'text', text: good },
				{ type: 'silence', ms: 1500 },
				{ type: 'text', text: '```\n\nBetween.\n\n```mermaid\nflowchart LR\n  A[broken -->\n```\n\nThe end.' },
			],
		});
		await chat.say('Draw');
		await chat.reply.getByText('A[Start] --> B[End]').waitFor();
		expect(await chat.page.locator('iframe').count()).toBe(0);
		expect(await chat.reply.getByRole('img').count()).toBe(0);
		await chat.reply.getByText('The end.').waitFor();
		await chat.reply.getByRole('img', { name: /Diagram/ }).waitFor();
		await chat.reply.getByText('This diagram can’t be drawn, so its source is shown.').waitFor();
		expect(await chat.reply.getByText('A[broken -->').count()).toBe(1);
		await chat.reply.getByRole('button', { name: 'Show source' }).click();
		expect(await chat.reply.getByText('A[Start] --> B[End]').count()).toBe(1);
		expect(chat.view.problems).toEqual([]);
	});

	test('chat-8 thinking split over deltas is folded; the answer alone shows', async () => {
		const chat = await chatWith({
			steps: ['<thi', 'nk>secret rea', 'soning</th', 'ink>The answer is 42.'].map((text) => ({ type: 'text', text })),
		});
		await chat.say('Think');
		await chat.reply.getByText('The answer is 42.').waitFor();
		expect(await chat.reply.getByText('secret reasoning').count()).toBe(0);
		expect(await chat.reply.textContent()).not.toContain('think>');
		const fold = chat.reply.getByRole('button', { name: 'Thinking' });
		await fold.click();
		await chat.reply.getByText('secret reasoning').waitFor();
	});
});
