import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { setClient } from '../../../renderer/connection/calls.ts';
import {
	forgetTranscript,
	loadOlder,
	openTranscript,
	refreshTranscript,
	useTranscripts,
} from '../../../renderer/connection/transcripts-store.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStateDb } from '../../../src/db/open.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { addChain, addSession } from '../../support/sessions.ts';

/** A runtime with one chat that is longer than a page, and the store connected to it. */
async function longChat(): Promise<SessionId> {
	const { home, profileFolder, remove } = temporaryHome();
	mkdirSync(profileFolder, { recursive: true });
	const db = openStateDb({ file: join(profileFolder, 'state.db'), backupsFolder: join(profileFolder, 'backups'), logger: silentLogger });
	const sessionId = db.write((tx) => {
		const id = addSession(tx, 'Long');
		addChain(tx, id, 200, (index) => `message ${index}`);
		return id;
	});
	db.close();
	const app = await startApp(home);
	setClient(app.rpc);
	onTestFinished(async () => {
		setClient(undefined);
		await app.close();
		remove();
	});
	return sessionId;
}

const entry = (sessionId: SessionId) => useTranscripts.getState().bySession[sessionId];

test('a page that arrives for a chat that was deleted meanwhile brings nothing back', async () => {
	const sessionId = await longChat();
	const opening = openTranscript(sessionId);
	forgetTranscript(sessionId);
	await opening;
	expect(entry(sessionId)).toBeUndefined();

	await openTranscript(sessionId);
	expect(entry(sessionId)).toMatchObject({ status: 'ready', loadingOlder: false });
	const older = loadOlder(sessionId);
	const newest = refreshTranscript(sessionId);
	forgetTranscript(sessionId);
	await Promise.all([older, newest]);
	expect(entry(sessionId)).toBeUndefined();
});

test('a chat that is left and opened again while its page is on the way is shown', async () => {
	const sessionId = await longChat();
	const opening = openTranscript(sessionId);
	forgetTranscript(sessionId);
	await Promise.all([opening, openTranscript(sessionId)]);
	expect(entry(sessionId)).toMatchObject({ status: 'ready' });
	expect(await loadOlder(sessionId)).toBe(true);
	expect(entry(sessionId)).toMatchObject({ loadingOlder: false });
	expect(entry(sessionId)?.transcript.order.length).toBe(120);
});
