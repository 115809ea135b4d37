import { expect, test } from 'vitest';
import type { AttachmentId, MessageId, SessionId } from '../../../src/domain/ids.ts';
import type { Message } from '../../../src/domain/message.ts';
import { exportMarkdown } from '../../../src/sessions/export-markdown.ts';
import type { Session } from '../../../src/sessions/session-store.ts';

const at = Date.UTC(2026, 2, 12, 9, 14);
const session: Session = {
	id: 's' as SessionId,
	kind: 'chat',
	title: 'Boiler <visit> & *letter*',
	titleBy: 'owner',
	pinned: false,
	headId: null,
	createdAt: at,
	updatedAt: at,
};
const message = (given: Partial<Message>): Message => ({
	id: 'm' as MessageId,
	sessionId: session.id,
	parentId: null,
	role: 'user',
	parts: [],
	status: 'complete',
	runId: null,
	label: 'owner',
	createdAt: at,
	versions: [],
	...given,
});

test('an export reads well: roles, dates, files by name, folded reasoning and tools', () => {
	const attachment = {
		id: 'a' as AttachmentId,
		name: 'letter.pdf',
		mime: 'application/pdf',
		bytes: 2048,
		kind: 'pdf',
		textChars: 5,
	} as const;
	const text = exportMarkdown(
		session,
		[
			message({
				parts: [
					{ type: 'text', text: 'When is it?' },
					{ type: 'attachment', attachment },
				],
			}),
			message({
				role: 'assistant',
				modelName: 'qwen3:8b',
				status: 'interrupted',
				parts: [
					{ type: 'reasoning', text: 'A letter.\n</details> is in it.' },
					{
						type: 'tool',
						callId: 'c',
						tool: 'search_chats',
						args: { query: 'boiler' },
						status: 'done',
						result: { text: 'a ``` fence', isError: false, summary: '1 passage' },
					},
					{ type: 'text', text: 'On **Thursday**.' },
				],
			}),
		],
		at,
	);
	expect(text).toBe(`# Boiler &lt;visit&gt; &amp; \\*letter\\*

Exported from Hearth on 2026-03-12 09:14 UTC. 2 messages, begun on 2026-03-12 09:14 UTC.

---

## You

*2026-03-12 09:14 UTC*

When is it?

Attached: **letter.pdf** (application/pdf, 2 KiB)

---

## Hearth

*2026-03-12 09:14 UTC, qwen3:8b*

<details>
<summary>Reasoning</summary>

> A letter.
> &lt;/details> is in it.

</details>

<details>
<summary>Tool: search_chats (1 passage)</summary>

Arguments:

\`\`\`json
{
  "query": "boiler"
}
\`\`\`

Result:

\`\`\`\`
a \`\`\` fence
\`\`\`\`

</details>

On **Thursday**.

*This reply was interrupted.*
`);
});
