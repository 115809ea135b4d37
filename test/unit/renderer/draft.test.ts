import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { changeComposer, removeAttachment } from '../../../renderer/chat/composer/composer-store.ts';
import { keepDraft, restoreDraft, saveNow } from '../../../renderer/chat/composer/draft.ts';
import { setClient } from '../../../renderer/connection/calls.ts';
import type { HearthClient } from '../../../src/contract/contract.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import type { AttachmentInfo } from '../../../src/domain/message.ts';

type Stored = { text: string; attachments: AttachmentInfo[] };

let numbers = 0;
let session: SessionId;
beforeEach(() => {
	numbers += 1;
	session = `session-${numbers}` as SessionId;
});

const file = (id: string) => ({ id, name: `${id}.txt`, mime: 'text/plain', size: 1 }) as unknown as AttachmentInfo;
const attach = (id: string) => changeComposer(session, ({ attachments }) => ({ attachments: [...attachments, file(id)] }));

/** A runtime that keeps drafts; what it was told to save, in order. */
function runtime(stored: Promise<Stored> = Promise.resolve({ text: '', attachments: [] })) {
	const saved: { text: string; attachmentIds: string[] }[] = [];
	const sessions = {
		draft: () => stored,
		saveDraft: async ({ text, attachmentIds }: { text: string; attachmentIds: string[] }) => void saved.push({ text, attachmentIds }),
	};
	setClient({ sessions } as unknown as HearthClient);
	onTestFinished(() => setClient(undefined));
	return saved;
}

test('chat-1 what is attached only after the last key was saved is saved, too', async () => {
	const saved = runtime();
	await restoreDraft(session, () => undefined);
	keepDraft(session, 'What is in it?');
	saveNow(session);
	attach('paste');
	await expect
		.poll(() => saved)
		.toEqual([
			{ text: 'What is in it?', attachmentIds: [] },
			{ text: 'What is in it?', attachmentIds: ['paste'] },
		]);
	removeAttachment(session, 'paste');
	await expect.poll(() => saved.at(-1)).toEqual({ text: 'What is in it?', attachmentIds: [] });
});

test('chat-1 an attachment without a word is saved', async () => {
	const saved = runtime();
	await restoreDraft(session, () => undefined);
	attach('alone');
	await expect.poll(() => saved).toEqual([{ text: '', attachmentIds: ['alone'] }]);
});

test('what is attached before the stored draft has come does not replace its text', async () => {
	let come: (stored: Stored) => void = () => undefined;
	const saved = runtime(
		new Promise((resolve) => {
			come = resolve;
		}),
	);
	let shown = '';
	const restored = restoreDraft(session, (text) => {
		shown = text;
	});
	attach('early');
	saveNow(session);
	come({ text: 'stored words', attachments: [file('stored')] });
	await restored;
	expect(shown).toBe('stored words');
	await expect.poll(() => saved).toEqual([{ text: 'stored words', attachmentIds: ['stored', 'early'] }]);
});

test('a draft that comes back is not saved again', async () => {
	const saved = runtime(Promise.resolve({ text: 'stored words', attachments: [file('kept')] }));
	await restoreDraft(session, () => undefined);
	keepDraft(session, 'stored words and more');
	await expect.poll(() => saved).toEqual([{ text: 'stored words and more', attachmentIds: ['kept'] }]);
});
