import type { MessageBoxOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import { type Coming, createQuit, type QuitOptions } from '../../../electron/main/quit-question.ts';
import { createStrings } from '../../../src/contract/strings/index.ts';

const HOUR = 3_600_000;
const soon = () => Date.now() + HOUR;

function quitting(more: Partial<QuitOptions> & { answer?: number; checked?: boolean } = {}) {
	const asked: MessageBoxOptions[] = [];
	const done: string[] = [];
	const quit = createQuit({
		strings: createStrings(),
		asks: () => true,
		nextAt: soon,
		coming: async () => ({ runs: [{ taskId: 'a', title: 'Mail summary', at: soon() }], more: false }),
		hasTray: () => true,
		ask: async (question) => {
			asked.push(question);
			return { response: more.answer ?? 0, checkboxChecked: more.checked ?? false };
		},
		keepRunning: (always) => done.push(always ? 'keep always' : 'keep'),
		quit: () => done.push('quit'),
		...more,
	});
	return { quit, asked, done };
}

test('where nothing is due within a day, or the owner wants no question, it quits at once', () => {
	for (const none of [{ nextAt: () => undefined }, { nextAt: () => Date.now() + 25 * HOUR }, { asks: () => false }]) {
		const { quit, asked, done } = quitting(none);
		expect(quit.wouldAsk()).toBe(false);
		quit.byOwner('quit');
		expect({ asked, done }).toEqual({ asked: [], done: ['quit'] });
	}
});

test('what will be missed is named, task by task; each answer does what it says', async () => {
	const at = new Date(Date.now() + HOUR);
	const runs = [
		...Array.from({ length: 4 }, (_, number) => ({ taskId: 'often', title: 'Every hour', at: at.getTime() + number })),
		...['a', 'b', 'c', 'd', 'e', 'f'].map((taskId) => ({ taskId, title: `Task ${taskId}`, at: at.getTime() + 10 })),
	];
	const coming = async (): Promise<Coming> => ({ runs, more: false });
	const kept = quitting({ coming, answer: 0, checked: true });
	kept.quit.byOwner('closed');
	await vi.waitFor(() => expect(kept.done).toEqual(['keep always']));
	const [question] = kept.asked;
	expect(question?.buttons).toEqual(['Keep running in the tray', 'Quit', 'Cancel']);
	expect(question?.checkboxLabel).toContain('whenever the window is closed');
	expect(question?.detail).toMatch(
		/^• Every hour, .*\d\d:\d\d and 3 more times\n• Task a, .*\n• Task b, .*\n• Task c, .*\n• Task d, .*\n• and 2 more tasks\n\n/,
	);

	const ended = quitting({ answer: 1 });
	ended.quit.byOwner('quit');
	await vi.waitFor(() => expect(ended.done).toEqual(['quit']));
	expect(ended.asked[0]?.checkboxLabel).toBeUndefined();

	const untrayed = quitting({ hasTray: () => false, answer: 1 });
	untrayed.quit.byOwner('quit');
	await vi.waitFor(() => expect(untrayed.asked[0]?.buttons).toEqual(['Quit', 'Cancel']));
	await vi.waitFor(() => expect(untrayed.quit.wouldAsk()).toBe(true));
	expect(untrayed.done).toEqual([]);
});

test('one question at a time; a runtime that does not answer, or a question that fails, keeps nobody from quitting', async () => {
	let answer: (value: { response: number; checkboxChecked: boolean }) => void = () => undefined;
	const asked: number[] = [];
	const slow = quitting({
		ask: () => {
			asked.push(1);
			return new Promise((resolve) => {
				answer = resolve;
			});
		},
	});
	slow.quit.byOwner('quit');
	slow.quit.byOwner('quit');
	await vi.waitFor(() => expect(asked).toHaveLength(1));
	answer({ response: 1, checkboxChecked: false });
	await vi.waitFor(() => expect(slow.done).toEqual(['quit']));

	const silent = quitting({ coming: async () => undefined });
	silent.quit.byOwner('quit');
	await vi.waitFor(() => expect(silent.done).toEqual(['quit']));
	const broken = quitting({ ask: () => Promise.reject(new Error('no display')) });
	broken.quit.byOwner('quit');
	await vi.waitFor(() => expect(broken.done).toEqual(['quit']));
});
