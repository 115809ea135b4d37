import { expect, test } from 'vitest';
import { TaskDraft } from '../../../src/domain/task.ts';

const titled = (title: string) =>
	TaskDraft.safeParse({ title, when: { kind: 'trigger', trigger: { kind: 'wake' } }, work: { kind: 'reminder', text: 'Up.' } }).data?.title;

test('S2 the title of a task is one line that can be seen, and turns nothing around in a menu', () => {
	expect(titled('  Bins\r\nout ')).toBe('Bins out');
	expect(titled('a\u202Egnp.exe')).toBe('a gnp.exe');
	expect(titled('Bins\0\u{E0041}\u{E0042}')).toBe('Bins');
	expect(titled('Müll 🗑️')).toBe('Müll 🗑️');
	for (const empty of ['\u200B', '\u3164', '\u2800', '\u{E0041}', '\n']) expect(titled(empty)).toBeUndefined();
});
