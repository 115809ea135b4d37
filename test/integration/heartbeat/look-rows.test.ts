import { expect, test } from 'vitest';
import { BINS, FAIR, lookApp, MINUTE } from '../../support/heartbeat/look-app.ts';

test('after the owner’s no, sources are read on, and looks that had nothing new are one row', async () => {
	const app = await lookApp({ price: { input: 1, output: 2 }, settings: { heartbeat: true, heartbeatMinutes: 30 } });
	const { rpc } = app;
	await app.over();
	app.serve(BINS);
	// A source rests a little longer than its minutes, so that not all are read together.
	await app.pass(40 * MINUTE);
	await app.until(async () => (await rpc.heartbeat.status()).asks !== undefined, 'the question');
	await app.over();
	const { asks } = await rpc.heartbeat.status();
	await rpc.heartbeat.answer({ shownHash: asks?.shownHash ?? '', allow: false });
	const held = async () =>
		(await rpc.heartbeat.ticks({ limit: 50 })).filter(({ why }) => why?.startsWith('You said')).map(({ items }) => items);
	const slot = async () => {
		const before = app.feed.asked.length;
		await app.pass(40 * MINUTE);
		await app.until(() => app.feed.asked.length > before, 'the next reading');
		await app.over();
	};
	for (let count = 0; count < 4; count += 1) await slot();
	expect(await held()).toEqual([0]);
	app.serve(FAIR, BINS);
	await slot();
	await slot();
	expect(await held()).toEqual([0, 1]);
	expect(app.model.log.requests).toEqual([]);
});
