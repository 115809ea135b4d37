import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { WriteDb } from '../../src/db/brands.ts';
import { openStateDb, type StateDb } from '../../src/db/open.ts';
import type { MessageId, SessionId } from '../../src/domain/ids.ts';
import type { MessagePart } from '../../src/domain/message.ts';
import { insertMessage, type NewMessage } from '../../src/sessions/message-store.ts';
import { insertSession, setHead } from '../../src/sessions/session-store.ts';
import { UNTITLED } from '../../src/sessions/title.ts';

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'hearth-sessions-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A real state.db in a temporary folder. */
export function temporaryStateDb(folder = temporaryFolder()): StateDb {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	onTestFinished(() => db.close());
	return db;
}

export function addSession(tx: WriteDb, title = UNTITLED, at = 1): SessionId {
	const id = newId<SessionId>();
	insertSession(tx, { id, kind: 'chat', title, titleBy: 'auto', pinned: false, headId: null, createdAt: at, updatedAt: at });
	return id;
}

/** Adds a message and makes it the head. */
export function addMessage(
	tx: WriteDb,
	sessionId: SessionId,
	parentId: MessageId | null,
	text: string,
	more: Partial<NewMessage> = {},
): MessageId {
	const id = newId<MessageId>();
	const parts: MessagePart[] = [{ type: 'text', text }];
	insertMessage(tx, { id, sessionId, parentId, role: 'user', parts, status: 'complete', label: 'owner', createdAt: 1, ...more });
	setHead(tx, sessionId, id);
	return id;
}

/** A chain of `count` messages, alternately the owner's and Hearth's. */
export function addChain(tx: WriteDb, sessionId: SessionId, count: number, text = (index: number) => `message ${index}`): MessageId[] {
	const ids: MessageId[] = [];
	for (let index = 0; index < count; index++) {
		const role = index % 2 === 0 ? 'user' : 'assistant';
		ids.push(addMessage(tx, sessionId, ids.at(-1) ?? null, text(index), { role, createdAt: index + 1 }));
	}
	return ids;
}
