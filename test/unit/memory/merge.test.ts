import { expect, test } from 'vitest';
import { merge3 } from '../../../src/memory/merge.ts';

const BASE = '# Memory\n\n- Anna likes tea\n- The door code is 4711\n- Buy milk\n';

test('mem-10 neighbours edited on both sides go together', () => {
	const ours = BASE.replace('tea', 'green tea');
	const theirs = BASE.replace('4711', '8823');
	expect(merge3(BASE, ours, theirs)).toEqual({
		clean: true,
		text: '# Memory\n\n- Anna likes green tea\n- The door code is 8823\n- Buy milk\n',
	});
});

test('mem-10 both added at the end: both are kept, with the file’s own line breaks and ending', () => {
	const dos = BASE.trimEnd().replaceAll('\n', '\r\n');
	const merge = merge3(dos, `${dos}\r\n- From the app`, `${dos}\r\n- By hand`);
	expect(merge).toEqual({ clean: true, text: `${dos}\r\n- By hand\r\n- From the app` });
});

test('mem-10 the same entry changed on both sides is a conflict: theirs stays, ours is handed out', () => {
	const merge = merge3(BASE, BASE.replace('4711', '1111'), BASE.replace('4711', '2222').replace('milk', 'bread'));
	expect(merge).toEqual({
		clean: false,
		text: '# Memory\n\n- Anna likes tea\n- The door code is 2222\n- Buy bread\n',
		conflicts: [{ base: '- The door code is 4711', ours: '- The door code is 1111', theirs: '- The door code is 2222' }],
	});
});

test('mem-10 removed here and edited there is a conflict', () => {
	const merge = merge3(BASE, BASE.replace('- Buy milk\n', ''), BASE.replace('milk', 'bread'));
	expect(merge).toMatchObject({ clean: false, conflicts: [{ base: '- Buy milk', ours: '', theirs: '- Buy bread' }] });
	expect(merge.text).toContain('- Buy bread');
});

test('mem-10 an edit of 8 KB down to nothing by a stale writer does not take the owner’s new lines along', () => {
	const long = `# Memory\n\n${Array.from({ length: 200 }, (_, index) => `- Fact number ${index} of the long file\n`).join('')}`;
	const owner = `${long}- The owner's new line\n`;
	const merge = merge3(long, '# Memory\n\n- Only this\n', owner);
	expect(merge.text).toContain("- The owner's new line");
	expect(merge.text).toContain('- Only this');
});

test('mem-10 two new sections at the end are both kept', () => {
	const ours = `${BASE}\n## App\n\n- one\n`;
	const theirs = `${BASE}\n## Hand\n\n- two\n`;
	expect(merge3(BASE, ours, theirs)).toEqual({ clean: true, text: `${BASE}\n## App\n\n- one\n\n## Hand\n\n- two\n` });
});
