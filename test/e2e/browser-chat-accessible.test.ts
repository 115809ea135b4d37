import { afterAll, expect, onTestFinished, test } from 'vitest';
import { calls, says } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, takePicture } from './support/browser.ts';
import { openChat } from './support/chat.ts';

afterAll(closeViews);

const RICH = `<think>The owner wants to see everything.</think>## Heading

Some **bold** text, \`code\`, ~~old~~ and a [link](https://example.com/page). ![A cat](https://example.com/cat.png)

- [x] done
- [ ] not yet

| Name | Amount |
|---|---:|
| Rent | 1,200 |

\`\`\`ts
// A comment
export const greeting: string = 'hello' + String(42);
\`\`\`

> A quotation with $x^2$.

$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$

\`\`\`mermaid
flowchart LR
  A[Start] --> B[End]
\`\`\`

\`\`\`mermaid
no diagram at all
\`\`\`

The end.`;

test.each(['light', 'dark'] as const)('a chat with all that can be in it, in the %s theme: axe finds nothing', async (theme) => {
	const chat = await openChat({
		tools: true,
		view: { theme },
		replies: [calls('test_pure', { value: 'x' }), says(RICH)],
		fallback: says('Another one.'),
	});
	onTestFinished(() => chat.close());
	const { page, reply, view } = chat;
	const look = async (name: string, without: string[] = []): Promise<void> => {
		await expectAccessible(view, `${name}, ${theme}`, without);
		await takePicture(view, `chat-${name}-${theme}`);
	};
	await chat.say('Show me everything');
	await reply.getByText('The end.').waitFor();
	await reply.getByRole('img', { name: /Diagram/ }).waitFor();
	await reply.locator('.hl-keyword').first().waitFor();
	await look('transcript');

	await reply.getByRole('button', { name: 'Thinking' }).click();
	await reply.locator('.calls button').first().click();
	await look('opened');

	await page.getByRole('button', { name: 'What the model sees' }).click();
	await page.getByText('Your message').first().waitFor();
	await look('prompt', ['region']);
	await page.keyboard.press('Escape');

	await page.keyboard.press('Control+f');
	await page.keyboard.type('rent');
	await look('find');
	await page.keyboard.press('Escape');

	await reply.getByRole('button', { name: 'Answer again' }).click();
	await reply.getByRole('group', { name: 'Versions' }).waitFor();
	await look('versions');
	expect(view.problems).toEqual([]);
});
