import { onTestFinished } from 'vitest';
import { type ModelServer, type Reply, startModelServer } from '../model-server/index.ts';
import { temporaryFolder } from '../sessions.ts';
import { type Harness, type HarnessOptions, openHarness } from './harness.ts';

/** A harness whose model is a scripted server in this process; both go away with the test. */
export async function scripted(
	replies: Reply[],
	options: Partial<HarnessOptions> = {},
): Promise<{ harness: Harness; server: ModelServer; reopen(more?: Partial<HarnessOptions>, how?: { goOn: boolean }): Promise<Harness> }> {
	const server = await startModelServer({ script: { replies } });
	onTestFinished(() => server.close());
	const given = { folder: temporaryFolder(), modelUrl: server.openaiUrl, ...options };
	let harness = openHarness(given);
	onTestFinished(() => harness.close());
	return {
		harness,
		server,
		/** A restart after an orderly end. */
		reopen: async (more = {}, how = { goOn: true }) => {
			await harness.close();
			harness = openHarness({ ...given, ...more });
			harness.engine.recover(how);
			return harness;
		},
	};
}
