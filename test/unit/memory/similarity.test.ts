import { expect, test } from 'vitest';
import { featuresOf, SAME_ENTRY, similarity } from '../../../src/memory/similarity.ts';

const likeness = (left: string, right: string) => similarity(featuresOf(left), featuresOf(right));

const EDITS: [string, string][] = [
	['The door code is 4711', 'The door code is 8823'],
	['Anna likes green tea', 'Anna likes black tea'],
	['Anna likes green tea', 'Anna likes green tea and lives in Bern, where she works at the post office since 2019'],
	['Buy mlk', 'Buy milk'],
	['Standup moved to 9:30 on Tuesdays', 'Standup moved to 9:15 on Tuesdays and Thursdays'],
	['Dentist: Dr. Weber, 044 123 45 67', 'Dentist: Dr. Weber, 044 765 43 21'],
	['東京に住んでいます', '京都に住んでいます'],
	['Prefers answers in German', 'Prefers short answers in German'],
	['| Name | Age |\n|---|---|\n| Anna | 31 |', '| Name | Age |\n|---|---|\n| Anna | 32 |'],
	['const port = 8080;\nlisten(port);', 'const port = 9090;\nlisten(port);'],
];

const OTHERS: [string, string][] = [
	["Anna's birthday is May 3", "Ben's birthday is June 9"],
	['Anna likes green tea', 'The router is in the cellar'],
	['Tea', 'Anna likes green tea'],
	['Buy milk', 'Call mum'],
	['Lives in Bern', 'Works in Basel'],
	['東京に住んでいます', '毎朝コーヒーを飲む'],
	['Meeting with Carla about the budget', 'Lunch with Dan about the holiday'],
	['Wifi password: hunter2', 'Bike lock: 1234'],
];

test.each(EDITS)('M2 an edit is the same entry: %s → %s', (before, after) => {
	expect(likeness(before, after)).toBeGreaterThanOrEqual(SAME_ENTRY);
	expect(likeness(after, before)).toBe(likeness(before, after));
});

test.each(OTHERS)('M2 another fact is another entry: %s / %s', (before, after) => {
	expect(likeness(before, after)).toBeLessThan(SAME_ENTRY);
});

test('M2 a text is wholly like itself, and texts without words can be compared', () => {
	expect(likeness('same', 'same')).toBe(1);
	expect(likeness('!!!', '???')).toBeLessThan(SAME_ENTRY);
	expect(likeness('→ 😀', '→ 😀')).toBe(1);
});
